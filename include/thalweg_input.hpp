// Thalweg: what is read. Part of thalweg.hpp.
//
//   auto restart = io.open_input("restart.nc");
//   restart.declare("temp", {cells});
//   restart.get("temp", restart.records() - 1, temp, {nj, ni});
#ifndef THALWEG_INPUT_HPP
#define THALWEG_INPUT_HPP

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "thalweg.h"
#include "thalweg_values.hpp"

namespace thw {

// The record of a variable that has none.
inline constexpr std::int64_t no_record = -1;

// What a variable of an input is: its type in the file, and its extents without those of records, slowest first.
struct InputVariable {
  Type type;
  bool has_records;
  Extents shape;
};

// How the arrays lie into which this rank gets a variable.
struct InputDeclaration {
  Decomposition decomposition;  // of the dimensions that it names; left out: every rank gets all of the variable
  std::string dims;             // what the model calls those in the file, slowest first; left out: as the file does
  std::string memory_dims;      // the same without that of records, as in memory; left out: as in dims
  std::string periodic;         // on which the last cell is followed by the first, separated by commas
};

// A file, or a set of files, that is read. Movable; closed when it ends, or with its session. Its functions are local
// but for get; every client makes the same calls.
class Input {
 public:
  explicit Input(thalweg_input* handle) : handle_(handle) {}
  Input(Input&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  Input& operator=(Input&&) = delete;
  // A session that is finished has closed it, which the call finds out.
  ~Input() {
    if (handle_) thalweg_close_input(&handle_);
  }
  thalweg_input* c_handle() const { return handle_; }

  // The number of records; 0 without a record dimension.
  std::int64_t records() const {
    std::int64_t records = 0;
    detail::check(thalweg_input_records(handle_, &records));
    return records;
  }

  // Error: NAME, with the nearest names.
  InputVariable variable(const std::string& name) const {
    thalweg_type type{};
    int has_records = 0, rank = 0;
    std::int64_t shape[THALWEG_MAX_RANK];
    detail::check(thalweg_input_variable(handle_, detail::c_text(name), &type, &has_records, &rank, shape));
    return {static_cast<Type>(type), has_records != 0, std::vector<std::int64_t>(shape, shape + rank)};
  }

  // The number of the record whose time is time_s, in seconds since reference-date. Errors: NAME, FORMAT.
  std::int64_t record_at(double time_s) const {
    std::int64_t record = 0;
    detail::check(thalweg_input_record_at(handle_, time_s, &record));
    return record;
  }

  // Declares how the arrays lie; again, for another decomposition. Errors: NAME, SHAPE.
  void declare(const std::string& variable, const InputDeclaration& arrays) {
    detail::check(thalweg_declare_input(handle_, detail::c_text(variable), detail::null_if_empty(arrays.dims),
                                        arrays.decomposition.c_handle(), detail::null_if_empty(arrays.memory_dims),
                                        detail::null_if_empty(arrays.periodic)));
  }

  // What get gives in place of missing values. Errors: NAME, SHAPE.
  void set_missing(const std::string& variable, double value) {
    detail::check(thalweg_set_missing(handle_, detail::c_text(variable), value));
  }

  // Gets this rank's part of a variable into an array, which is what put takes, and not const. Collective: a rank that
  // holds nothing gives an empty one. record: its number from 0, or thw::no_record. Errors: NAME, SHAPE, ARGUMENT,
  // AGREEMENT, STORAGE, FORMAT, DEADLINE.
  template <class Field>
  void get(const std::string& variable, std::int64_t record, Field&& field, const Extents& extents = {}) {
    detail::pass_array("get", variable, field, extents, [&](thalweg_type type, const auto& view) {
      return thalweg_get(handle_, detail::c_text(variable), record, view.data(), type, view.rank(), view.extents(),
                         view.strides());
    });
  }

  // The same of the field as it is at a time, in seconds since reference-date: see thalweg_get_at. Collective where a
  // record is needed that this rank has not yet, else local.
  template <class Field>
  void get_at(const std::string& variable, double time_s, Field&& field, const Extents& extents = {}) {
    detail::pass_array("get_at", variable, field, extents, [&](thalweg_type type, const auto& view) {
      return thalweg_get_at(handle_, detail::c_text(variable), time_s, view.data(), type, view.rank(), view.extents(),
                            view.strides());
    });
  }

  // Closes it now, on this rank.
  void close() { detail::check(thalweg_close_input(&handle_)); }

 private:
  thalweg_input* handle_;
};

}  // namespace thw
#endif
