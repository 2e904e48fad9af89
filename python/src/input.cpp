// Inputs: what is in them, and the fields that are got from them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "array.hpp"
#include "handles.hpp"

namespace thalweg_python {
namespace {

using Text = std::optional<std::string>;

Input open_input(Session& session, const std::string& path) {
  return {&session, session.open().open_input(path)};
}

std::tuple<thalweg_type, bool, std::vector<std::int64_t>> input_variable(Input& input, const std::string& name) {
  const thw::InputVariable found = input.open().variable(name);
  return {static_cast<thalweg_type>(found.type), found.has_records, {found.shape.begin(), found.shape.end()}};
}

// Of the values the bytes; those of a text, which may be in any encoding, too.
using Attribute = std::tuple<std::string, thalweg_type, nb::bytes>;

std::vector<Attribute> input_attributes(Input& input, const std::string& variable) {
  constexpr std::size_t bytes_of[] = {0, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 1};  // by the numbers of types
  std::vector<Attribute> attributes;
  for (const std::string& name : input.open().attributes(variable)) {
    const thw::InputAttribute found = input.open().attribute(variable, name);
    const auto type = static_cast<thalweg_type>(found.type);
    attributes.emplace_back(name, type,
                            nb::bytes(static_cast<const char*>(found.values), found.count * bytes_of[type]));
  }
  return attributes;
}

std::tuple<bool, double, double> input_packing(Input& input, const std::string& variable) {
  const thw::InputPacking packing = input.open().packing(variable);
  return {packing.is_packed, packing.scale, packing.offset};
}

void add_contents(nb::module_& module) {
  module.def("input_variables", [](Input& input) { return input.open().variables(); }, nb::arg("input"));
  module.def(
      "input_dimensions", [](Input& input, const std::string& variable) { return input.open().dimensions(variable); },
      nb::arg("input"), nb::arg("variable"));
  module.def("input_packing", &input_packing, nb::arg("input"), nb::arg("variable"));
  module.def("input_attributes", &input_attributes, nb::arg("input"), nb::arg("variable"));
  module.def("input_times", [](Input& input) { return input.open().times(); }, nb::arg("input"));
  module.def(
      "select_input",
      [](Input& input, const std::string& variable, const Text& selection) {
        input.open().select(variable, selection.value_or(""));
      },
      nb::arg("input"), nb::arg("variable"), nb::arg("selection").none(), ReleaseGil());
}

void declare_input(Input& input, const std::string& variable, const Text& dims, const Decomposition* decomposition,
                   const Text& memory_dims, const Text& periodic) {
  input.open().declare(variable, {decomposition ? decomposition->open() : thw::Decomposition(), dims.value_or(""),
                                  memory_dims.value_or(""), periodic.value_or("")});
}

// array: of the type. It is written where it lies, and other threads of Python go on.
void get(Input& input, const std::string& variable, std::optional<std::int64_t> record, int box, thalweg_type type,
         nb::handle array) {
  const Array into(array, Array::Use::write);
  const nb::gil_scoped_release release;
  thw::detail::check(thalweg_get_box(input.open().c_handle(), thw::detail::c_text(variable),
                                     record.value_or(thw::no_record), box, into.data(), type, into.rank(),
                                     into.extents(), into.strides()));
}

void get_at(Input& input, const std::string& variable, double time_s, int box, thalweg_type type, nb::handle array) {
  const Array into(array, Array::Use::write);
  const nb::gil_scoped_release release;
  thw::detail::check(thalweg_get_box_at(input.open().c_handle(), thw::detail::c_text(variable), time_s, box,
                                        into.data(), type, into.rank(), into.extents(), into.strides()));
}

}  // namespace

void add_input(nb::module_& module) {
  nb::class_<Input>(module, "Input");
  module.def("open_input", &open_input, nb::arg("session"), nb::arg("path"), ReleaseGil(), nb::keep_alive<0, 1>());
  module.def("input_records", [](Input& input) { return input.open().records(); }, nb::arg("input"));
  module.def("input_variable", &input_variable, nb::arg("input"), nb::arg("variable"));
  module.def(
      "input_record_at", [](Input& input, double time_s) { return input.open().record_at(time_s); }, nb::arg("input"),
      nb::arg("time_s"));
  module.def("declare_input", &declare_input, nb::arg("input"), nb::arg("variable"), nb::arg("dims").none(),
             nb::arg("decomposition").none(), nb::arg("memory_dims").none(), nb::arg("periodic").none(), ReleaseGil());
  module.def(
      "set_missing",
      [](Input& input, const std::string& variable, double value) { input.open().set_missing(variable, value); },
      nb::arg("input"), nb::arg("variable"), nb::arg("value"), ReleaseGil());
  module.def("get", &get, nb::arg("input"), nb::arg("variable"), nb::arg("record").none(), nb::arg("box"),
             nb::arg("type"), nb::arg("array"), MayReleaseGil());
  module.def("get_at", &get_at, nb::arg("input"), nb::arg("variable"), nb::arg("time_s"), nb::arg("box"),
             nb::arg("type"), nb::arg("array"), MayReleaseGil());
  add_contents(module);
  module.def("close_input", [](Input& input) { input.open().close(); }, nb::arg("input"), ReleaseGil());
}

}  // namespace thalweg_python
