// The small file by which a process that writes tells how far it is (`status`). It is replaced as a whole, seldom, and
// what goes wrong with it harms nobody: it is said once, and then there is no file any more.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "profile/model_progress.hpp"
#include "profile/status.hpp"
#include "staging/failure_board.hpp"
#include "staging/process_states.hpp"

namespace thalweg::writer {

struct StatusOptions {
  std::string path;  // of the file
  profile::StatusOrigin origin;
  std::shared_ptr<const profile::ModelProgress> model;
};

class StatusFile {
 public:
  // The node's processes and failures outlive this.
  StatusFile(StatusOptions options, const staging::ProcessStates& processes, const staging::FailureBoard& failures);

  // An interval has gone by since the last time, or the session has failed, which ends the process soon.
  bool is_due(double now_s) const;
  // Writes the file if it says something new, or has said nothing for long.
  void tell(profile::SessionState state, std::vector<profile::CollectionStatus> collections);

 private:
  profile::WriterStatus status(profile::SessionState state, std::vector<profile::CollectionStatus> collections);
  void replace(const std::string& text);

  StatusOptions options_;
  const staging::ProcessStates& processes_;
  const staging::FailureBoard& failures_;
  double epoch_s_;  // what now_s() was in 1970
  profile::ByteRate rate_;
  std::string body_;  // that was written last
  double written_s_ = 0.0;
  double next_s_ = 0.0;  // infinite: never again
  bool has_told_failure_ = false;
};

}  // namespace thalweg::writer
