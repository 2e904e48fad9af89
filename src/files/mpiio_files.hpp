// The files of a collection with `engine: library`, on the ranks that call the library: one for each I/O domain, and
// the leader of the owner node. All of it is collective over these ranks, and nothing here waits for blocks or for
// ranks that compute: the session calls when all is there (session/mpiio_writer.hpp).
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "files/file_plan.hpp"
#include "files/record_schedule.hpp"
#include "files/series.hpp"
#include "mpiio/aggregators.hpp"
#include "mpiio/mpiio_file.hpp"
#include "profile/counters.hpp"
#include "profile/report.hpp"
#include "roles/roles.hpp"
#include "storage/publishing.hpp"
#include "transport/group.hpp"

namespace thalweg::files {

// What this rank passes to the library, in the order of its calls.
struct MpiioPart {
  std::vector<mpiio::MpiioBlock> record_blocks;
  std::vector<mpiio::MpiioBlock> fixed_blocks;
  bool speaks_for_node = false;  // the first of its node: it frees the node's blocks
};

// The ranks that call it together, and what this one passes.
struct MpiioCallers {
  transport::Group group;
  MpiioPart part;
  mpiio::Aggregation aggregation;
};

class MpiioFiles {
 public:
  // series: all of it, the plan and the roles outlive this.
  MpiioFiles(const Series& series, const FilePlan& plan, const roles::Roles& roles, MpiioCallers callers,
             profile::ClientCounters& counters);

  const roles::Circle& circle() const { return group_.circle(); }

  // Makes the first file before the first record, where its name is known.
  void prepare_first_file();
  // Writes the record, whose blocks are complete on all nodes, and frees the blocks.
  void write_record(const Upcoming& upcoming);
  // The program closes the file, of which all is complete, and which is opened for that if it has no record.
  void close_file(const Upcoming& ending);
  // Writes what is left, which is complete, and ends all files.
  void finish();

  // For the profile: on the leader of the owner node, and of what this rank wrote.
  struct Told {
    std::vector<profile::LibraryFileReport> reports;
    profile::WrittenFiles written;
  };
  const Told& told() const { return told_; }
  const profile::WriterCounters& counters() const { return written_; }

 private:
  struct OpenFile {
    std::string path;
    std::string partial_path;
    std::int64_t number = 0;                                // in the order of their names
    std::unique_ptr<const catalog::Definition> definition;  // of the file, which refers to it
    std::unique_ptr<mpiio::MpiioFile> file;
    std::shared_ptr<const block::Publication> output{};      // on the leader of the owner node,
    std::shared_ptr<const storage::SharedNameLock> share{};  // and elsewhere its share of the lock
    block::FileIdentity written{};
    std::int64_t records = 0;
    bool has_fixed = false;    // its variables without records are written
    bool has_ended = false;    // no record follows
    std::int64_t changes = 0;  // of attributes, when it was made
    profile::WrittenFile told{};
    profile::RecordRates rates{};
  };

  bool leads_owner_node() const { return roles_.node == plan_.owner_node && roles_.leads_node(); }
  const config::CollectionSettings& settings() const { return series_.declaration.settings(); }
  config::Hints hints_for(const std::string& name) const;
  OpenFile make_file(const std::string& name);
  void discard_prepared();
  void open_file(const std::string& name);
  void free_blocks(std::int64_t record);
  void write_fixed();
  void fill_fixed(OpenFile& file);
  void write(OpenFile& file, const std::vector<mpiio::MpiioBlock>& blocks, std::int64_t record);
  void end_files();
  void close_ended();
  void close(OpenFile& file);
  // ---- checksums, each node's by the rank that speaks for it
  const block::SummedFiles* summed() const { return plan_.blocks->files.summed.get(); }
  void add_sums(const OpenFile& file, std::int64_t index_in_file, const std::vector<block::PlannedBlock>& blocks,
                const staging::BlockRing& ring, std::int64_t slot);
  std::optional<block::Checksums> take_checksums(const OpenFile& file);
  void report(const OpenFile& file, const config::Hints& asked);
  void say(const profile::LibraryFileReport& report) const;

  Series series_;
  const FilePlan& plan_;
  const roles::Roles& roles_;
  transport::Group group_;
  MpiioPart part_;
  mpiio::Aggregation aggregation_;
  profile::ClientCounters& counters_;
  profile::WriterCounters written_;
  std::optional<OpenFile> prepared_;  // made but not opened yet
  std::list<OpenFile> open_;          // several where variables without records are put late
  std::int64_t opened_ = 0;           // files
  std::int64_t files_ = 0;            // closed
  block::RecordSums sums_;
  bool fixed_complete_ = false;  // on all nodes
  Told told_;
};

}  // namespace thalweg::files
