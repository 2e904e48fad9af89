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

// Numbers from here on are of parts that sketches alone have.
constexpr int first_sketched_part = 1 << 30;

struct Declared {
  std::vector<geometry::Decomposition> decompositions;
  std::vector<int> content_of;  // of each decomposition, the first one that has the same cells on every rank
  std::vector<PartOfDecomposition> parts;
  std::vector<PartOfDecomposition> sketched_parts;
  std::vector<geometry::Decomposition> sketched_decompositions;  // these
  std::list<Collection> collections;                             // in order of opening
  std::vector<Collection*> ready;                                // whose definitions have ended, by number
  std::list<Collection> sketched;  // of this rank alone, until one is opened in their place
  std::list<Collection> failed;    // whose definitions ended with an error; their numbers are given again
  bool has_new = true;             // one was opened behind the last end of definitions, or there was none yet

  // By its number, whether it is of all ranks or of a sketch.
  const geometry::Decomposition& decomposition(int number) const {
    return number < first_sketched_part
               ? decompositions[static_cast<std::size_t>(number)]
               : sketched_decompositions[static_cast<std::size_t>(number - first_sketched_part)];
  }
  // It takes nothing more, and is none of the collections any longer; who has a handle of it is told so.
  void give_up(Collection& collection);
  // The first advance stands at the start, for the initial record of one that is open or sketched.
  bool await_initial() const;
  Collection& at(int number) { return *std::next(collections.begin(), number); }
  // For reports; -1: no collection, or no variable, in particular.
  std::string title_of(int collection, int variable) const;
};

}  // namespace thalweg::session
