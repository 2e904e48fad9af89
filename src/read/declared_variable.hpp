// How the model holds a variable of an input: which of its cells, and how its arrays lie.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/joined_dimensions.hpp"
#include "geometry/plan.hpp"
#include "put/field_view.hpp"
#include "read/contents.hpp"
#include "read/needs.hpp"
#include "read/placing.hpp"

namespace thalweg::read {

// What the model says; empty: as the file does, or none.
struct HeldAs {
  std::string dims;
  int decomposition = -1;  // number in the session
  std::string memory_dims;
  std::string periodic;    // names, and "NAME=fold PIVOT POINT [SIGN]" for a northern fold
  bool is_packed = false;  // values stay as the file has them, whatever scale_factor and add_offset say
};

class DeclaredVariable {
 public:
  // decomposition: null for none; it is not needed later. path: of the input, for messages. Errors: NAME, SHAPE.
  DeclaredVariable(const InputVariable& variable, const HeldAs& held, const geometry::Decomposition* decomposition,
                   const std::string& path);

  const JoinedDimensions& joined() const { return joined_; }
  // The same for variables whose plans are the same on every rank.
  std::string plan_key(int box = 0) const { return box == 0 ? plan_key_ : fmt::format("{}, box {}", plan_key_, box); }
  const std::string& description() const { return description_; }

  // Signs of values change beyond the fold, which unsigned ones cannot.
  bool changes_signs() const { return ends_.fold && ends_.fold->mirror.is_negated; }
  bool is_packed() const { return is_packed_; }  // as HeldAs says
  bool is_list() const { return list_ != nullptr; }
  int boxes() const { return static_cast<int>(boxes_.size()); }
  // This rank has some of it in its box of this number; of a list it has one.
  bool is_held(int box = 0) const {
    return box >= 0 && box < boxes() && !boxes_[static_cast<std::size_t>(box)].empty();
  }
  Wanted wanted(int box = 0) const;
  // The array of a box that is held, checked. Errors: SHAPE; the text begins with `where`.
  Target target(const put::Field& field, const std::string& where, int box = 0) const;

  // Of a list: points that it has again get what their first places have got.
  void place_copies(const Target& target) const {
    if (list_) read::place_copies(list_->copies, along_list(), target);
  }

 private:
  void take_names(const InputVariable& variable, const HeldAs& held, const geometry::Decomposition* decomposition,
                  const std::string& path);
  void take_ends(const std::vector<std::string>& names, const HeldAs& held, const InputVariable& variable,
                 const std::string& where);
  void take_fold(std::string_view words, const InputVariable& variable, int rows, const std::string& where);
  void require_columns(const std::vector<std::string>& names, const std::string& where);
  void take_halo(const geometry::Decomposition& decomposition);
  int along_list() const {
    return static_cast<int>(std::ranges::find(rules_.decomposed, 0) - rules_.decomposed.begin());
  }

  std::string name_;
  Index shape_;  // with joined dimensions
  JoinedDimensions joined_;
  put::FieldRules rules_;
  Ends ends_;                                        // of the dimensions of the shape
  std::vector<Box> boxes_;                           // of this rank, in the shape
  Index low_, high_;                                 // their halo
  std::shared_ptr<const geometry::IndexList> list_;  // that this rank holds; null: boxes
  bool is_packed_ = false;
  std::string plan_key_;
  std::string description_;
};

}  // namespace thalweg::read
