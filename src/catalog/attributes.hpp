// The attributes that a model declares, of variables and of the file, and how they change from file to file.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "base/fingerprint.hpp"
#include "catalog/definition.hpp"
#include "catalog/variables.hpp"
#include "config/settings.hpp"

namespace thalweg::catalog {

class Attributes {
 public:
  // All outlive this; the attributes are those of `definition`.
  Attributes(const config::CollectionSettings& settings, const Variables& variables, Definition& definition)
      : settings_(settings), variables_(variables), definition_(definition) {}

  // variable "": of the file. Of the record dimension's coordinate also before anybody has defined it.
  void define(const std::string& variable, Attribute attribute);
  // What was said of the record coordinate before, which is defined now. Errors: NAME if it is not, and for what
  // Thalweg says itself of its own.
  void give_early();

  // Gives or replaces an attribute after the end of definitions: files that are made from now on have it.
  // header_growth: bytes by which it makes a header longer, taken from the header's reserve, so that all that lies
  // behind the header stays where it is. Errors: NAME for an unknown variable, and for what Thalweg says itself.
  void change(const std::string& variable, Attribute attribute, std::int64_t header_growth);
  // How many were changed: files that were made when it was another number have other attributes.
  std::int64_t changes() const { return changes_; }

  // The open file of this number is given an attribute, which makes its header longer by no more than so many bytes.
  // Errors: NAME, as of change(); FORMAT where the header has no room for it.
  void add(std::int64_t file, const std::string& variable, const Attribute& attribute, std::int64_t bytes);
  // Which attributes open files were given, for ranks to compare; empty: none.
  std::string description_of_added() const;

  // The one that it has; null: none of this name. Errors: NAME for an unknown variable.
  const Attribute* find(const std::string& variable, const std::string& name) const;
  // Of the record coordinate, which is not defined yet.
  const std::vector<Attribute>& early() const { return early_; }

 private:
  std::size_t number_of_owner(const std::string& variable, const std::string& attribute) const;
  void require_changeable(const std::string& variable, const std::string& name) const;
  void take_from_reserve(std::int64_t file, const std::string& variable, const std::string& name, std::int64_t bytes);
  const char* reason_to_keep(const std::string& variable, const std::string& name) const;

  const config::CollectionSettings& settings_;
  const Variables& variables_;
  Definition& definition_;
  std::vector<Attribute> early_;
  std::int64_t changes_ = 0;
  // The least that the header of any file so far had left for more.
  std::int64_t least_reserve_ = std::numeric_limits<std::int64_t>::max();
  struct Added {
    std::int64_t file = -1;                     // the last one that was given any
    std::map<std::string, std::int64_t> bytes;  // of its header, by owner and name
    std::int64_t count = 0;
    std::string last;  // its name
    Fingerprint all;   // names; values may be those of a rank, such as how long it waited
  } added_;
};

}  // namespace thalweg::catalog
