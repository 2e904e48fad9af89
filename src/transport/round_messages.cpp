#include "transport/round_messages.hpp"

#include <utility>

#include "roles/counted_call.hpp"
#include "roles/counts.hpp"
#include "roles/left_communicators.hpp"
#include "transport/tags.hpp"

namespace thalweg::transport {

RoundMessages::RoundMessages(const roles::Circle& circle) : circle_(circle) {
  under_way_->sends.emplace_back();
  under_way_->sent.emplace_back();
}

RoundMessages::~RoundMessages() {
  if (under_way_ && !under_way_->is_over()) leave();
}

void RoundMessages::leave() {
  circle_.patience()->is_broken = true;
  roles::leave(circle_);
  roles::leave_memory(std::exchange(under_way_, nullptr));
}

void RoundMessages::expect(int from, std::int64_t bytes) {
  const int count = roles::count_of(bytes, "bytes of a part of a field");
  RawBytes& coming = under_way_->received.emplace_back(static_cast<std::size_t>(bytes));
  MPI_Irecv(coming.data(), count, MPI_BYTE, from, tags::parts_read, circle_, &under_way_->receives.emplace_back());
}

// Before vectors of requests grow, none of them is looked at by its place; buffers of bytes stay where they are.
void RoundMessages::send(int to, RawBytes bytes) {
  const int count = roles::count_of(std::ssize(bytes), "bytes of a part of a field");
  const RawBytes& going = under_way_->sent.back().emplace_back(std::move(bytes));
  roles::send_counted(MPI_Isend, going.data(), count, MPI_BYTE, to, tags::parts_read, circle_,
                      &under_way_->sends.back().emplace_back());
}

bool RoundMessages::UnderWay::is_in() {
  int finished = 0;
  statuses.resize(receives.size());
  MPI_Testall(static_cast<int>(receives.size()), receives.data(), &finished, statuses.data());
  return finished != 0;
}

bool RoundMessages::UnderWay::has_left() {
  int finished = 0;
  std::vector<MPI_Request>& oldest = sends.front();
  MPI_Testall(static_cast<int>(oldest.size()), oldest.data(), &finished, MPI_STATUSES_IGNORE);
  return finished != 0;
}

// What is still under way when nobody waits any longer is left to the library.
template <typename Done>
void RoundMessages::wait(const Done& done) {
  try {
    circle_.wait_until(done);
  } catch (...) {
    leave();
    throw;
  }
}

std::vector<RawBytes> RoundMessages::end_round() {
  UnderWay& all = *under_way_;
  bool in = false;
  bool left = all.sends.size() < 2;
  wait([&] {
    in = in || all.is_in();
    left = left || all.has_left();
    return in && left;
  });
  if (all.sends.size() > 1) drop_oldest();
  for (std::size_t i = 0; i < all.receives.size(); ++i) {
    int count = 0;
    MPI_Get_count(&all.statuses[i], MPI_BYTE, &count);
    all.received[i].resize(static_cast<std::size_t>(count));
  }
  all.receives.clear();
  all.sends.emplace_back();
  all.sent.emplace_back();
  return std::exchange(all.received, {});
}

void RoundMessages::end() {
  while (under_way_->sends.size() > 1) {
    wait([&] { return under_way_->has_left(); });
    drop_oldest();
  }
}

void RoundMessages::drop_oldest() {
  under_way_->sends.pop_front();
  under_way_->sent.pop_front();
}

}  // namespace thalweg::transport
