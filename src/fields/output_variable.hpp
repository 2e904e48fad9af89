// A variable of a collection into which values of a field go: how this rank's boxes of it lie, and where those go.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "fields/choice.hpp"
#include "fields/dimensions_of_fields.hpp"
#include "fields/remapped_output.hpp"
#include "session/session.hpp"

namespace thalweg::fields {

class OutputVariable {
 public:
  // Where the variable is on another grid: how the field is held, and what becomes of it.
  struct OnGrid {
    HeldField held;
    RemappedOutput remapped;
  };
  // It is defined in the collection. Both outlive this.
  OutputVariable(session::Session& session, session::Collection& collection, Chosen chosen, std::optional<OnGrid> grid);

  const Chosen& chosen() const { return chosen_; }
  const session::Collection& collection() const { return collection_; }
  // Among those of the collection.
  int number() const { return collection_.declaration.variables().find(chosen_.variable); }
  // By the collection's variable, but for its parts of the day; on another grid by the field.
  const HeldField& held() const { return held_; }
  // How many dimensions it has before those of the field.
  int leading() const { return chosen_.day_parts != 0 ? 1 : 0; }
  // What it has for the coming record on another grid; null: it is on the model's.
  RemappedOutput* remapped() { return remapped_ ? &*remapped_ : nullptr; }

  // As which values a box is kept until it is put, and what stands for none.
  struct KeptAs {
    Type type;
    Element fill;
  };
  KeptAs kept_as() const;

  // An array of the model goes into the record as it is.
  void put(int box, const put::Field& array);
  // So does what was kept of all of the box, in the order of the model's memory without halo; on another grid it stays
  // until the record is closed.
  void put(int box, const std::vector<std::byte>& kept);

  // What a sketch has for the record is this one's.
  void take_over(OutputVariable& sketched);

 private:
  session::Session& session_;
  session::Collection& collection_;
  Chosen chosen_;
  HeldField held_;
  std::optional<RemappedOutput> remapped_;
};

}  // namespace thalweg::fields
