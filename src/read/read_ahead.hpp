// Rounds that a thread reads before they are asked for.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "read/file_reader.hpp"
#include "read/read_round.hpp"

namespace thalweg::read {

// What is read of a variable in one of the files: this rank's box of this number, of a record; the plan that it is read
// by, and the array that it is put into.
struct RecordOf {
  FileReader* file = nullptr;
  int variable = 0;
  int box = 0;
  std::int64_t record = 0;
  const ReadPlan* plan = nullptr;
  const void* into = nullptr;
  friend bool operator==(const RecordOf&, const RecordOf&) = default;
};

// One for all inputs of a session. The thread starts with the first request; it calls nothing of MPI. Nobody waits for
// it longer than the deadline: if the storage stands still, the thread is left to it, with what it reads and where it
// puts that, and another one has what is asked for from then on.
class ReadAhead {
 public:
  explicit ReadAhead(double deadline_s) : deadline_s_(deadline_s) {}
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // Reads the round of this number. It keeps what it needs alive.
  using Read = std::function<ReadRound(std::size_t)>;

  // Has rounds of a record read, in this order. What was asked of the variable's box before, and not taken, is given
  // up.
  // what: for messages. Errors: MEMORY.
  void ask(const RecordOf& record, const std::vector<std::size_t>& rounds, std::string what, Read read);

  // A round that was asked for, once; waits for it. Nothing: it was not. Errors: what reading it has met; DEADLINE.
  std::optional<ReadRound> take(const RecordOf& record, std::size_t round);

  // Gives up what is asked of a file, or of a box of one of its variables, which is not read any more when this
  // returns, but by a thread that was left.
  struct BoxOf {
    int variable = 0;
    int box = 0;
  };
  void forget(const FileReader& file, std::optional<BoxOf> of = std::nullopt);

  // What a thread that was left may be reading from, or holding up: it ends only with that thread, if one was.
  void keep(std::shared_ptr<const void> open);

  // For calls that cannot but give up. Errors: DEADLINE, if a thread was left since this was called last, unless a take
  // has said so.
  void throw_if_left();

 private:
  struct Part {
    std::size_t round = 0;
    bool is_read = false;
    ReadRound read;
    std::exception_ptr error;
  };
  struct Request {
    RecordOf of;
    std::string what;
    Read read;
    std::list<Part> parts;  // that nobody has taken
  };
  using Requests = std::list<Request>;
  using Lock = std::unique_lock<std::mutex>;

  // With the thread.
  struct Shared {
    std::mutex mutex;
    std::condition_variable changed;
    Requests requests;
    const Part* under_way = nullptr;  // the thread reads it without the lock
    std::string what;                 // that is
    bool ends = false;
    bool has_ended = false;
    std::vector<std::shared_ptr<const void>> kept;

    void work();
    Part* next_part(Request*& request);
    void read_one(Lock& lock, const Request& request, Part& part);
    // Whether it is so before the deadline.
    bool wait(Lock& lock, double deadline_s, const std::function<bool()>& is_so);
  };

  void leave(Lock& lock);

  double deadline_s_;
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  std::weak_ptr<Shared> left_;
  std::optional<std::string> says_;  // of a thread that was left
  std::thread thread_;
};

}  // namespace thalweg::read
