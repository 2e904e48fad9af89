// What Thalweg gives to MPI: messages, collectives and barriers of this process, by what it is doing.
//
// Each call of MPI that other ranks take part in is made through roles/counted_call.hpp, which counts it here. What a
// format library gives to MPI is its own and not among it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>

namespace thalweg::profile {

enum class MpiCall : std::uint8_t { message, collective, barrier };
// definitions: also the start, and the end of definitions wherever it comes. advance: all that closes records or waits
// for them. server: of a server, all but its definitions.
enum class MpiPhase : std::uint8_t { definitions, put, advance, finish, reading, server };
constexpr std::size_t mpi_phases = 6;

struct MpiCounts {
  std::int64_t messages = 0;  // sent
  std::int64_t collectives = 0;
  std::int64_t barriers = 0;
};

struct MpiCountsByPhase {
  std::array<MpiCounts, mpi_phases> of{};

  const MpiCounts& operator[](MpiPhase phase) const { return of[static_cast<std::size_t>(phase)]; }
};

inline thread_local MpiPhase mpi_phase_of_thread = MpiPhase::definitions;
inline std::array<std::array<std::atomic<std::int64_t>, 3>, mpi_phases> mpi_calls_of_process{};

inline void count_mpi_call(MpiCall call) {
  mpi_calls_of_process[static_cast<std::size_t>(mpi_phase_of_thread)][static_cast<std::size_t>(call)].fetch_add(
      1, std::memory_order_relaxed);
}

// While it lives, what this thread calls is of the phase, and then again of the one before.
class InMpiPhase {
 public:
  explicit InMpiPhase(MpiPhase phase) : before_(mpi_phase_of_thread) { mpi_phase_of_thread = phase; }
  ~InMpiPhase() { mpi_phase_of_thread = before_; }
  InMpiPhase(const InMpiPhase&) = delete;
  InMpiPhase& operator=(const InMpiPhase&) = delete;

 private:
  MpiPhase before_;
};

// Since the process began.
MpiCountsByPhase mpi_counts();
MpiCountsByPhase since(const MpiCountsByPhase& before);

const char* name_of(MpiPhase phase);
// An object with a member for each phase.
void to_json(nlohmann::json& json, const MpiCountsByPhase& counts);
void from_json(const nlohmann::json& json, MpiCountsByPhase& counts);

}  // namespace thalweg::profile
