#include "transport/collective.hpp"

#include <array>
#include <cstdint>
#include <span>

#include "base/clock.hpp"
#include "base/processors.hpp"
#include "roles/meeting.hpp"
#include "transport/agreement.hpp"

namespace thalweg::transport {
staging::SharedMemory share_memory(const roles::Roles& roles, std::int64_t bytes, const char* name) {
  return share_on_node(
      roles, roles.local, [&] { return staging::SharedMemory::create(bytes, name); },
      [](const staging::Ticket& ticket) { return staging::SharedMemory::attach(ticket); });
}

void barrier(const roles::Circle& circle) {
  roles::barrier(circle);
}

void make_progress(MPI_Comm comm) {
  constexpr int tag_of_nobody = 0;
  int arrived = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, tag_of_nobody, comm, &arrived, MPI_STATUS_IGNORE);
}

void see_off(Messenger& messenger, MPI_Comm comm, double patience_s) {
  for (const double start_s = now_s(); !messenger.is_idle() && now_s() - start_s < patience_s;) make_progress(comm);
}

std::int64_t sum(const roles::Circle& circle, std::int64_t value) {
  return roles::reduced(circle, value, MPI_INT64_T, MPI_SUM);
}

bool all_true(const roles::Circle& circle, bool value) {
  return roles::reduced(circle, value ? 1 : 0, MPI_INT, MPI_MIN) != 0;
}

void maximum(const roles::Circle& circle, std::vector<std::int64_t>& values) {
  roles::reduce(circle, std::span(values), MPI_INT64_T, MPI_MAX);
}

void sum(const roles::Circle& circle, std::vector<std::int64_t>& values) {
  roles::reduce(circle, std::span(values), MPI_INT64_T, MPI_SUM);
}

std::int64_t offset_in_order(const roles::Circle& circle, std::int64_t bytes) {
  return roles::sum_up_to(circle, bytes) - bytes;
}

void broadcast_values(const roles::Circle& circle, int root, std::vector<std::int64_t>& values) {
  roles::broadcast_bytes(circle, root, std::as_writable_bytes(std::span(values)));
}

std::vector<std::string> gather_texts(const roles::Circle& circle, const std::string& text) {
  const std::vector<std::int64_t> lengths = roles::gather_at_first(circle, std::ssize(text));
  const std::string all = roles::gather_at_first(circle, text, lengths);
  std::vector<std::string> texts;
  std::size_t offset = 0;
  for (const std::int64_t length : lengths) {
    texts.push_back(all.substr(offset, static_cast<std::size_t>(length)));
    offset += static_cast<std::size_t>(length);
  }
  return texts;
}

std::vector<int> processors_of_node(const roles::Roles& roles) {
  std::array<std::uint64_t, CPU_SETSIZE / 64> words{};
  if (!roles.has_servers() || !roles.is_client())
    for (const int cpu : own_processors())
      words[static_cast<std::size_t>(cpu) / 64] |= std::uint64_t{1} << static_cast<unsigned>(cpu) % 64;
  roles::reduce(roles.local, std::span<std::uint64_t>(words), MPI_UINT64_T, MPI_BOR);
  std::vector<int> processors;
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if ((words[cpu / 64] >> cpu % 64 & 1) != 0) processors.push_back(static_cast<int>(cpu));
  return processors;
}

}  // namespace thalweg::transport
