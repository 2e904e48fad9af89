#include "read/windows_in_turn.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"

namespace thalweg::read {

WindowsInTurn::WindowsInTurn(StorageCalls& storage, const std::shared_ptr<FileReader>& file, const Getting& getting,
                             const ReadPlan& plan)
    : storage_(storage), getting_(getting), plan_(plan), reading_(std::make_shared<KeptReading>(file, getting)) {}

WindowsInTurn::~WindowsInTurn() {
  try {
    if (under_way_) storage_.finish();
  } catch (const std::exception&) {  // the get has an error already
  }
}

void WindowsInTurn::begin(std::size_t number) {
  storage_.begin(
      getting_.where,
      [reading = reading_, room = room_of(number), cells = plan_.rounds[number].window->cells] {
        room->order = read_window(*reading->file, reading->getting, cells, room->rooms.window);
      },
      plan_.threads);
  under_way_ = number;
}

// Rooms are used in turn: the next window goes into the other one, wherever its round is.
void WindowsInTurn::begin_next(std::size_t number) {
  for (std::size_t next = number + 1; next < plan_.rounds.size(); ++next)
    if (plan_.rounds[next].window) {
      if (room_of(next) == room_of(number)) std::swap(rooms_[0], rooms_[1]);
      return begin(next);
    }
}

ReadRound WindowsInTurn::round(std::size_t number) {
  if (!under_way_) begin(number);
  under_way_.reset();
  const double begin_s = now_s();
  storage_.finish();
  const double waited_s = now_s() - begin_s;
  const std::shared_ptr<Room> room = room_of(number);
  begin_next(number);
  return placed(getting_, plan_.rounds[number], room->rooms, room->order, waited_s);
}

}  // namespace thalweg::read
