#include "read/read_ahead.hpp"

#include <algorithm>
#include <utility>

#include "base/thread.hpp"

namespace thalweg::read {

ReadAhead::~ReadAhead() {
  {
    const Lock lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void ReadAhead::ask(const RecordOf& record, const std::vector<std::size_t>& rounds, Read read) {
  if (rounds.empty()) return;
  forget(*record.file, record.variable);
  const Lock lock(mutex_);
  Request& request = requests_.emplace_back(Request{record, std::move(read), {}});
  for (const std::size_t round : rounds) request.parts.push_back({round, false, {}, {}});
  if (!thread_.joinable()) thread_ = start_thread("that reads ahead", [this] { work(); });
  changed_.notify_all();
}

std::optional<ReadRound> ReadAhead::take(const RecordOf& record, std::size_t round) {
  Lock lock(mutex_);
  const auto request = find(record);
  if (request == requests_.end()) return std::nullopt;
  const auto found = std::ranges::find(request->parts, round, &Part::round);
  if (found == request->parts.end()) return std::nullopt;
  requests_.splice(requests_.begin(), requests_, request);  // somebody waits for this one
  changed_.wait(lock, [&] { return found->is_read; });
  Part taken = std::move(*found);
  request->parts.erase(found);
  if (request->parts.empty()) requests_.erase(request);
  if (taken.error) std::rethrow_exception(taken.error);
  return std::move(taken.read);
}

void ReadAhead::forget(const FileReader& file, std::optional<int> variable) {
  Lock lock(mutex_);
  const auto is_meant = [&](const Request& of) {
    return of.of.file == &file && (!variable || of.of.variable == *variable);
  };
  for (auto request = requests_.begin(); request != requests_.end(); request = requests_.begin()) {
    request = std::ranges::find_if(requests_, is_meant);
    if (request == requests_.end()) return;
    give_up(lock, request);
  }
}

std::list<ReadAhead::Request>::iterator ReadAhead::find(const RecordOf& record) {
  return std::ranges::find_if(requests_, [&](const Request& of) { return of.of == record; });
}

// What the thread is at ends first.
void ReadAhead::give_up(Lock& lock, std::list<Request>::iterator request) {
  for (auto part = request->parts.begin(); part != request->parts.end();) {
    changed_.wait(lock, [&] { return under_way_ != &*part; });
    part = request->parts.erase(part);
  }
  requests_.erase(request);
}

void ReadAhead::work() {
  Lock lock(mutex_);
  while (!ends_) {
    Request* request = nullptr;
    if (Part* part = next_part(request))
      read_one(lock, *request, *part);
    else
      changed_.wait(lock);
  }
}

ReadAhead::Part* ReadAhead::next_part(Request*& request) {
  for (Request& of : requests_)
    for (Part& part : of.parts)
      if (!part.is_read) {
        request = &of;
        return &part;
      }
  return nullptr;
}

// Without the lock, while which nobody gives up the part or takes it.
void ReadAhead::read_one(Lock& lock, const Request& request, Part& part) {
  under_way_ = &part;
  const std::size_t round = part.round;
  ReadRound read;
  std::exception_ptr error;
  lock.unlock();
  try {
    read = request.read(round);
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  part.read = std::move(read);
  part.error = error;
  part.is_read = true;
  under_way_ = nullptr;
  changed_.notify_all();
}

}  // namespace thalweg::read
