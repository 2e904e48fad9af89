// What a variable on another grid has been given of a record: values of the field's own cells, until the record is
// closed; then all clients make those of the grid's cells of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fields/other_grid.hpp"
#include "fields/source_cells.hpp"

namespace thalweg::fields {

// The dimensions of a variable on a grid: those of the field, with the grid's in place of those of its decomposition.
std::vector<std::string> dims_on(const Remapping& grid, const Field& field);

class RemappedOutput {
 public:
  // to: null in a sketch, which only keeps. held: how this rank's arrays of the field lie. sizes: of its dimensions.
  // parts: layers before those of the field; 0: none.
  RemappedOutput(const Remapping* to, const Field& field, const HeldField& held, const Dimensions& sizes, int parts);

  // values: of all of the box in the order of memory, as float64; NaN: none. Errors: STATE for what has one value in
  // the run, and has it already.
  void keep(int box, const std::vector<std::byte>& values);
  bool is_any() const { return is_any_; }
  void forget();
  void take_over(RemappedOutput& sketched);

  // How it is written.
  struct Written {
    std::string variable;
    Type type;
    Element fill;
    remap::MissingRule missing;
  };
  // Nothing is kept any more. Collective.
  void put(session::Session& session, session::Collection& collection, const Written& written);

 private:
  std::vector<double> layers() const;
  put::Field array_of(const std::vector<std::byte>& results, Type type) const;

  const Remapping* to_;
  std::string name_;  // of the field
  bool is_static_;
  std::vector<double> numbers_for_none_;
  Index layers_;   // of parts, and along dimensions of the field that the decomposition has not
  int place_ = 0;  // of the grid's dimensions among these
  std::vector<LayersOfBox> boxes_;
  std::vector<std::vector<double>> kept_;
  bool is_any_ = false;
  bool is_over_ = false;  // it is static, and in its file
};

}  // namespace thalweg::fields
