// What the model has declared so far.
#pragma once

#include <iterator>
#include <list>
#include <string>
#include <vector>

#include "geometry/plan.hpp"
#include "geometry/selection.hpp"
#include "session/collection.hpp"

namespace thalweg::session {

// A decomposition that is what was selected of another one.
struct PartOfDecomposition {
  int number = -1;
  int of = -1;  // as content_of
  std::vector<geometry::Selection> selections;
};

struct Declared {
  std::vector<geometry::Decomposition> decompositions;
  std::vector<int> content_of;  // of each decomposition, the first one that has the same cells on every rank
  std::vector<PartOfDecomposition> parts;
  std::list<Collection> collections;  // in order of opening
  std::vector<Collection*> ready;     // whose definitions have ended, by number
  std::list<Collection> failed;       // whose definitions ended with an error; their numbers are given again
  bool has_new = true;                // one was opened behind the last end of definitions, or there was none yet

  // It takes nothing more, and is none of the collections any longer; who has a handle of it is told so.
  void give_up(Collection& collection);
  Collection& at(int number) { return *std::next(collections.begin(), number); }
  // For reports; -1: no collection, or no variable, in particular.
  std::string title_of(int collection, int variable) const;
};

}  // namespace thalweg::session
