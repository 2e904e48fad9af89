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

void ReadAhead::ask(const RecordOf& record, std::vector<Box> windows, Read read) {
  if (windows.empty()) return;
  Lock lock(mutex_);
  const auto is_same = [&](const Request& of) {
    return of.of.file == record.file && of.of.variable == record.variable;
  };
  for (auto old = requests_.begin(); (old = std::find_if(old, requests_.end(), is_same)) != requests_.end();
       old = requests_.begin())
    give_up(lock, old);
  Request& request = requests_.emplace_back(Request{record, std::move(read), {}});
  for (const Box& window : windows) request.windows.push_back({window, false, {}, {}});
  if (!thread_.joinable()) thread_ = start_thread("that reads ahead", [this] { work(); });
  changed_.notify_all();
}

std::optional<ReadWindow> ReadAhead::take(const RecordOf& record, const Box& window) {
  Lock lock(mutex_);
  const auto request = find(record);
  if (request == requests_.end()) return std::nullopt;
  const auto found = std::ranges::find(request->windows, window, &Window::box);
  if (found == request->windows.end()) return std::nullopt;
  requests_.splice(requests_.begin(), requests_, request);  // somebody waits for this one
  changed_.wait(lock, [&] { return found->is_read; });
  Window taken = std::move(*found);
  request->windows.erase(found);
  if (request->windows.empty()) requests_.erase(request);
  if (taken.error) std::rethrow_exception(taken.error);
  return std::move(taken.read);
}

void ReadAhead::give_back(std::vector<std::byte> room) {
  constexpr std::size_t most = 16;
  const Lock lock(mutex_);
  if (spare_.size() < most && room.capacity() > 0) spare_.push_back(std::move(room));
}

void ReadAhead::forget(const FileReader& file) {
  Lock lock(mutex_);
  for (auto request = requests_.begin(); request != requests_.end(); request = requests_.begin()) {
    request = std::ranges::find_if(requests_, [&](const Request& of) { return of.of.file == &file; });
    if (request == requests_.end()) return;
    give_up(lock, request);
  }
}

std::list<ReadAhead::Request>::iterator ReadAhead::find(const RecordOf& record) {
  return std::ranges::find_if(requests_, [&](const Request& of) { return of.of == record; });
}

// What the thread is at ends first.
void ReadAhead::give_up(Lock& lock, std::list<Request>::iterator request) {
  for (auto window = request->windows.begin(); window != request->windows.end();) {
    changed_.wait(lock, [&] { return under_way_ != &*window; });
    window = request->windows.erase(window);
  }
  requests_.erase(request);
}

void ReadAhead::work() {
  Lock lock(mutex_);
  while (!ends_) {
    Request* request = nullptr;
    if (Window* window = next_window(request))
      read_one(lock, *request, *window);
    else
      changed_.wait(lock);
  }
}

ReadAhead::Window* ReadAhead::next_window(Request*& request) {
  for (Request& of : requests_)
    for (Window& window : of.windows)
      if (!window.is_read) {
        request = &of;
        return &window;
      }
  return nullptr;
}

// Without the lock, while which nobody gives up the window or takes it.
void ReadAhead::read_one(Lock& lock, const Request& request, Window& window) {
  under_way_ = &window;
  const Box box = window.box;
  ReadWindow read;
  std::exception_ptr error;
  if (!spare_.empty()) {
    read.values = std::move(spare_.back());
    spare_.pop_back();
  }
  lock.unlock();
  try {
    read.order = request.read(box, read.values);
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  window.read = std::move(read);
  window.error = error;
  window.is_read = true;
  under_way_ = nullptr;
  changed_.notify_all();
}

}  // namespace thalweg::read
