// A collection of the configuration that chooses fields, from its first look at them to the end of its definitions. It
// waits for fields that are not defined yet: meanwhile it is a sketch, which takes what is put of the others.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fields/chosen_collection.hpp"
#include "fields/defined_fields.hpp"
#include "fields/files_of_choice.hpp"
#include "fields/kept_statics.hpp"
#include "fields/unknown_fields.hpp"

namespace thalweg::fields {

class Choosing {
 public:
  // The session outlives this.
  Choosing(session::Session& session, config::CollectionSettings settings);

  // Chooses of the fields that there are. Local, the same on every client. Errors: CONFIG.
  void look(DefinedFields& fields, const KeptStatics& statics);
  // It takes what is put of these. Local.
  void sketch(const DefinedFields& fields);
  // The fields that it has are all, unless it may lack some: finds its regions of them. Errors: CONFIG.
  void settle(const DefinedFields& fields, const KeptStatics& statics, bool may_lack_some = false);
  // The inputs of the session, the first time of which is collective.
  using Inputs = std::function<read::Inputs&()>;
  // Where it has its fields on another grid: what that is, before anything is opened.
  void find_grid(const DefinedFields& fields, const KeptStatics& statics, const Inputs& inputs);
  // So it is, and its definitions end. Collective where it has its fields on another grid. Errors: CONFIG, and those of
  // inputs.
  void open(const DefinedFields& fields, const KeptStatics& statics, const Inputs& inputs);
  // What is not chosen is said; it takes no more fields.
  void end();
  // One of its files' collections.
  ChosenCollection& add(const std::string& name, session::Collection& collection, const DefinedFields& fields);

  const std::string& name() const { return settings_.name; }
  bool is_over() const { return is_over_; }
  // All that it names is there.
  bool is_complete() const { return choice_.unknown.empty(); }
  bool waits() const { return !is_over_ && (!is_complete() || may_grow()); }
  // Fields that are defined later may be among those that it chooses.
  bool may_grow() const;
  bool is_empty() const { return choice_.chosen.empty(); }
  // It is opened from a checkpoint, which needs all clients: until then it takes nothing.
  bool goes_on() const;
  // A step that ends then closes its first record.
  bool ends_by(double time_s) const;
  const session::Collection& clock() const { return *clock_; }

  const Choice& choice() const { return choice_; }
  const std::map<std::string, Choice>& files() const { return files_.collections; }
  std::list<ChosenCollection>& collections() { return collections_; }

  // Errors: CONFIG for fields that are not defined.
  void require_known(const DefinedFields& fields) const { fields::require_known(settings_, choice_, fields.all()); }
  // Operations within expressions gather from the first step on: where that is optional, those that cannot are left
  // out.
  void leave_out_unmade();
  // Once.
  void say_that_it_waits(const DefinedFields& fields);
  // Of a field that is defined behind the end: it is said where that is optional. Errors: STATE.
  void require_not_wanted(const Field& late) const;

 private:
  void add_sketch(const std::string& name, const DefinedFields& fields);
  void say_what_is_left_out() const;

  session::Session& session_;
  config::CollectionSettings settings_;
  session::Collection* clock_;  // a sketch that nothing is put into: its schedule says when the first record ends
  Choice choice_;
  FilesOfChoice files_;
  std::vector<std::string> absent_;  // dimensions of its region that no field has
  std::optional<OtherGrid> grid_;
  std::list<ChosenCollection> collections_;
  bool is_over_ = false;
  bool has_said_ = false;
};

}  // namespace thalweg::fields
