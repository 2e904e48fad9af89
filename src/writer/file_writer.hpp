// One file that a writer fills: data by the mover, then the metadata that makes records visible, then its name.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "profile/counters.hpp"
#include "staging/control.hpp"
#include "store/journal.hpp"
#include "store/mover.hpp"
#include "store/orders.hpp"

namespace thalweg::writer {

class FileWriter {
 public:
  FileWriter(const store::OpenFile& order, const store::CollectionPlan& plan, staging::Control& control);

  void write(std::span<store::DataRun> runs);

  // What was written is on stable storage.
  void sync();

  // Makes records visible: their data are written everywhere.
  void commit(const store::Transaction& transaction);

  // Ends the file: last metadata, durability, and, on the node that owns it, its own name.
  void close(const store::Transaction& transaction);

  const store::OpenFile& order() const { return order_; }
  void add_counts(profile::WriterCounters& counters) const;

  // What the file still waits for; kept by CollectionWriter.
  std::deque<store::CommitRecords> commits;
  std::vector<bool> fixed_written;

 private:
  void publish();

  store::OpenFile order_;
  config::Durability durability_;
  bool owns_;
  staging::Control& control_;
  store::Mover mover_;
  store::Journal journal_;
  double commit_s_ = 0.0;
};

}  // namespace thalweg::writer
