// Another grid on which a collection has its fields (`grid:` in the configuration): how values of their cells become
// those of its cells.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fields/defined_fields.hpp"
#include "fields/kept_statics.hpp"
#include "fields/static_values.hpp"
#include "fields/target_grid.hpp"
#include "read/inputs.hpp"
#include "remap/exchange.hpp"
#include "remap/shares.hpp"
#include "session/session.hpp"

namespace thalweg::fields {

// Of fields on one decomposition, whose cells lie in the same places.
struct Remapping {
  TargetGrid grid;
  std::vector<std::string> from{};  // the dimensions of the decomposition
  std::vector<std::string> left{};  // those of them that files do not have
  int decomposition = -1;           // of the grid; -1: it is one cell, which the first client has
  remap::Shares shares;
  Box own;  // this rank's share
  std::unique_ptr<remap::Exchange> exchange;
};

class OtherGrid {
 public:
  // All outlives this.
  OtherGrid(session::Session& session, read::Inputs& inputs, const config::CollectionSettings& collection,
            const DefinedFields& fields, const KeptStatics& statics)
      : session_(session), inputs_(inputs), collection_(collection), fields_(fields), statics_(statics) {}

  // Null: the field stays as it is. At the first time for its cells it is made, which is collective. Errors: CONFIG,
  // and those of inputs.
  const Remapping* of(const Field& field);
  // All fields of the collection have been asked for. Errors: CONFIG, if all stay as they are.
  void require_use() const;

 private:
  template <typename... Values>
  [[noreturn]] void refuse(fmt::format_string<Values...> text, Values&&... values) const;
  // Errors of what is made here say for what it is.
  template <typename Make>
  auto told(const Make& make) const;
  const config::GridSettings& grid() const { return collection_.fields.region.grid; }
  const roles::Circle& circle() const { return inputs_.around().circle; }

  Remapping make(const Field& field, const StaticValues::Coordinates& coordinates);
  void set_grid(Remapping& made, TargetGrid grid) const;
  remap::Rows by_weights(const Field& field, Remapping& made);
  remap::Rows by_points(const Field& field, const StaticValues::Coordinates& coordinates, Remapping& made);
  remap::Rows by_mean(const Field& field, Remapping& made);
  remap::Rows rows_of(const Remapping& made, std::vector<remap::Entry> entries, bool normalised = false) const;
  std::vector<std::string> names_of_mean() const;
  std::vector<double> weights_of(const Field& field) const;
  std::vector<remap::Entry> to_owners(const std::vector<remap::Entry>& entries, const remap::Shares& shares) const;

  session::Session& session_;
  read::Inputs& inputs_;
  const config::CollectionSettings& collection_;
  const DefinedFields& fields_;
  const KeptStatics& statics_;
  std::map<std::pair<int, StaticValues::Coordinates>, Remapping> made_;  // by decomposition and what places points
};

}  // namespace thalweg::fields
