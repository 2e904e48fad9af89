// What a rank knows of its time line while the run goes on, in a file of its own: there is no end at which the ranks
// could meet if the run fails, or is killed. A run that ends well takes it away.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "profile/time_line.hpp"
#include "session/session.hpp"

namespace thalweg::api {

class KeptTimeLine {
 public:
  // Null if the session has no time line, or this rank's is none of those that are kept: a folder must not have
  // thousands of files.
  static std::unique_ptr<KeptTimeLine> begin(session::Session& session);
  explicit KeptTimeLine(session::Session& session);
  ~KeptTimeLine();
  KeptTimeLine(const KeptTimeLine&) = delete;
  KeptTimeLine& operator=(const KeptTimeLine&) = delete;

  // As far as it is now. What goes wrong is left as it is: it is not worth the run.
  void keep() noexcept;
  // All ranks have theirs in one file.
  void drop() noexcept;

 private:
  void keep_at_times();
  std::string text() const;

  std::shared_ptr<profile::TimeLine> line_;
  profile::RankOfLine rank_;
  std::string session_id_;
  std::string path_;
  std::mutex mutex_;  // of the file
  bool is_there_ = false;
  std::mutex ending_mutex_;
  std::condition_variable ending_;
  bool ends_ = false;
  std::thread thread_;
};

// "out/line.json" and rank 3: "out/line.rank-3.json".
std::string path_of_kept(const std::string& time_line, int rank);
// Those of the first ranks, and of those that write.
bool is_kept(int rank, bool writes);

}  // namespace thalweg::api
