// Plans of reading: which rank reads what in each round, and what of it goes to whom. Pure index arithmetic; both sides
// of a message make its share from the same numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/point_runs.hpp"
#include "read/needs.hpp"
#include "read/windows.hpp"

namespace thalweg::read {

// What a rank gets of a window, in one message. Cells of needs follow each other in it, each row-major; those of a list
// lie row-major with the list's points in place of its dimension.
struct Share {
  int peer = 0;
  Box window;
  std::vector<Need> needs;
  int along = -1;                           // of a list
  std::shared_ptr<const PointRuns> points;  // of a list, along it: see Side
  std::int64_t cells = 0;

  // The extents of the message's array of a list.
  Index packed_count() const;
};

// Nothing if the window has nothing of what is wanted. points lead from the window to the message on the reader's side,
// and on the other one from the message to the local array.
enum class Side { reader, getter };
std::optional<Share> share_of(const Wanted& wanted, int peer, const Window& window, Side side);

// What one rank does in a round: it reads a window and gives others their shares, and gets its own from others.
struct Round {
  std::optional<Window> window;
  std::optional<Share> own;        // of the window
  std::optional<Share> own_array;  // the same, as the getter has it
  std::vector<Share> outgoing;
  std::vector<Share> incoming;
};

struct ReadPlan {
  std::vector<Round> rounds;  // as many on every rank, but where each reads alone
  bool alone = false;
  int threads = 1;  // of this rank, which decode what it reads
};

// Who wants what of the windows that this rank reads.
struct Asked {
  int rank = 0;
  Wanted wanted;
};

// readers: the rank of each.
ReadPlan plan_of(const std::vector<Window>& windows, const std::vector<int>& readers, int rank, const Wanted& own,
                 const std::vector<Asked>& others);
// Of a rank that reads what it wants itself, and nothing for others.
ReadPlan plan_alone(const std::vector<Window>& windows, int rank, const Wanted& own);

// Whether one of the windows of this reader has any of it.
bool asks(const Wanted& wanted, const std::vector<Window>& windows, int reader);

}  // namespace thalweg::read
