// Who did not come to a collective step. After the deadline the ranks that wait ask rank 0, or rank 1 where that does
// not answer, to call all others; who waits answers, and all get the verdict of the caller, at once or when they come.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace thalweg::roles {

// All ranks by their numbers in the communicator.
struct Verdict {
  int caller = 0;
  std::int64_t missing_count = 0;
  std::vector<int> missing;  // the first of them
  std::string call;          // that the caller is in
};

class MissingRanks {
 public:
  // step: how many steps this rank has come to. call(): that it is in; it outlives this.
  MissingRanks(MPI_Comm comm, std::int64_t step, double deadline_s, const std::function<std::string()>& call);
  ~MissingRanks();
  MissingRanks(const MissingRanks&) = delete;
  MissingRanks& operator=(const MissingRanks&) = delete;

  // The deadline of this rank is over; may be said more than once.
  void call(double now_s);
  // To be called while one waits: takes messages, and answers them. Nothing: there is no verdict yet.
  std::optional<Verdict> look(double now_s);
  // That of another circle, as one of this rank.
  void tell(const Verdict& verdict);

 private:
  static constexpr int most_named = 16;
  static constexpr int most_letters = 192;
  enum class Kind : std::int64_t { ask, call, here, verdict };
  struct Message {
    Kind kind = Kind::ask;
    std::int64_t step = 0;
    std::int64_t missing_count = 0;
    std::array<std::int64_t, most_named> missing{};
    std::array<char, most_letters> call{};
  };
  struct Sent {
    Message message;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void send(int rank, const Message& message);
  std::optional<Verdict> take(int from, const Message& message, double now_s);
  void begin_to_call(double now_s);
  std::optional<Verdict> conclude();
  void ask_next(double now_s);
  Verdict verdict_on_callers() const;

  MPI_Comm comm_;
  std::int64_t step_;
  const std::function<std::string()>& call_;
  double patience_s_;  // with those who are asked, and those who are called
  int rank_ = 0;
  int size_ = 1;
  int asked_ = 0;                   // how many of the possible callers
  std::optional<double> asked_s_;   // when the last of them
  std::optional<double> called_s_;  // by this rank
  std::map<int, std::int64_t> here_;
  std::list<Sent> sent_;
};

}  // namespace thalweg::roles
