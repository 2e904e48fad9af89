// The windows of a get, each read while the one before is put into its place.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <memory>
#include <optional>

#include "read/getting.hpp"
#include "read/read_plan.hpp"
#include "read/read_round.hpp"
#include "read/storage_calls.hpp"

namespace thalweg::read {

class WindowsInTurn {
 public:
  // All but the file outlive it.
  WindowsInTurn(StorageCalls& storage, const std::shared_ptr<FileReader>& file, const Getting& getting,
                const ReadPlan& plan);
  // What was begun, and nobody wants any more, ends first.
  ~WindowsInTurn();
  WindowsInTurn(const WindowsInTurn&) = delete;
  WindowsInTurn& operator=(const WindowsInTurn&) = delete;

  // A round that has a window; they ascend. Errors: as of read_round; DEADLINE.
  ReadRound round(std::size_t number);

 private:
  struct Room {
    RoundRooms rooms;
    std::endian order = std::endian::native;
  };
  void begin(std::size_t number);
  void begin_next(std::size_t number);
  const std::shared_ptr<Room>& room_of(std::size_t number) const { return rooms_[number % rooms_.size()]; }

  StorageCalls& storage_;
  const Getting& getting_;
  const ReadPlan& plan_;
  std::shared_ptr<KeptReading> reading_;
  std::array<std::shared_ptr<Room>, 2> rooms_{std::make_shared<Room>(), std::make_shared<Room>()};
  std::optional<std::size_t> under_way_;
};

}  // namespace thalweg::read
