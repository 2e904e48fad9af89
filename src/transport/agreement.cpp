#include "transport/agreement.hpp"

#include <algorithm>
#include <climits>
#include <sstream>

#include "base/error.hpp"

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

}  // namespace

void together(MPI_Comm comm, const std::function<void()>& body) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  int code = 0;
  std::string text;
  try {
    body();
  } catch (const Error& error) {
    code = error.code();
    text = error.what();
  } catch (const std::exception& error) {
    code = THALWEG_ERROR_INTERNAL;
    text = error.what();
  }
  const int own = code == 0 ? INT_MAX : rank;
  int first = INT_MAX;
  MPI_Allreduce(&own, &first, 1, MPI_INT, MPI_MIN, comm);
  if (first == INT_MAX) return;
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  const Bytes voice = broadcast(comm, first, Bytes(begin, begin + text.size()));
  MPI_Bcast(&code, 1, MPI_INT, first, comm);
  throw Error(static_cast<thalweg_status>(code),
              std::string(reinterpret_cast<const char*>(voice.data()), voice.size()));
}

void check_same(MPI_Comm comm, const std::string& subject, const std::string& description) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  const std::uint64_t hash = std::hash<std::string>{}(description);
  std::uint64_t lowest = 0;
  std::uint64_t highest = 0;
  MPI_Allreduce(&hash, &lowest, 1, MPI_UINT64_T, MPI_MIN, comm);
  MPI_Allreduce(&hash, &highest, 1, MPI_UINT64_T, MPI_MAX, comm);
  if (lowest == highest) return;
  const auto* begin = reinterpret_cast<const std::byte*>(description.data());
  const Bytes root = broadcast(comm, 0, Bytes(begin, begin + description.size()));
  const std::string reference(reinterpret_cast<const char*>(root.data()), root.size());
  together(comm, [&] { fail_at_difference(subject, description, reference, rank); });
}

Bytes broadcast(MPI_Comm comm, int root, Bytes bytes) {
  std::int64_t size = static_cast<std::int64_t>(bytes.size());
  MPI_Bcast(&size, 1, MPI_INT64_T, root, comm);
  bytes.resize(static_cast<std::size_t>(size));
  MPI_Bcast(bytes.data(), static_cast<int>(size), MPI_BYTE, root, comm);
  return bytes;
}

std::map<int, Bytes> exchange_sparsely(MPI_Comm comm, const std::map<int, Bytes>& to) {
  std::vector<MPI_Request> sends(to.size());
  std::size_t next = 0;
  for (const auto& [destination, bytes] : to)
    MPI_Issend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, destination, sparse_tag, comm, &sends[next++]);
  std::map<int, Bytes> received;
  MPI_Request consensus = MPI_REQUEST_NULL;
  bool in_barrier = false;
  for (int finished = 0; finished == 0;) {
    int arrived = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, sparse_tag, comm, &arrived, &status);
    if (arrived != 0) {
      int bytes = 0;
      MPI_Get_count(&status, MPI_BYTE, &bytes);
      Bytes& message = received[status.MPI_SOURCE];
      message.resize(static_cast<std::size_t>(bytes));
      MPI_Recv(message.data(), bytes, MPI_BYTE, status.MPI_SOURCE, sparse_tag, comm, MPI_STATUS_IGNORE);
    }
    if (in_barrier) {
      MPI_Test(&consensus, &finished, MPI_STATUS_IGNORE);
    } else {
      int sent = 0;
      MPI_Testall(static_cast<int>(sends.size()), sends.data(), &sent, MPI_STATUSES_IGNORE);
      if (sent != 0) {
        MPI_Ibarrier(comm, &consensus);
        in_barrier = true;
      }
    }
  }
  // A second exchange must not meet messages of this one.
  MPI_Barrier(comm);
  return received;
}

}  // namespace thalweg::transport
