// Memory for the blocks of a session, as the processes of a node share it. On its first page, which is not handed out,
// it says who uses it: the leader claims it for all of them, each leaves it for itself, and when the last one has left
// it is idle and can be claimed again, with whatever is in it. A process that fails or dies never leaves, so what it
// may still write to is claimed by nobody.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "staging/futex.hpp"
#include "staging/shared_memory.hpp"

namespace thalweg::staging {

// What another process of the node needs to have the same memory.
struct StagingTicket {
  Ticket memory;
  std::uint64_t identity = 0;  // by which it finds what it has mapped already
};

class StagingMemory {
 public:
  StagingMemory() = default;
  // Zero-filled, claimed for so many processes. Errors: MEMORY.
  static StagingMemory create(std::int64_t bytes, int users);
  // The same in a folder.
  static StagingMemory create_in(const std::string& folder, std::int64_t bytes, int users);
  static StagingMemory attach(const StagingTicket& ticket);

  std::byte* data() const { return memory_.data() + header_bytes; }
  std::int64_t bytes() const { return memory_.bytes() - header_bytes; }
  std::uint64_t identity() const { return header().identity; }
  StagingTicket ticket() const { return {memory_.ticket(), identity()}; }

  // False: somebody uses it, or its pages are given up.
  bool claim(int users) const;
  void leave() const;
  bool is_idle() const { return header().users.load(std::memory_order_acquire) == 0; }
  // For all processes that have it, unless somebody uses it: its pages go back to the machine, and nobody can claim it.
  void give_up() const;

  // Each user makes its share of the pages, and when all are made maps them all; both at once where they are there.
  void make_share(int user, int users) const;
  void map_all(int users);
  bool is_mapped() const { return is_mapped_; }

 private:
  static constexpr std::int64_t header_bytes = 4096;
  static constexpr std::int32_t nobody_ever = -1;

  struct Header {
    std::uint64_t identity = 0;
    std::atomic<std::int32_t> users{0};
    Word shares{0};  // users that have made their share of the pages
  };
  explicit StagingMemory(SharedMemory memory) : memory_(std::move(memory)) {}
  static StagingMemory claimed(SharedMemory memory, int users);
  Header& header() const { return *reinterpret_cast<Header*>(memory_.data()); }
  bool has_pages(int users) const {
    return header().shares.load(std::memory_order_acquire) >= static_cast<std::uint32_t>(users);
  }

  SharedMemory memory_;
  bool is_mapped_ = false;  // in this process
};

}  // namespace thalweg::staging
