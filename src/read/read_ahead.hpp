// Windows that a thread reads before they are asked for.
#pragma once

#include <bit>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "read/file_reader.hpp"

namespace thalweg::read {

// A record of a variable in one of the files.
struct RecordOf {
  FileReader* file = nullptr;
  int variable = 0;
  std::int64_t record = 0;
  friend bool operator==(const RecordOf&, const RecordOf&) = default;
};

struct ReadWindow {
  std::vector<std::byte> values;
  std::endian order = std::endian::native;
};

// One for all inputs of a session. The thread starts with the first request; it calls nothing of MPI.
class ReadAhead {
 public:
  ReadAhead() = default;
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // Reads the cells of a window; values becomes theirs. Returns their byte order.
  using Read = std::function<std::endian(const Box&, std::vector<std::byte>&)>;

  // Has the windows of a record read, in this order. What was asked of the variable before, and not taken, is given up.
  // Errors: MEMORY.
  void ask(const RecordOf& record, std::vector<Box> windows, Read read);

  // A window that was asked for, once; waits for it. Nothing: it was not. Errors: what reading it has met.
  std::optional<ReadWindow> take(const RecordOf& record, const Box& window);

  // Room for a window to come: memory that is new is slow at first.
  void give_back(std::vector<std::byte> room);

  // Gives up what is asked of a file, which is not read any more when this returns.
  void forget(const FileReader& file);

 private:
  struct Window {
    Box box;
    bool is_read = false;
    ReadWindow read;
    std::exception_ptr error;
  };
  struct Request {
    RecordOf of;
    Read read;
    std::list<Window> windows;  // that nobody has taken
  };
  using Lock = std::unique_lock<std::mutex>;

  void work();
  Window* next_window(Request*& request);
  void read_one(Lock& lock, const Request& request, Window& window);
  std::list<Request>::iterator find(const RecordOf& record);
  void give_up(Lock& lock, std::list<Request>::iterator request);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Request> requests_;
  const Window* under_way_ = nullptr;  // the thread reads it without the lock
  std::vector<std::vector<std::byte>> spare_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace thalweg::read
