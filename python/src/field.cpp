// Fields of a session, of which the configuration chooses what collections have.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "array.hpp"
#include "handles.hpp"

namespace thalweg_python {
namespace {

Field define_field(Session& session, const std::string& name, const std::string& dims, thalweg_type type,
                   const Decomposition* decomposition, const std::optional<std::string>& memory_dims, bool is_static) {
  return {&session, session.open().define_field(name, dims, static_cast<thw::Type>(type),
                                                decomposition ? decomposition->open() : thw::Decomposition(),
                                                memory_dims.value_or(""),
                                                is_static ? thw::InTime::is_static : thw::InTime::varies)};
}

// values: an array of the type, without gaps.
void define_field_attribute(Field& field, const std::string& name, thalweg_type type, nb::handle values) {
  const Array array(values);
  thw::detail::check(thalweg_define_field_attribute(field.open().c_handle(), thw::detail::c_text(name), type,
                                                    static_cast<int>(array.elements()), array.data()));
}

// As put_field, on terms. mask: an array of its type, of the same shape, or none.
void put_field_on(Field& field, int box, std::optional<double> weight, thalweg_type mask_type, nb::handle mask,
                  const std::optional<std::vector<std::int64_t>>& start, thalweg_type type, nb::handle values) {
  const Array array(values);
  std::optional<Array> holds;
  thalweg_put_terms terms{weight ? &*weight : nullptr, nullptr, mask_type, nullptr, start ? start->data() : nullptr};
  if (!mask.is_none()) {
    holds.emplace(mask);
    terms.mask = holds->data();
    terms.mask_stride = holds->strides();
  }
  thalweg_field* const handle = field.open().c_handle();
  const nb::gil_scoped_release release;
  thw::detail::check(
      thalweg_put_field_on(handle, box, &terms, array.data(), type, array.rank(), array.extents(), array.strides()));
}

// values: an array of the type. It is read where it lies, and other threads of Python go on.
void put_field(Field& field, int box, thalweg_type type, nb::handle values) {
  const Array array(values);
  thalweg_field* const handle = field.open().c_handle();
  const nb::gil_scoped_release release;
  thw::detail::check(
      thalweg_put_field(handle, box, array.data(), type, array.rank(), array.extents(), array.strides()));
}

}  // namespace

void add_field(nb::module_& module) {
  nb::class_<Field>(module, "Field");
  module.def(
      "define_field_dimension",
      [](Session& session, const std::string& name, std::int64_t size) {
        session.open().define_field_dimension(name, size);
      },
      nb::arg("session"), nb::arg("name"), nb::arg("size"));
  module.def("define_field", &define_field, nb::arg("session"), nb::arg("name"), nb::arg("dims"), nb::arg("type"),
             nb::arg("decomposition").none(), nb::arg("memory_dims").none(), nb::arg("is_static"),
             nb::keep_alive<0, 1>());
  module.def(
      "define_field_text",
      [](Field& field, const std::string& name, const std::string& text) { field.open().define_attribute(name, text); },
      nb::arg("field"), nb::arg("name"), nb::arg("text"));
  module.def("define_field_attribute", &define_field_attribute, nb::arg("field"), nb::arg("name"), nb::arg("type"),
             nb::arg("values"));
  module.def("put_field", &put_field, nb::arg("field"), nb::arg("box"), nb::arg("type"), nb::arg("values"),
             MayReleaseGil());
  module.def("put_field_on", &put_field_on, nb::arg("field"), nb::arg("box"), nb::arg("weight").none(),
             nb::arg("mask_type"), nb::arg("mask").none(), nb::arg("start").none(), nb::arg("type"), nb::arg("values"),
             MayReleaseGil());
  module.def(
      "step", [](Session& session, double end_s) { session.open().step(end_s); }, nb::arg("session"), nb::arg("end_s"),
      ReleaseGil());
  module.def("checkpoint", [](Session& session) { session.open().checkpoint(); }, nb::arg("session"), ReleaseGil());
  module.def("is_wanted", [](Field& field) { return field.open().is_wanted(); }, nb::arg("field"));
  module.def("is_wanted_now", [](Field& field) { return field.open().is_wanted_now(); }, nb::arg("field"));
}

}  // namespace thalweg_python
