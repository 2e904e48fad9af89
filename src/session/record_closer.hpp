// Records of the collections, from the first field to the commit: begun, closed, and seen to until they are written.
#pragma once

#include "files/names_in_use.hpp"
#include "put/putter.hpp"
#include "session/core.hpp"
#include "session/mpiio_writer.hpp"

namespace thalweg::session {

class RecordCloser {
 public:
  // All that is given outlives this.
  RecordCloser(Core& core, put::Putter& putter, MpiioWriter& mpiio)
      : core_(core), putter_(putter), mpiio_(mpiio), names_(core.settings) {}

  // The upcoming record begins; all ranks note the name of its file, whether they see to files or not: they all meet
  // the error, if there is one. Errors: CONFIG, STORAGE.
  void begin(Collection& collection);
  // The upcoming record, where it begins a file, has a name for it, before anything is changed; or that which is closed
  // at a time. Errors: STATE, STORAGE.
  void require_name(const Collection& collection) const;
  void require_name_at(const Collection& collection, double time_s) const;
  // The next file of the collection may have this name. Errors: STORAGE.
  void require_free_name(const Collection& collection, const std::string& name) const;
  // The upcoming record, where it begins a file, ends those of the groups whose turn it is not; also where its own
  // group is lost.
  void pass_turn(const Shares& of);
  // By the model's clock: closes the upcoming record, if the collection has one at that time.
  void close_at(Collection& collection, double time_s);
  // Closes the upcoming record, which is complete, as far as this rank goes. Errors: what waits for blocks, messages,
  // files meet; GroupLost.
  void close(Collection& collection, double time_s);
  // Closes the file of the last record, or makes one without records. Errors: as close; STATE.
  void close_file(Collection& collection);
  // It has no more records. Errors: as close.
  void end(Collection& collection);
  // All that is closed is to be written now; or what is of a collection, while others go on to be gathered.
  void place_all();
  void place(Collection& collection);
  // All that is closed is written, of this rank's node, or given up. Errors: DEADLINE, and what was reported meanwhile.
  void wait_until_written();

 private:
  void claim_name(Collection& collection, const files::Upcoming& upcoming);
  void await_turn(const Collection& collection, const files::Upcoming& upcoming);
  void finish_files(Collection& collection);
  void end_record(Collection& collection, double time_s);
  void make_room(Collection& collection, std::int64_t record);
  void ask_for(Collection& collection);
  void set_going();

  Core& core_;
  put::Putter& putter_;
  MpiioWriter& mpiio_;
  files::NamesInUse names_;
};

}  // namespace thalweg::session
