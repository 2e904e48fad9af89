#include "transport/agreement.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <span>
#include <sstream>

#include "base/error.hpp"
#include "roles/counted_call.hpp"
#include "roles/meeting.hpp"

namespace thalweg::transport {
namespace {

constexpr int sparse_tag = 7001;

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

void fail_at_difference(const std::string& subject, const std::string& own, const std::string& reference, int rank) {
  const auto mine = lines_of(own);
  const auto theirs = lines_of(reference);
  for (std::size_t i = 0; i < std::max(mine.size(), theirs.size()); ++i) {
    const std::string a = i < mine.size() ? mine[i] : "nothing";
    const std::string b = i < theirs.size() ? theirs[i] : "nothing";
    if (a != b)
      fail(THALWEG_ERROR_AGREEMENT,
           "{} differ between ranks:\n  rank {} has: {}\n  rank 0 has: {}\nall ranks must declare the same, in any "
           "order of ranks but with the same content",
           subject, rank, a, b);
  }
}

bool is_same(const roles::Circle& circle, std::uint64_t hash) {
  std::array<std::uint64_t, 2> highest = {hash, ~hash};  // the complement of the lowest as well
  roles::reduce(circle, std::span<std::uint64_t>(highest), MPI_UINT64_T, MPI_MAX);
  return highest[0] == ~highest[1];
}

// Messages are sent and taken until all own ones have arrived, and then until this is so on all ranks.
class SparseExchange {
 public:
  // most_bytes: of a part of a message. Parts come in the order in which they were sent.
  SparseExchange(MPI_Comm comm, std::map<int, Bytes> to, std::size_t most_bytes) : comm_(comm), to_(std::move(to)) {
    for (const auto& [destination, bytes] : to_)
      for (std::size_t first = 0; first == 0 || first < bytes.size(); first += most_bytes)
        roles::send_counted(MPI_Issend, bytes.data() + first,
                            static_cast<int>(std::min(most_bytes, bytes.size() - first)), MPI_BYTE, destination,
                            sparse_tag, comm_, &sends_.emplace_back());
  }

  bool is_done() {
    while (take_one()) {
    }
    if (!is_in_barrier_) {
      int sent = 0;
      MPI_Testall(static_cast<int>(sends_.size()), sends_.data(), &sent, MPI_STATUSES_IGNORE);
      if (sent == 0) return false;
      roles::barrier_counted(comm_, &consensus_);
      is_in_barrier_ = true;
    }
    int finished = 0;
    MPI_Test(&consensus_, &finished, MPI_STATUS_IGNORE);
    return finished != 0 && coming_ == MPI_REQUEST_NULL;
  }

  std::map<int, Bytes> take() { return std::move(received_); }

 private:
  // Whether one was taken. The next is looked for when it is in.
  bool take_one() {
    if (coming_ == MPI_REQUEST_NULL) {
      int arrived = 0;
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, sparse_tag, comm_, &arrived, &status);
      if (arrived == 0) return false;
      int bytes = 0;
      MPI_Get_count(&status, MPI_BYTE, &bytes);
      Bytes& message = received_[status.MPI_SOURCE];
      const std::size_t before = message.size();
      message.resize(before + static_cast<std::size_t>(bytes));
      MPI_Irecv(message.data() + before, bytes, MPI_BYTE, status.MPI_SOURCE, sparse_tag, comm_, &coming_);
    }
    int finished = 0;
    MPI_Test(&coming_, &finished, MPI_STATUS_IGNORE);
    return finished != 0;
  }

  MPI_Comm comm_;
  std::map<int, Bytes> to_;
  std::vector<MPI_Request> sends_;
  std::map<int, Bytes> received_;
  MPI_Request coming_ = MPI_REQUEST_NULL;
  MPI_Request consensus_ = MPI_REQUEST_NULL;
  bool is_in_barrier_ = false;
};

}  // namespace

void together(const roles::Circle& circle, const std::function<void()>& body) {
  int code = 0;
  std::string text;
  try {
    body();
  } catch (...) {
    const Error error = error_in_flight();
    if (error.is_of_missing_ranks()) throw error;
    code = error.code();
    text = error.what();
  }
  const int first = roles::reduced(circle, code == 0 ? INT_MAX : circle.rank(), MPI_INT, MPI_MIN);
  if (first == INT_MAX) return;
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  const Bytes voice = broadcast(circle, first, Bytes(begin, begin + text.size()));
  roles::broadcast_value(circle, first, code);
  throw Error(static_cast<thalweg_status>(code),
              std::string(reinterpret_cast<const char*>(voice.data()), voice.size()));
}

void check_same(const roles::Circle& circle, const std::string& subject, const std::string& description) {
  check_same(circle, subject, description, [] {});
}

void check_same(const roles::Circle& circle, const std::string& subject, const std::string& description,
                const std::function<void()>& rethrow) {
  if (is_same(circle, std::hash<std::string>{}(description))) return rethrow();
  together(circle, rethrow);
  const auto* begin = reinterpret_cast<const std::byte*>(description.data());
  const Bytes root = broadcast(circle, 0, Bytes(begin, begin + description.size()));
  const std::string reference(reinterpret_cast<const char*>(root.data()), root.size());
  together(circle, [&] { fail_at_difference(subject, description, reference, circle.rank()); });
}

void check_same(const roles::Circle& circle, const std::vector<Described>& all) {
  constexpr std::uint64_t prime = 0x100000001b3;
  std::uint64_t hash = 0;
  for (const Described& one : all) hash = hash * prime + std::hash<std::string>{}(one.description);
  if (is_same(circle, hash)) return;
  for (const Described& one : all) check_same(circle, one.subject, one.description);
}

Bytes broadcast(const roles::Circle& circle, int root, Bytes bytes, std::size_t most_bytes) {
  auto size = static_cast<std::int64_t>(bytes.size());
  roles::broadcast_value(circle, root, size);
  bytes.resize(static_cast<std::size_t>(size));
  roles::broadcast_bytes(circle, root, bytes, most_bytes);
  return bytes;
}

std::map<int, Bytes> exchange_sparsely(const roles::Circle& circle, std::map<int, Bytes> to, std::size_t most_bytes) {
  auto exchange = std::make_unique<SparseExchange>(circle, std::move(to), most_bytes);
  roles::meet(circle, exchange);
  std::map<int, Bytes> received = exchange->take();
  // A second exchange must not meet messages of this one.
  roles::barrier(circle);
  return received;
}

Bytes told_by_first(const roles::Circle& circle, const std::function<Bytes()>& make) {
  Bytes told;
  together(circle, [&] {
    if (circle.rank() == 0) told = make();
  });
  return broadcast(circle, 0, std::move(told));
}

}  // namespace thalweg::transport
