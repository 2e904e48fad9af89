// The variables that a model declares: what files have of each, and how the model holds it.
#pragma once

#include <string>
#include <vector>

#include "catalog/definition.hpp"
#include "catalog/dimensions.hpp"
#include "config/settings.hpp"

namespace thalweg::catalog {

// How the model holds a variable, beside what the file says. Its dimensions are those of the file, record left out,
// and those that an index list joins are one.
struct ModelSide {
  int decomposition = -1;         // number in the session; -1: replicated
  std::vector<int> decomposed;    // for each dimension: that of the decomposition, or -1
  std::vector<int> memory_place;  // for each dimension: its place among the dimensions of the model's array
  bool is_held = true;            // false: it is Thalweg's, for its attributes, and nobody puts it
};

// The part of a decomposition that a declaration needs.
struct DecompositionNames {
  int number = -1;
  const std::vector<std::string>* dimensions = nullptr;
  Index shape;
  bool masked = false;
  bool is_list = false;  // an index list, which joins its dimensions
};

class Variables {
 public:
  // All outlive this; the variables are those of `definition`.
  Variables(const config::CollectionSettings& settings, Dimensions& dimensions, Definition& definition)
      : settings_(settings), dimensions_(dimensions), definition_(definition) {}

  // Dimensions that are decomposed are defined with it. Errors: ARGUMENT, NAME, SHAPE.
  void define(const std::string& name, const std::string& dims, Type type, const DecompositionNames* decomposition,
              const std::string& memory_dims);
  // One that Thalweg says something by; nobody puts it.
  void add_container(Variable container);
  // The record dimension's, which Thalweg puts.
  void add_own_coordinate(Variable coordinate);
  // Drops what the configuration switched off.
  void remove_disabled();

  int find(const std::string& name) const;  // -1: none
  std::vector<std::string> names() const;
  bool is_disabled(const std::string& name) const;
  const ModelSide& model_side(int variable) const { return model_sides_[static_cast<std::size_t>(variable)]; }
  // Number of the record coordinate if it is Thalweg's own; else -1.
  int own_coordinate() const { return own_coordinate_; }
  // A box of its decomposition, in the dimensions of the variable, of which those that are joined are one.
  Box in_variable(int variable, const Box& box) const;

 private:
  void require_new(const std::string& name) const;
  bool take_record_dimension(const std::string& name, const std::string& dims, std::vector<std::string>& names) const;
  void set_dimensions(const std::vector<std::string>& names, const DecompositionNames* decomposition,
                      Variable& variable, ModelSide& side) const;
  void join(const std::vector<std::string>& names, const DecompositionNames& list, Variable& variable,
            ModelSide& side) const;
  void require_decomposed(const std::string& name, const std::string& dims, const DecompositionNames& decomposition,
                          const ModelSide& side) const;
  void set_memory_places(const Variable& variable, std::vector<std::string> dims, const std::string& memory_dims,
                         ModelSide& side) const;

  const config::CollectionSettings& settings_;
  Dimensions& dimensions_;
  Definition& definition_;
  std::vector<ModelSide> model_sides_;
  int own_coordinate_ = -1;
};

}  // namespace thalweg::catalog
