// The end. Everything that was put is written, committed and published, on all nodes, before anyone leaves; or, where
// that cannot be, what is complete is committed and nothing waits for ranks that may be gone.
#pragma once

#include <optional>
#include <string>

#include "profile/report.hpp"
#include "put/putter.hpp"
#include "session/core.hpp"
#include "session/mpiio_writer.hpp"
#include "session/record_closer.hpp"

namespace thalweg::session {

class Shutdown {
 public:
  // Of a session; all of it outlives this.
  Shutdown(Core& core, RecordCloser& records, MpiioWriter& mpiio) : core_(core), records_(records), mpiio_(mpiio) {}

  // What went wrong at the end of definitions: of collections that never got ready, or whose first file cannot be made.
  // The first one counts.
  void note_definition_error(const Error& error) {
    if (!definition_error_) definition_error_ = error;
  }

  // All ranks have come and made the same steps. Collective. Errors: what keeps files from being published.
  void publish_all();
  // The writer and the thread of this rank end. Errors: that of the definitions.
  profile::Report end();

  // MPI ends while the session is open. Waits no longer than a second; nothing here calls MPI afterwards.
  void commit_what_is_complete();
  // Where the records are that were committed, and what makes proper files of them.
  std::string left_files() const;

  // Also after a failure: nothing here waits for other ranks.
  void release();

 private:
  profile::Report report();
  void warn_of_unopened() const;
  void warn_of_chunks() const;
  bool has_nothing_to_publish(const Collection& collection) const;
  std::int64_t files_of(const Collection& collection) const;
  bool is_published_here(const Collection& collection) const;
  void put_what_is_missing();
  void settle_files();
  void close_files();
  void wait_for_files(const Collection& collection);
  void check_changes_agree();
  void abandon_writer();
  std::string why_ended() const;
  void leave_messages();

  Core& core_;
  RecordCloser& records_;
  MpiioWriter& mpiio_;
  std::optional<Error> definition_error_;
  bool has_ended_well_ = false;  // on all ranks everything is published
};

}  // namespace thalweg::session
