// Rounds that a thread reads before they are asked for.
#pragma once

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
#include "read/read_round.hpp"

namespace thalweg::read {

// A record of a variable in one of the files, the plan that it is read by, and the array that it is put into.
struct RecordOf {
  FileReader* file = nullptr;
  int variable = 0;
  std::int64_t record = 0;
  const ReadPlan* plan = nullptr;
  const void* into = nullptr;
  friend bool operator==(const RecordOf&, const RecordOf&) = default;
};

// One for all inputs of a session. The thread starts with the first request; it calls nothing of MPI.
class ReadAhead {
 public:
  ReadAhead() = default;
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // Reads the round of this number.
  using Read = std::function<ReadRound(std::size_t)>;

  // Has rounds of a record read, in this order. What was asked of the variable before, and not taken, is given up.
  // Errors: MEMORY.
  void ask(const RecordOf& record, const std::vector<std::size_t>& rounds, Read read);

  // A round that was asked for, once; waits for it. Nothing: it was not. Errors: what reading it has met.
  std::optional<ReadRound> take(const RecordOf& record, std::size_t round);

  // Gives up what is asked of a file, or of one of its variables, which is not read any more when this returns.
  void forget(const FileReader& file, std::optional<int> variable = std::nullopt);

 private:
  struct Part {
    std::size_t round = 0;
    bool is_read = false;
    ReadRound read;
    std::exception_ptr error;
  };
  struct Request {
    RecordOf of;
    Read read;
    std::list<Part> parts;  // that nobody has taken
  };
  using Lock = std::unique_lock<std::mutex>;

  void work();
  Part* next_part(Request*& request);
  void read_one(Lock& lock, const Request& request, Part& part);
  std::list<Request>::iterator find(const RecordOf& record);
  void give_up(Lock& lock, std::list<Request>::iterator request);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Request> requests_;
  const Part* under_way_ = nullptr;  // the thread reads it without the lock
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace thalweg::read
