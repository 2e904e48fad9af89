#include "transport/arrivals.hpp"

#include "base/clock.hpp"

namespace thalweg::transport {
namespace {

// Some times what a look takes for each receive: looks shall not take most of the time of a rank that others keep busy.
constexpr double pause_for_each_receive_s = 20e-9;

}  // namespace

std::size_t Arrivals::add(int owner) {
  requests_.push_back(MPI_REQUEST_NULL);
  is_in_.push_back(false);
  is_empty_.push_back(false);
  owners_.push_back(owner);
  found_.push_back(0);
  statuses_.emplace_back();
  return requests_.size() - 1;
}

MPI_Request& Arrivals::post(std::size_t number) {
  is_in_[number] = false;
  return requests_[number];
}

std::span<const int> Arrivals::look() {
  const double now = now_s();
  if (requests_.empty() || now < next_look_s_) return {};
  next_look_s_ = now + static_cast<double>(requests_.size()) * pause_for_each_receive_s;
  int count = 0;
  MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count, found_.data(), statuses_.data());
  if (count == MPI_UNDEFINED) return {};  // all that were posted are in
  const std::span<int> found(found_.data(), static_cast<std::size_t>(count));
  auto status = statuses_.begin();
  for (int& number : found) {
    int bytes = 0;
    MPI_Get_count(&*status++, MPI_BYTE, &bytes);
    is_empty_[static_cast<std::size_t>(number)] = bytes == 0;
    is_in_[static_cast<std::size_t>(number)] = true;
    number = owners_[static_cast<std::size_t>(number)];
  }
  return found;
}

bool Arrivals::cancel() {
  constexpr double patience_s = 0.1;
  for (MPI_Request& request : requests_)
    if (request != MPI_REQUEST_NULL) MPI_Cancel(&request);
  int ended = 0;
  for (const double start_s = now_s(); ended == 0 && now_s() - start_s < patience_s;)
    MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &ended, MPI_STATUSES_IGNORE);
  return ended != 0;
}

}  // namespace thalweg::transport
