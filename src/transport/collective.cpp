#include "transport/collective.hpp"

#include <sched.h>

#include <array>

#include <numeric>

#include "transport/agreement.hpp"

namespace thalweg::transport {

staging::SharedMemory share_memory(const roles::Roles& roles, std::int64_t bytes) {
  staging::SharedMemory memory;
  together(roles.local, [&] {
    if (roles.leads_node()) memory = staging::SharedMemory::create(bytes);
  });
  staging::Ticket ticket = roles.leads_node() ? memory.ticket() : staging::Ticket{};
  MPI_Bcast(&ticket, sizeof ticket, MPI_BYTE, 0, roles.local);
  together(roles.local, [&] {
    if (!roles.leads_node()) memory = staging::SharedMemory::attach(ticket);
  });
  return memory;
}

void barrier(MPI_Comm comm) {
  MPI_Barrier(comm);
}

void make_progress(MPI_Comm comm) {
  constexpr int tag_of_nobody = 0;
  int arrived = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, tag_of_nobody, comm, &arrived, MPI_STATUS_IGNORE);
}

int size_of(MPI_Comm comm) {
  int size = 1;
  MPI_Comm_size(comm, &size);
  return size;
}

std::int64_t sum(MPI_Comm comm, std::int64_t value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_SUM, comm);
  return value;
}

bool all_true(MPI_Comm comm, bool value) {
  int all = value ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, comm);
  return all != 0;
}

void maximum(MPI_Comm comm, std::vector<std::int64_t>& values) {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T, MPI_MAX, comm);
}

void sum(MPI_Comm comm, std::vector<std::int64_t>& values) {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T, MPI_SUM, comm);
}

std::int64_t offset_in_order(MPI_Comm comm, std::int64_t bytes, std::int64_t& total) {
  std::int64_t end = 0;
  MPI_Scan(&bytes, &end, 1, MPI_INT64_T, MPI_SUM, comm);
  total = sum(comm, bytes);
  return end - bytes;
}

void broadcast_values(MPI_Comm comm, int root, std::vector<std::int64_t>& values) {
  std::int64_t count = static_cast<std::int64_t>(values.size());
  MPI_Bcast(&count, 1, MPI_INT64_T, root, comm);
  values.resize(static_cast<std::size_t>(count));
  MPI_Bcast(values.data(), static_cast<int>(count), MPI_INT64_T, root, comm);
}

std::vector<std::string> gather_texts(MPI_Comm comm, const std::string& text) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int own = static_cast<int>(text.size());
  std::vector<int> lengths(static_cast<std::size_t>(size));
  MPI_Gather(&own, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, comm);
  std::vector<int> offsets(lengths.size());
  std::exclusive_scan(lengths.begin(), lengths.end(), offsets.begin(), 0);
  std::string all(rank == 0 ? static_cast<std::size_t>(offsets.back() + lengths.back()) : 0, '\0');
  MPI_Gatherv(text.data(), own, MPI_CHAR, all.data(), lengths.data(), offsets.data(), MPI_CHAR, 0, comm);
  std::vector<std::string> texts;
  if (rank == 0)
    for (std::size_t r = 0; r < lengths.size(); ++r)
      texts.push_back(all.substr(static_cast<std::size_t>(offsets[r]), static_cast<std::size_t>(lengths[r])));
  return texts;
}

std::vector<int> processors_of_node(const roles::Roles& roles) {
  std::array<std::uint64_t, CPU_SETSIZE / 64> words{};
  cpu_set_t own;
  CPU_ZERO(&own);
  const bool counts = !roles.has_servers() || !roles.is_client();
  if (counts) sched_getaffinity(0, sizeof own, &own);
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &own)) words[cpu / 64] |= std::uint64_t{1} << cpu % 64;
  MPI_Allreduce(MPI_IN_PLACE, words.data(), static_cast<int>(words.size()), MPI_UINT64_T, MPI_BOR, roles.local);
  std::vector<int> processors;
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if ((words[cpu / 64] >> cpu % 64 & 1) != 0) processors.push_back(static_cast<int>(cpu));
  return processors;
}

}  // namespace thalweg::transport
