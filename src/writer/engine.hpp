// The writer: one engine for every place where writing happens. As a helper thread it runs by itself (start, stop);
// under "writers: sync" the caller steps it. It calls neither MPI nor a format library.
#pragma once

#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "block/command_book.hpp"
#include "profile/counters.hpp"
#include "profile/report.hpp"
#include "staging/control.hpp"
#include "staging/ready_queue.hpp"
#include "storage/storage_access.hpp"
#include "writer/collection_writer.hpp"
#include "writer/spill.hpp"
#include "writer/spiller.hpp"
#include "writer/status_file.hpp"

namespace thalweg::writer {

struct EngineOptions {
  // Of those that encode chunks (writer/pool.hpp).
  int threads = 1;
  std::vector<int> processors;
  std::int64_t bytes_per_s = 0;                // written at most; 0: no limit
  std::optional<config::SpillSettings> spill;  // where blocks go when staging is full; nothing: they wait
  std::optional<StatusOptions> status{};       // nothing: the engine tells nobody how far it is
};

class Engine {
 public:
  Engine(staging::Control& control, block::CommandBook& book, EngineOptions options);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Before start, or between steps: where complete blocks of collections added from now on are announced.
  void listen_to(staging::ReadyQueue queue, std::uint32_t first_collection);

  // Does what there is to do; true if there was something. Failures are reported; then it does nothing more.
  bool step();

  void start();
  // Ends the thread; what is not written stays unwritten. False if it has not ended after patience_s, because it hangs
  // in a call to the storage: then the engine must never be destroyed, nor anything it was given.
  bool stop(double patience_s);

  // The last that the status says, when the engine does not run any more.
  void tell_end(bool has_finished);

  // Valid when the engine does not run.
  const profile::WriterCounters& counters() const { return counters_; }
  // Of what it has written of collections.
  std::vector<profile::CollectionStatus> statuses() const;
  void add_written(std::vector<profile::CollectionReport>& collections) const;

 private:
  struct Source {
    staging::ReadyQueue queue;
    std::uint32_t first_collection;  // block ids are numbered from this collection on
  };

  void run();
  bool work();
  bool work_if_sound();
  void tell_status(profile::SessionState state);
  bool take_commands();
  void replay(block::Command& command);
  bool take_ready();
  bool write_some();
  bool save_one();

  staging::Control& control_;
  block::CommandBook& book_;
  profile::WriterCounters counters_;
  storage::StorageAccess access_;
  std::optional<Spill> spill_;
  std::vector<Source> sources_;
  std::vector<std::unique_ptr<CollectionWriter>> collections_;
  std::optional<StatusFile> status_;
  Pool pool_;  // ends before what its tasks work for
  std::atomic<bool> stop_{false};
  std::atomic<bool> ended_{true};  // the thread, if there was one
  std::thread thread_;
  std::optional<Spiller> spiller_;
};

}  // namespace thalweg::writer
