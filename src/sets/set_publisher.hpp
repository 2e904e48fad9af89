// The end of a set of files: when all parts have their names, the virtual master, which shows them as one file, gets
// its own, and what is left of an earlier set that had more parts goes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "storage/output_name.hpp"
#include "storage/part_name.hpp"

namespace thalweg::sets {

class SetPublisher : public block::SetPublication {
 public:
  // set: the name of the whole; numbers: of its parts, whose own names are locked by who makes them. What unfinished
  // runs left of further parts is kept aside. By the thread of the model: files are looked into by format libraries.
  // Errors: STORAGE.
  SetPublisher(storage::NameRules rules, const std::string& set, std::set<std::int64_t> numbers, bool durable);

  // The virtual master is made under this name, and then handed over. To be called before publish().
  std::string prepare_master();
  void own_master();
  // In place of both, for a set without a master: what has the name of the whole goes with the earlier set whose parts
  // it shows; else it is another run's, or a copy that was made of an earlier set, and stays; that is said.
  void look_at_other_whole();

  // By any thread. Errors: STORAGE.
  void publish() const override;
  // Nothing of the set is published.
  void discard() const override;

 private:
  void look_at_surplus();
  void remove_surplus() const;
  void remove(const std::string& path, const block::FileIdentity& seen, const char* why) const;

  storage::NameRules rules_;
  std::string set_;
  std::set<std::int64_t> numbers_;
  bool durable_;
  std::optional<storage::OutputName> master_;
  block::FileIdentity made_;
  std::map<std::string, block::FileIdentity> surplus_;  // parts of an earlier set that this one has not
  std::optional<block::FileIdentity> earlier_master_;   // which shows those that this one replaces
};

// Whether parts of a set lie beside its name that are known as such: complete, by a name as parts have, and by their
// own attribute that says how many files the set has, where the number is below that. By the thread of the model.
bool has_known_parts(const std::string& set);

}  // namespace thalweg::sets
