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

// How values of a variable are packed: what they mean is value * scale + offset.
struct InputPacking {
  bool is_packed;
  double scale;
  double offset;
};

// What an attribute says: a text or numbers.
struct InputAttribute {
  Type type;         // character: it is a text
  std::string text;  // of a text
  std::size_t count;
  const void* values;  // belong to the input

  bool is_text() const { return type == Type::character; }
  // The numbers, as values of one type; of a text, none.
  template <class Number = double>
  std::vector<Number> numbers() const {
    switch (type) {
      case Type::int8: return as<Number, std::int8_t>();
      case Type::int16: return as<Number, std::int16_t>();
      case Type::int32: return as<Number, std::int32_t>();
      case Type::int64: return as<Number, std::int64_t>();
      case Type::uint8: return as<Number, std::uint8_t>();
      case Type::uint16: return as<Number, std::uint16_t>();
      case Type::uint32: return as<Number, std::uint32_t>();
      case Type::uint64: return as<Number, std::uint64_t>();
      case Type::float32: return as<Number, float>();
      case Type::float64: return as<Number, double>();
      case Type::character: break;
    }
    return {};
  }

 private:
  template <class Number, class Stored>
  std::vector<Number> as() const {
    std::vector<Number> numbers;
    for (std::size_t i = 0; i < count; ++i)
      numbers.push_back(static_cast<Number>(static_cast<const Stored*>(values)[i]));
    return numbers;
  }
};

// How the arrays lie into which this rank gets a variable.
struct InputDeclaration {
  Decomposition decomposition;  // of the dimensions that it names; left out: every rank gets all of the variable
  std::string dims;             // what the model calls those in the file, slowest first; left out: as the file does
  std::string memory_dims;      // the same without that of records, as in memory; left out: as in dims
  std::string periodic;         // on which the last cell is followed by the first, separated by commas; or that fold
};

// A file, or a set of files, that is read. Movable; closed when it ends, or with its session. Its functions are local
// but for select and get; every client makes the same calls.
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

  // The times of all records, in seconds since reference-date. Error: FORMAT.
  std::vector<double> times() const {
    std::vector<double> times(static_cast<std::size_t>(records()));
    detail::check(thalweg_input_times(handle_, times.data()));
    return times;
  }

  // The names of all variables, in the order of the file.
  std::vector<std::string> variables() const {
    int number = 0;
    detail::check(thalweg_input_variables(handle_, &number));
    return names_of(number, [&](int i, const char** name) { return thalweg_input_variable_name(handle_, i, name); });
  }

  // The names of a variable's dimensions, slowest first, with the record dimension if it has one. Error: NAME.
  std::vector<std::string> dimensions(const std::string& variable) const {
    int number = 0;
    const char* names[THALWEG_MAX_RANK + 1];
    detail::check(thalweg_input_dimensions(handle_, detail::c_text(variable), &number, names));
    return {names, names + number};
  }

  // Error: NAME.
  InputPacking packing(const std::string& variable) const {
    int is_packed = 0;
    double scale = 1, offset = 0;
    detail::check(thalweg_input_packing(handle_, detail::c_text(variable), &is_packed, &scale, &offset));
    return {is_packed != 0, scale, offset};
  }

  // The names of the attributes of a variable, or of the file. Error: NAME.
  std::vector<std::string> attributes(const std::string& variable = "") const {
    int number = 0;
    detail::check(thalweg_input_attributes(handle_, detail::null_if_empty(variable), &number));
    return names_of(number, [&](int i, const char** name) {
      return thalweg_input_attribute_name(handle_, detail::null_if_empty(variable), i, name);
    });
  }

  // Of a variable, or of the file where its name is empty. Error: NAME, with the nearest names.
  InputAttribute attribute(const std::string& variable, const std::string& name) const {
    thalweg_type type{};
    int count = 0;
    const void* values = nullptr;
    detail::check(thalweg_input_attribute(handle_, detail::null_if_empty(variable), detail::c_text(name), &type, &count,
                                          &values));
    const auto size = static_cast<std::size_t>(count);
    const bool is_text = type == THALWEG_CHAR;
    return {static_cast<Type>(type), is_text ? std::string(static_cast<const char*>(values), size) : "", size, values};
  }

  // Says that only a part of a variable is got: "lon=-30:40, z=~500". Collective. Errors: ARGUMENT, NAME, FORMAT,
  // SHAPE, AGREEMENT, STORAGE.
  void select(const std::string& variable, const std::string& selection) {
    detail::check(thalweg_select_input(handle_, detail::c_text(variable), detail::null_if_empty(selection)));
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

  // As get, for box number box of a rank that declared several; one that has fewer gives an empty array.
  template <class Field>
  void get_box(const std::string& variable, std::int64_t record, int box, Field&& field, const Extents& extents = {}) {
    detail::pass_array("get_box", variable, field, extents, [&](thalweg_type type, const auto& view) {
      return thalweg_get_box(handle_, detail::c_text(variable), record, box, view.data(), type, view.rank(),
                             view.extents(), view.strides());
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

  // As get_at, for box number box of a rank that declared several; one that has fewer gives an empty array.
  template <class Field>
  void get_box_at(const std::string& variable, double time_s, int box, Field&& field, const Extents& extents = {}) {
    detail::pass_array("get_box_at", variable, field, extents, [&](thalweg_type type, const auto& view) {
      return thalweg_get_box_at(handle_, detail::c_text(variable), time_s, box, view.data(), type, view.rank(),
                                view.extents(), view.strides());
    });
  }

  // Closes it now, on this rank.
  void close() { detail::check(thalweg_close_input(&handle_)); }

 private:
  template <class Ask>
  static std::vector<std::string> names_of(int number, const Ask& ask) {
    std::vector<std::string> names;
    for (int i = 0; i < number; ++i) {
      const char* name = "";
      detail::check(ask(i, &name));
      names.emplace_back(name);
    }
    return names;
  }

  thalweg_input* handle_;
};

}  // namespace thw
#endif
