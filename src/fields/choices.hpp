// What the collections of the configuration have chosen of the fields: each by itself, when all that it names is there.
#pragma once

#include <functional>
#include <list>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "fields/checkpoint_reader.hpp"
#include "fields/choosing.hpp"

namespace thalweg::fields {

class Choices {
 public:
  // All outlives this. inputs: of the session, the first time of which is collective.
  Choices(session::Session& session, DefinedFields& fields, const KeptStatics& statics,
          std::function<read::Inputs&()> inputs)
      : session_(session), fields_(fields), statics_(statics), inputs_(std::move(inputs)) {}

  // Those whose definitions have not ended look at what is defined, and are sketched; is_for_ready: but for those that
  // `ready` opens, which comes next. Local, the same on every client. Errors: CONFIG.
  void choose(bool is_for_ready);

  // ---- calls that all clients make
  enum class Call { step, advance, checkpoint, ready, finish };
  // Errors: CONFIG, where a record ends then that awaits fields.
  void require_known_by(double time_s) const;
  // Whoever calls `ready` has all of its fields. Errors: CONFIG for fields of components that have defined others.
  void require_of_known_components() const {
    for (const Choosing& of : choosing_)
      if (!of.is_over() && of.choice().all().lacks_known) of.choice().require_known(fields_);
  }
  // The first of them that is still awaited; nothing: none.
  std::optional<Error> lacking() const;
  // Definitions end of those that await no more fields; at the end of their first record, and with ready, of all that
  // have what they name. Returns whether there were any.
  bool open(Call call, double time_s);
  // The same of those that go on from a checkpoint. Collective. Errors: of an input that cannot be read.
  struct GoneOn {
    bool any = false;
    std::optional<Error> refused;  // STATE, for some that cannot
  };
  GoneOn go_on(Call call, double time_s);

  // Those that have variables, sketched or open, in the order of the configuration.
  const std::vector<ChosenCollection*>& all() const { return all_; }
  // Some may choose fields that are defined later.
  bool wait() const { return wait_; }
  // Or, of those that are open, have them in their next file.
  bool may_choose() const;
  // The inputs end before.
  void end() { reader_.reset(); }
  // Fields that are chosen by those that are not opened before they go on.
  std::vector<int> awaited() const;
  // Fields of which something may be made yet.
  std::vector<int> operands() const;
  KeptCollection about(const std::string& collection) const;

  // ---- behind the end of definitions
  // Errors: STATE for one that a collection would have, if its definitions had not ended, and no file of it follows.
  void require_not_too_late(const Field& late) const;
  // It is defined.
  void note_late(const Field& late);
  // It is in the next file of some.
  bool await_next_file_of(const Field& late) const;
  // What Succession says, of all.
  bool begin_next_files();
  void end_earlier_files();
  void keep_earlier_files();
  void say_what_never_came() const;

 private:
  static bool can_open(const Choosing& of, Call call, double time_s);
  void note_changes();
  std::vector<std::string> go_on(Choosing& of, CheckpointReader& reader);
  static bool awaits_checkpoint(const Choosing& of) { return of.goes_on() && !of.is_over(); }
  void look_for_checkpoint();

  session::Session& session_;
  DefinedFields& fields_;
  const KeptStatics& statics_;
  std::function<read::Inputs&()> inputs_;
  std::list<Choosing> choosing_;
  std::optional<CheckpointReader> reader_;  // of the run's start, as long as some may go on from it
  bool wait_ = true;
  std::vector<ChosenCollection*> all_;
};

}  // namespace thalweg::fields
