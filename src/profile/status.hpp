// What a process that writes tells of itself while the session runs, as text for `thalweg watch`. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace thalweg::profile {

// What stays as it is. Times are seconds since 1970.
struct StatusOrigin {
  std::string run{};            // which session: another one has another text
  std::string configuration{};  // empty: none
  std::string host{};
  std::int64_t pid = 0;
  int rank = 0;
  int ranks = 1;
  int writers = 1;  // of the session, each with a file of its own
  int node = 0;
  bool is_server = false;
  double started = 0.0;
  double interval_s = 1.0;  // no news comes sooner than that, and news comes after
  double longest_s = 10.0;  // so long at the latest, unless the process is in a call that takes longer
};

struct BlockCount {
  std::int64_t total = 0;
  std::int64_t free = 0;
};

// Of one collection, or of what a writer has of it. Records count from 0 in each of them.
struct CollectionStatus {
  std::string name{};
  int number = 0;                           // in the session; collections of one name are shares of groups of servers
  std::int64_t put = 0;                     // of which a client of the node has put something, or that are closed
  std::int64_t written = 0;                 // by this writer
  std::optional<std::int64_t> committed{};  // known where its files are committed
  std::int64_t files = 0;                   // complete
  std::string file{};                       // that is being written; empty: none
  std::int64_t raw_bytes = 0;               // of the blocks that were written
  std::int64_t file_bytes = 0;              // that went to the storage for them and the rest of the files
  BlockCount blocks{};                      // of the node, with records
};

// Steps of the model on one rank.
struct RankStep {
  int rank = 0;
  std::int64_t steps = 0;
};

// A client of the node is in a call that waits. since: seconds since 1970.
struct RankWait {
  int rank = 0;
  std::string cause;
  double since = 0.0;
};

struct ModelMoment {
  double at = 0.0;  // seconds since 1970
  double time_s = 0.0;
};

// What this process has heard of the model.
struct ModelStatus {
  std::int64_t steps = 0;
  double start_s = 0.0;
  std::optional<double> end_s{};
  std::optional<ModelMoment> first{};  // step
  std::optional<ModelMoment> last{};
  // Of the node's clients; nothing where there are none, or all have made as many.
  std::optional<RankStep> slowest{};
  std::optional<RankStep> fastest{};
};

enum class SessionState { running, finished, failed, ended };

struct WriterStatus {
  SessionState state = SessionState::running;
  std::string error{};  // empty: none
  double bytes_per_s = 0.0;
  ModelStatus model{};
  std::optional<RankWait> wait{};  // the longest
  std::vector<CollectionStatus> collections{};
};

// All but the time of writing, by which two texts of one state would differ.
std::string body_of(const StatusOrigin& origin, const WriterStatus& status);
// The text of the file: one JSON.
std::string status_text(const std::string& body, double written);
// With what every such text begins: what has another beginning is somebody else's.
extern const char* const status_beginning;

// Bytes a second between two looks.
class ByteRate {
 public:
  // Looks do not go back in time; bytes do not become fewer.
  double since_last(std::int64_t bytes, double now_s);

 private:
  std::int64_t bytes_ = 0;
  std::optional<double> looked_s_;
};

}  // namespace thalweg::profile
