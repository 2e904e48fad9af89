// The profile of a session: one record a rank, a table at the end, JSON for machines.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "profile/counters.hpp"
#include "profile/mpi_counts.hpp"
#include "profile/server_times.hpp"
#include "profile/written.hpp"

namespace thalweg::profile {

// A file that a format library writes by MPI-IO.
struct LibraryFileReport {
  std::string file;
  std::string library;
  std::string calls;
  std::int64_t io_ranks = 0;
  std::int64_t aggregators = 0;                 // of the ranks, those that really write in collective calls
  std::int64_t stripes = 0;                     // 0: not on Lustre
  std::map<std::string, std::string> asked;     // hints
  std::map<std::string, std::string> in_force;  // as the libraries tell them
  bool is_repeated = false;                     // MPI tells back whatever it is asked: of that it is not known
};

// What of a variable's puts the model's author should know of.
struct DoubtfulPuts {
  std::string variable;
  std::int64_t missing = 0;       // boxes that were filled because the rank did not put them
  std::int64_t out_of_range = 0;  // values that became infinite in the file's type
  std::int64_t unclosed = 0;      // boxes that were put for a record that no advance closed

  std::int64_t count() const { return missing + out_of_range + unclosed; }
};

struct CollectionReport {
  std::string name;
  std::int64_t records = 0;
  std::int64_t files = 0;
  std::int64_t depth = 0;  // records that staging held at once
  std::vector<LibraryFileReport> library_files;
  std::vector<DoubtfulPuts> doubtful_puts;
  WrittenFiles written{};  // by this rank
};

// What became of a field of the session. All clients put the same ones, so that the first one tells of them.
struct FieldReport {
  std::string name;
  std::int64_t puts = 0;
  std::vector<std::string> collections{};          // that have it, by their names
  std::vector<std::string> collections_of_made{};  // that have what is made of it
  bool is_operand = false;                         // of an expression, or at levels
  bool is_derived = false;                         // it is one: nobody puts it
  bool is_static = false;

  bool is_had() const { return !collections.empty() || is_operand; }
  bool was_never_put() const { return is_had() && !is_derived && puts == 0; }
  bool was_put_in_vain() const { return !is_had() && !is_static && puts > 0; }
};

struct Report {
  int rank = 0;
  int node = 0;
  bool is_writer = false;  // it wrote, or its helper thread did
  bool is_server = false;
  int group = 0;  // of a server, among those that take turns with collections
  double session_s = 0.0;
  std::int64_t memory_bytes = 0;   // of this process at most, with the pages that it shares with others
  std::int64_t staging_bytes = 0;  // of the node: blocks and messages
  std::int64_t burst_bytes = 0;    // of the node: what bursts have beside
  MpiCountsByPhase mpi;            // what this rank gave to MPI
  ClientCounters client;
  WriterCounters writer;
  ServerTimes server;
  std::vector<CollectionReport> collections;
  std::vector<InputCounters> inputs;
  std::vector<FieldReport> fields;
};

// One rank's record as JSON, and back.
std::string to_json(const Report& report);
Report from_json(const std::string& text);

// All ranks: {"ranks": [...]}; how each number was measured is said in docs.
std::string all_to_json(const std::vector<Report>& reports, const std::vector<std::string>& settings);

// The sum of doubtful puts over all ranks: a line for each variable that has some, and the ranks.
std::vector<std::string> doubts(const std::vector<Report>& reports);
// What each group of servers had of a collection becomes one again, by its name.
void join_shares(Report& report);
// Of one rank, all counts together; 0: it has nothing for doubts().
std::int64_t count_doubts(const Report& report);

// The table at the end of a run: clients reduced to mean, max and the rank of the maximum, writers summed.
std::string table(const std::vector<Report>& reports);

}  // namespace thalweg::profile
