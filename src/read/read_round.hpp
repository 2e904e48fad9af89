// What a rank reads of a round, and does with it before messages go. A thread may do it, ahead of the get.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/box.hpp"
#include "base/raw_bytes.hpp"
#include "read/file_reader.hpp"
#include "read/getting.hpp"
#include "read/read_plan.hpp"
#include "read/storage_calls.hpp"

namespace thalweg::read {

// cells: of the part that is got; values becomes theirs, row-major. Returns their byte order. Errors: STORAGE, FORMAT.
std::endian read_window(FileReader& file, const Getting& getting, const Box& cells, RawBytes& values);

struct ReadRound {
  std::vector<RawBytes> outgoing;  // of the round's shares, in their order
  // The sum of the bits of what was read, if the getting asks for it, and of how many cells.
  std::uint64_t sum = 0;
  std::int64_t cells = 0;
  std::int64_t bytes = 0;  // that were read
  double read_s = 0.0;     // in which they were, or in which the rank waited for them
};

// Memory that rounds use again: what is new is slow at first.
struct RoundRooms {
  RawBytes window, converted;
};

// Reads the window of a round, which it has, puts this rank's share into its array, and packs those of others. Errors:
// as of read_window; ARGUMENT for a value that the array cannot hold.
ReadRound read_round(FileReader& file, const Getting& getting, const Round& round, RoundRooms& rooms);

// The same of a window that was read into its room, in so long.
ReadRound placed(const Getting& getting, const Round& round, RoundRooms& rooms, std::endian order, double read_s);

// What calls need that may go on when nobody waits for them any longer.
struct KeptReading {
  KeptReading(std::shared_ptr<FileReader> from, const Getting& what) : file(std::move(from)), getting(what) {
    variable = *what.variable;
    getting.variable = &variable;
    getting.held = nullptr;
  }
  KeptReading(const KeptReading&) = delete;
  KeptReading& operator=(const KeptReading&) = delete;

  std::shared_ptr<FileReader> file;
  InputVariable variable;
  Getting getting;
  RoundRooms rooms;
};
// As read_window, into its rooms, by the thread of the calls. Errors: DEADLINE, too.
std::endian read_in_time(StorageCalls& storage, const std::shared_ptr<KeptReading>& reading, const Box& cells);

}  // namespace thalweg::read
