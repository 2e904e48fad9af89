// Fields that are defined behind the end of a collection's definitions are in its next file. The variables of its files
// are those that it was opened with: the next one is that of another collection, which goes on in its place.
#pragma once

#include <list>
#include <string>
#include <vector>

#include "fields/chosen_collection.hpp"
#include "fields/collection_choice.hpp"
#include "fields/defined_fields.hpp"
#include "fields/kept_statics.hpp"

namespace thalweg::fields {

class Succession {
 public:
  // Of the collections that are opened for the last one of these choices; earlier ones have their grids yet. All
  // outlives this.
  Succession(session::Session& session, std::list<CollectionChoice>& choices, std::list<ChosenCollection>& collections)
      : session_(session), choices_(choices), collections_(collections) {}

  // Fields that are defined yet may be in the next file.
  bool may_come() const;
  // A field that they would have is in the next file, or, where none follows, refused, or left out where that is
  // optional, which is said. The first of these is for one that is about to be defined. Errors: STATE.
  void require_not_too_late(const Field& late) const;
  void note_late(const Field& late);
  bool awaits(const Field& late) const;

  // Behind an advance: a file ends, and fields were defined that the next one may have.
  bool may_begin() const;
  // Groups of servers are lost, so that nothing is opened any more: what is late is said to be in no file.
  void leave_out_late();
  // Behind an advance. Where a file ends that lacks fields: the collections of the next ones are opened, and have what
  // the earlier ones have gathered. What cannot be had is said once, and the collection goes on without it. Collective
  // as CollectionChoice. Returns whether there are any.
  bool begin(DefinedFields& fields, const KeptStatics& statics, const CollectionChoice::Inputs& inputs);
  // They are ready, so that the earlier ones end. Collective. Errors: those of Session::close_file.
  void end_earlier();
  // They cannot be: the earlier ones go on.
  void keep_earlier();

  // The run ends.
  void say_what_never_came() const;

 private:
  std::vector<std::string> changed_files() const;
  bool can_begin(const std::vector<std::string>& files) const;
  void open(const std::vector<std::string>& files, const DefinedFields& fields);
  void drop_next();
  void forget_late();
  void say_what_is_late();
  void say_what_is_more() const;

  session::Session& session_;
  std::list<CollectionChoice>& choices_;
  std::list<ChosenCollection>& collections_;
  std::list<ChosenCollection> earlier_;       // in whose place others come
  std::vector<session::Collection*> opened_;  // these
  std::vector<std::string> late_;             // fields
  std::size_t said_ = 0;                      // so many of them
  bool has_new_ = false;                      // a field was defined since they were opened
};

}  // namespace thalweg::fields
