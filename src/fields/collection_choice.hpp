// What a collection of the configuration has of the fields that there are: its variables by files, with their regions
// and, where it has one, their grid.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fields/defined_fields.hpp"
#include "fields/files_of_choice.hpp"
#include "fields/kept_statics.hpp"
#include "fields/other_grid.hpp"
#include "fields/unknown_fields.hpp"
#include "session/session.hpp"

namespace thalweg::fields {

class CollectionChoice {
 public:
  // The session outlives this.
  CollectionChoice(session::Session& session, config::CollectionSettings settings)
      : session_(session), settings_(std::move(settings)) {}

  // Chooses. Local, the same on every client. Errors: CONFIG.
  void look(DefinedFields& fields);
  // The fields that it has are all, unless it may lack some: finds its regions of them. Errors: CONFIG.
  void settle(const DefinedFields& fields, const KeptStatics& statics, bool may_lack_some = false);
  // The inputs of the session, the first time of which is collective.
  using Inputs = std::function<read::Inputs&()>;
  // Where it has its fields on another grid: what that is, before anything is opened. Collective then. Errors: CONFIG,
  // and those of inputs.
  void find_grid(const DefinedFields& fields, const KeptStatics& statics, const Inputs& inputs);

  const config::CollectionSettings& settings() const { return settings_; }
  const Choice& all() const { return choice_; }
  const std::map<std::string, Choice>& files() const { return files_.collections; }
  OtherGrid* grid() { return grid_ ? &*grid_ : nullptr; }
  bool is_empty() const { return choice_.chosen.empty(); }
  // All that it names is there.
  bool is_complete() const { return choice_.unknown.empty(); }
  // Fields that are defined later may be among those that it chooses.
  bool may_grow() const;
  // By its name the field is one that it would have, as it is like this pattern, or one that it misses; "": it is not.
  std::string wants(const Field& field) const;

  // Errors: CONFIG for fields that are not defined.
  void require_known(const DefinedFields& fields) const { fields::require_known(settings_, choice_, fields.all()); }
  // Operations within expressions gather from the first step on: where that is optional, those that cannot are left
  // out.
  void leave_out_unmade();
  void say_what_is_left_out() const;

 private:
  session::Session& session_;
  config::CollectionSettings settings_;
  Choice choice_;
  FilesOfChoice files_;
  std::vector<std::string> absent_;  // dimensions of its region that no field has
  std::optional<OtherGrid> grid_;
};

}  // namespace thalweg::fields
