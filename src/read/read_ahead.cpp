#include "read/read_ahead.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/thread.hpp"
#include "read/running_wait.hpp"

namespace thalweg::read {

ReadAhead::~ReadAhead() {
  Lock lock(shared_->mutex);
  shared_->ends = true;
  shared_->changed.notify_all();
  if (!thread_.joinable()) return;
  if (shared_->wait(lock, deadline_s_, [&] { return shared_->has_ended; })) {
    lock.unlock();
    thread_.join();
  } else {
    leave(lock);
  }
}

void ReadAhead::ask(const RecordOf& record, const std::vector<std::size_t>& rounds, std::string what, Read read) {
  if (rounds.empty()) return;
  forget(*record.file, BoxOf{record.variable, record.box});
  const Lock lock(shared_->mutex);
  Request& request = shared_->requests.emplace_back(Request{record, std::move(what), std::move(read), {}});
  for (const std::size_t round : rounds) request.parts.push_back({round, false, {}, {}});
  if (!thread_.joinable()) thread_ = start_thread("that reads ahead", [all = shared_] { all->work(); });
  shared_->changed.notify_all();
}

std::optional<ReadRound> ReadAhead::take(const RecordOf& record, std::size_t round) {
  const std::shared_ptr<Shared> all = shared_;
  Lock lock(all->mutex);
  Requests& requests = all->requests;
  const auto request = std::ranges::find(requests, record, &Request::of);
  if (request == requests.end()) return std::nullopt;
  const auto found = std::ranges::find(request->parts, round, &Part::round);
  if (found == request->parts.end()) return std::nullopt;
  requests.splice(requests.begin(), requests, request);  // somebody waits for this one
  if (!all->wait(lock, deadline_s_, [&] { return found->is_read; })) {
    leave(lock);
    throw_if_left();
  }
  Part taken = std::move(*found);
  request->parts.erase(found);
  if (request->parts.empty()) requests.erase(request);
  if (taken.error) std::rethrow_exception(taken.error);
  return std::move(taken.read);
}

// What the thread is at ends first.
void ReadAhead::forget(const FileReader& file, std::optional<BoxOf> of) {
  const std::shared_ptr<Shared> all = shared_;
  Lock lock(all->mutex);
  const auto is_meant = [&](const Request& request) {
    const RecordOf& asked = request.of;
    return asked.file == &file && (!of || (asked.variable == of->variable && asked.box == of->box));
  };
  for (auto request = all->requests.begin(); request != all->requests.end();) {
    if (!is_meant(*request)) {
      ++request;
      continue;
    }
    request->parts.remove_if([&](const Part& part) { return &part != all->under_way; });
    const bool is_free = all->wait(lock, deadline_s_, [&] {
      return std::ranges::none_of(request->parts, [&](const Part& part) { return &part == all->under_way; });
    });
    if (!is_free) return leave(lock);
    request = all->requests.erase(request);
  }
}

void ReadAhead::keep(std::shared_ptr<const void> open) {
  const std::shared_ptr<Shared> left = left_.lock();
  if (!left) return;
  const Lock lock(left->mutex);
  if (!left->has_ended) left->kept.push_back(std::move(open));
}

void ReadAhead::throw_if_left() {
  if (!says_) return;
  throw Error::of_storage(*std::exchange(says_, std::nullopt));
}

// The thread goes on alone when the storage does, and ends.
void ReadAhead::leave(Lock& lock) {
  shared_->ends = true;
  says_ = fmt::format(
      "{}: the storage has not given what is read ahead for {:g} s (deadline: {:g} s), and is not waited for any "
      "longer; "
      "look at the file system, or raise 'deadline' if it is only slow",
      shared_->what, deadline_s_, deadline_s_);
  log::warning("{}", *says_);
  thread_.detach();
  const std::shared_ptr<Shared> left = std::exchange(shared_, std::make_shared<Shared>());
  left_ = left;
  lock.unlock();
}

bool ReadAhead::Shared::wait(Lock& lock, double deadline_s, const std::function<bool()>& is_so) {
  return wait_running(changed, lock, deadline_s, is_so);
}

void ReadAhead::Shared::work() {
  Lock lock(mutex);
  while (!ends) {
    Request* request = nullptr;
    if (Part* part = next_part(request))
      read_one(lock, *request, *part);
    else
      changed.wait(lock);
  }
  has_ended = true;
  changed.notify_all();
}

ReadAhead::Part* ReadAhead::Shared::next_part(Request*& request) {
  for (Request& of : requests)
    for (Part& part : of.parts)
      if (!part.is_read) {
        request = &of;
        return &part;
      }
  return nullptr;
}

// Without the lock, while which nobody gives up the part or takes it.
void ReadAhead::Shared::read_one(Lock& lock, const Request& request, Part& part) {
  under_way = &part;
  what = request.what;
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
  under_way = nullptr;
  changed.notify_all();
}

}  // namespace thalweg::read
