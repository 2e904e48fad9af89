// What the model declares about a collection, checked as it comes: dimensions, variables, attributes.
#pragma once

#include <string>
#include <vector>

#include "catalog/definition.hpp"
#include "catalog/encoding.hpp"
#include "config/settings.hpp"

namespace thalweg::catalog {

// How the model holds a variable, beside what the file says.
struct ModelSide {
  int decomposition = -1;         // number in the session; -1: replicated
  std::vector<int> decomposed;    // for each file dimension (record left out): dimension of the decomposition, or -1
  std::vector<int> memory_place;  // for each file dimension: its place among the dimensions of the model's array
  bool is_held = true;            // false: it is Thalweg's, for its attributes, and nobody puts it
};

// The part of a decomposition that a declaration needs.
struct DecompositionNames {
  int number = -1;
  const std::vector<std::string>* dimensions = nullptr;
  Index shape;
  bool masked = false;
};

class Declaration {
 public:
  explicit Declaration(config::CollectionSettings settings);

  void define_dimension(const std::string& name, std::int64_t size);
  void define_variable(const std::string& name, const std::string& dims, Type type,
                       const DecompositionNames* decomposition, const std::string& memory_dims);
  // variable "": of the file. Of the record dimension's coordinate also before anybody has defined it.
  void define_attribute(const std::string& variable, Attribute attribute);
  // The one that it has; null: none of this name. Errors: NAME for an unknown variable.
  const Attribute* attribute(const std::string& variable, const std::string& name) const;

  // Ends it: adds the coordinate of the record dimension if the model did not, drops what the configuration switched
  // off, says how values are rounded. Errors: CONFIG for configured variables that were never defined, NAME for one of
  // the model's that has the name of one that Thalweg adds.
  void finish(Calendar calendar, const Date& reference_date);

  // Gives or replaces an attribute after finish(): files that are made from now on have it. header_growth: bytes by
  // which it makes a header longer, taken from the header's reserve, so that all that lies behind the header stays
  // where it is. Errors: NAME for an unknown variable, and for what Thalweg says itself.
  void change_attribute(const std::string& variable, Attribute attribute, std::int64_t header_growth);
  // How many were changed: files that were made when it was another number have other attributes.
  std::int64_t changes() const { return changes_; }

  const Definition& definition() const { return definition_; }
  Definition& definition() { return definition_; }
  const config::CollectionSettings& settings() const { return settings_; }
  const ModelSide& model_side(int variable) const { return model_sides_[static_cast<std::size_t>(variable)]; }
  // A box of its decomposition, in the dimensions of the variable.
  Box in_variable(int variable, const Box& box) const;
  bool is_disabled(const std::string& variable) const;
  std::vector<std::string> variable_names() const;
  int find(const std::string& variable) const;  // -1: none
  // Number of the record coordinate if finish() added it, so that Thalweg puts it; else -1.
  int own_coordinate() const { return own_coordinate_; }
  Element fill_of(int variable) const { return catalog::fill_of(definition_.variable(variable)); }

  // One item a line, the same on ranks that declared the same.
  std::string description() const;

 private:
  int dimension(const std::string& variable, const std::string& name, const DecompositionNames* decomposition,
                int* decomposed);
  void require_new_variable(const std::string& name) const;
  void set_memory_places(const std::string& name, const std::vector<std::string>& dims, const std::string& memory_dims,
                         ModelSide& side) const;
  void add_record_coordinate(Calendar calendar, const Date& reference_date);
  std::size_t number_of_owner(const std::string& variable, const std::string& attribute) const;
  [[noreturn]] void refuse_attribute(const std::string& variable, const std::string& name, const char* reason) const;
  const char* reason_to_keep(const std::string& variable, const std::string& name) const;
  void remove_disabled();
  void set_encodings();
  void describe_rounding(std::size_t variable);
  void add_container(const RoundingWords& words);
  void check_chunk_names() const;
  void settle_checksums();

  config::CollectionSettings settings_;
  Definition definition_;
  std::vector<ModelSide> model_sides_;
  std::vector<Attribute> early_attributes_;  // of the record coordinate, which is not defined yet
  int own_coordinate_ = -1;
  std::int64_t changes_ = 0;
};

}  // namespace thalweg::catalog
