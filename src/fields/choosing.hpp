// A collection of the configuration that chooses fields, from its first look at them on. It waits for fields that are
// not defined yet: meanwhile it is a sketch, which takes what is put of the others.
#pragma once

#include <list>
#include <string>

#include "fields/chosen_collection.hpp"
#include "fields/collection_choice.hpp"
#include "fields/defined_fields.hpp"
#include "fields/kept_statics.hpp"
#include "fields/succession.hpp"

namespace thalweg::fields {

class Choosing {
 public:
  // The session outlives this.
  Choosing(session::Session& session, const config::CollectionSettings& settings);
  Choosing(const Choosing&) = delete;
  Choosing& operator=(const Choosing&) = delete;

  // Chooses of the fields that there are, and finds its regions. Local, the same on every client. Errors: CONFIG.
  void look(DefinedFields& fields, const KeptStatics& statics);
  // It takes what is put of these. Local.
  void sketch(const DefinedFields& fields);
  // So it is, and its definitions end. Collective where it has its fields on another grid. Errors: CONFIG, and those of
  // inputs.
  void open(const DefinedFields& fields, const KeptStatics& statics, const CollectionChoice::Inputs& inputs);
  // What is not chosen is said; its files have no more fields, but the next one.
  void end();
  // One of its files' collections.
  ChosenCollection& add(const std::string& name, session::Collection& collection, const DefinedFields& fields);

  const std::string& name() const { return choice().settings().name; }
  bool is_over() const { return is_over_; }
  bool waits() const { return !is_over_ && (!choice().is_complete() || choice().may_grow()); }
  // It is opened from a checkpoint, which needs all clients: until then it takes nothing.
  bool goes_on() const;
  // A step that ends then closes its first record.
  bool ends_by(double time_s) const;
  // That step comes, and nothing is there yet that it would have: it has no such record.
  void pass(double time_s);
  const session::Collection& clock() const { return *clock_; }

  CollectionChoice& choice() { return choices_.back(); }
  const CollectionChoice& choice() const { return choices_.back(); }
  std::list<ChosenCollection>& collections() { return collections_; }
  Succession& succession() { return succession_; }
  const Succession& succession() const { return succession_; }

  // Once.
  void say_that_it_waits(const DefinedFields& fields);

 private:
  void add_sketch(const std::string& name, const DefinedFields& fields);

  session::Session& session_;
  std::list<CollectionChoice> choices_;
  session::Collection* clock_;  // a sketch that nothing is put into: its schedule says when the first record ends
  std::list<ChosenCollection> collections_;
  Succession succession_{session_, choices_, collections_};
  bool is_over_ = false;
  bool has_said_ = false;
};

}  // namespace thalweg::fields
