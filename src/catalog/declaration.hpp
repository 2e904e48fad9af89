// What the model declares about a collection, checked as it comes.
#pragma once

#include <string>

#include "catalog/attributes.hpp"
#include "catalog/definition.hpp"
#include "catalog/dimensions.hpp"
#include "catalog/variables.hpp"
#include "config/settings.hpp"

namespace thalweg::catalog {

class Declaration {
 public:
  explicit Declaration(config::CollectionSettings settings);
  Declaration(const Declaration&) = delete;
  Declaration& operator=(const Declaration&) = delete;

  // size: THALWEG_UNLIMITED for the record dimension. Errors: ARGUMENT, NAME; STATE for that one behind a variable.
  void define_dimension(const std::string& name, std::int64_t size);
  // See Dimensions.
  void offer_dimension(const std::string& name, std::int64_t size) { dimensions_.offer(name, size); }
  void define_variable(const std::string& name, const std::string& dims, Type type,
                       const DecompositionNames* decomposition, const std::string& memory_dims);
  void define_attribute(const std::string& variable, Attribute attribute) {
    attributes_.define(owner_in_files(variable), std::move(attribute));
  }
  // What the attributes of a variable of the program's belong to: its name for the record dimension may be another one.
  const std::string& owner_in_files(const std::string& variable) const;

  // Ends it: adds attributes of the configuration, and the coordinate of the record dimension if the model did not,
  // drops what the configuration switched off, says how values are rounded. Errors: CONFIG for configured variables
  // that were never defined, NAME for one of the model's that has the name of one that Thalweg adds.
  void finish(Calendar calendar, const Date& reference_date);

  const Variables& variables() const { return variables_; }
  const Attributes& attributes() const { return attributes_; }
  Attributes& attributes() { return attributes_; }
  const config::CollectionSettings& settings() const { return settings_; }

  // All of them as files have them.
  const Definition& definition() const { return definition_; }
  Definition& definition() { return definition_; }
  const ModelSide& model_side(int variable) const { return variables_.model_side(variable); }
  Box in_variable(int variable, const Box& box) const { return variables_.in_variable(variable, box); }
  int own_coordinate() const { return variables_.own_coordinate(); }
  Element fill_of(int variable) const { return catalog::fill_of(definition_.variable(variable)); }
  std::int64_t changes() const { return attributes_.changes(); }

  // One item a line, the same on ranks that declared the same.
  std::string description() const;

 private:
  void name_record_dimension(const std::string& name);
  std::string names_in_files(const std::string& dims) const;
  void require_configured() const;
  void add_configured_attributes();
  void add_record_coordinate(Calendar calendar, const Date& reference_date);
  void set_encodings();

  config::CollectionSettings settings_;
  std::string record_name_;  // of the record dimension, as the program says it; empty: it says none
  Definition definition_;
  Dimensions dimensions_;
  Variables variables_;
  Attributes attributes_;
};

}  // namespace thalweg::catalog
