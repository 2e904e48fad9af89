// Collections: what they hold, and the fields that are put into them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "array.hpp"
#include "handles.hpp"

namespace thalweg_python {
namespace {

using Name = std::optional<std::string>;  // none: of the file

const char* c_text(const Name& name) {
  return name ? thw::detail::c_text(*name) : nullptr;
}

Collection open_collection(Session& session, const std::string& name) {
  return {&session, session.open().open_collection(name)};
}

Collection open_collection_text(Session& session, const std::string& name, const std::string& yaml) {
  return {&session, session.open().open_collection(name, yaml)};
}

void define_variable(Collection& collection, const std::string& name, const std::string& dims, thalweg_type type,
                     const Decomposition* decomposition, const Name& memory_dims) {
  collection.open().define_variable(name, dims, static_cast<thw::Type>(type),
                                    decomposition ? decomposition->open() : thw::Decomposition(),
                                    memory_dims.value_or(""));
}

void define_text(Collection& collection, const Name& variable, const std::string& name, const std::string& text) {
  thw::detail::check(thalweg_define_text(collection.c_handle(), c_text(variable), thw::detail::c_text(name),
                                         thw::detail::c_text(text)));
}

void change_text(Collection& collection, const Name& variable, const std::string& name, const std::string& text) {
  thw::detail::check(thalweg_change_text(collection.c_handle(), c_text(variable), thw::detail::c_text(name),
                                         thw::detail::c_text(text)));
}

void add_text(Collection& collection, const Name& variable, const std::string& name, const std::string& text) {
  thw::detail::check(
      thalweg_add_text(collection.c_handle(), c_text(variable), thw::detail::c_text(name), thw::detail::c_text(text)));
}

// values: an array of the type, without gaps.
void define_attribute(Collection& collection, const Name& variable, const std::string& name, thalweg_type type,
                      nb::handle values) {
  const Array array(values);
  const nb::gil_scoped_release release;
  thw::detail::check(thalweg_define_attribute(collection.c_handle(), c_text(variable), thw::detail::c_text(name), type,
                                              static_cast<int>(array.elements()), array.data()));
}

void change_attribute(Collection& collection, const Name& variable, const std::string& name, thalweg_type type,
                      nb::handle values) {
  const Array array(values);
  const nb::gil_scoped_release release;
  thw::detail::check(thalweg_change_attribute(collection.c_handle(), c_text(variable), thw::detail::c_text(name), type,
                                              static_cast<int>(array.elements()), array.data()));
}

void add_attribute(Collection& collection, const Name& variable, const std::string& name, thalweg_type type,
                   nb::handle values) {
  const Array array(values);
  const nb::gil_scoped_release release;
  thw::detail::check(thalweg_add_attribute(collection.c_handle(), c_text(variable), thw::detail::c_text(name), type,
                                           static_cast<int>(array.elements()), array.data()));
}

void set_procedure(Collection& collection, nb::callable procedure) {
  collection.open().set_procedure(collection.session->keep(std::make_unique<Procedure>(std::move(procedure))));
}

// Procedures of the process: servers call them in sessions that come, so they are never freed.
std::vector<Procedure*>& registered() {
  static std::vector<Procedure*> procedures;
  return procedures;
}

void register_procedure(const std::string& collection, nb::callable procedure) {
  registered().push_back(new Procedure(std::move(procedure)));
  thw::register_procedure(collection, *registered().back());
}

void leave_registered() {
  for (Procedure* procedure : registered()) procedure->close();
}

// values: an array of the type. It is read where it lies, and other threads of Python go on.
void put(Collection& collection, const std::string& variable, int box, thalweg_type type, nb::handle values) {
  const Array array(values);
  const nb::gil_scoped_release release;
  thw::detail::check(thalweg_put_box(collection.c_handle(), thw::detail::c_text(variable), box, array.data(), type,
                                     array.rank(), array.extents(), array.strides()));
}

// array: of the type. Whoever calls keeps it.
void register_array(Collection& collection, const std::string& variable, int box, thalweg_type type, nb::handle array) {
  const Array into(array, Array::Use::write);
  thw::detail::check(thalweg_register_box(collection.c_handle(), thw::detail::c_text(variable), box, into.data(), type,
                                          into.rank(), into.extents(), into.strides()));
}

double restore(Collection& collection, const std::optional<std::string>& path, std::optional<std::int64_t> record) {
  return collection.open().restore(path.value_or(""), record.value_or(thw::last_record));
}

}  // namespace

void add_collection(nb::module_& module) {
  nb::class_<Collection>(module, "Collection");
  module.def("open_collection", &open_collection, nb::arg("session"), nb::arg("name"), ReleaseGil(),
             nb::keep_alive<0, 1>());
  module.def("open_collection_text", &open_collection_text, nb::arg("session"), nb::arg("name"), nb::arg("yaml"),
             ReleaseGil(), nb::keep_alive<0, 1>());
  module.def(
      "define_dimension",
      [](Collection& of, const std::string& name, std::optional<std::int64_t> size) {
        of.open().define_dimension(name, size.value_or(thw::unlimited));
      },
      nb::arg("collection"), nb::arg("name"), nb::arg("size"), ReleaseGil());
  module.def("define_variable", &define_variable, nb::arg("collection"), nb::arg("name"), nb::arg("dims"),
             nb::arg("type"), nb::arg("decomposition").none(), nb::arg("memory_dims").none(), ReleaseGil());
  module.def("define_text", &define_text, nb::arg("collection"), nb::arg("variable").none(), nb::arg("name"),
             nb::arg("text"), ReleaseGil());
  module.def("change_text", &change_text, nb::arg("collection"), nb::arg("variable").none(), nb::arg("name"),
             nb::arg("text"), ReleaseGil());
  module.def("add_text", &add_text, nb::arg("collection"), nb::arg("variable").none(), nb::arg("name"), nb::arg("text"),
             ReleaseGil());
  module.def("define_attribute", &define_attribute, nb::arg("collection"), nb::arg("variable").none(), nb::arg("name"),
             nb::arg("type"), nb::arg("values"), MayReleaseGil());
  module.def("change_attribute", &change_attribute, nb::arg("collection"), nb::arg("variable").none(), nb::arg("name"),
             nb::arg("type"), nb::arg("values"), MayReleaseGil());
  module.def("add_attribute", &add_attribute, nb::arg("collection"), nb::arg("variable").none(), nb::arg("name"),
             nb::arg("type"), nb::arg("values"), MayReleaseGil());
  module.def(
      "set_procedure", &set_procedure, nb::arg("collection"), nb::arg("procedure"),
      nb::sig(
          "def set_procedure(collection: Collection, procedure: collections.abc.Callable[[Block], object]) -> None"));
  module.def("register_procedure", &register_procedure, nb::arg("collection"), nb::arg("procedure"),
             nb::sig("def register_procedure(collection: str, procedure: collections.abc.Callable[[Block], object]) -> "
                     "None"));
  module.def("leave_registered", &leave_registered, ReleaseGil());
  module.def("put", &put, nb::arg("collection"), nb::arg("variable"), nb::arg("box"), nb::arg("type"),
             nb::arg("values"), MayReleaseGil());
  module.def("register_array", &register_array, nb::arg("collection"), nb::arg("variable"), nb::arg("box"),
             nb::arg("type"), nb::arg("array"));
  module.def(
      "put_arrays", [](Collection& collection) { collection.open().put_arrays(); }, nb::arg("collection"),
      ReleaseGil());
  module.def("restore", &restore, nb::arg("collection"), nb::arg("path").none(), nb::arg("record").none(),
             ReleaseGil());
  module.def(
      "is_due", [](Collection& collection) { return collection.open().is_due(); }, nb::arg("collection"), ReleaseGil());
  module.def(
      "record", [](Collection& collection, double time_s) { collection.open().record(time_s); }, nb::arg("collection"),
      nb::arg("time_s"), ReleaseGil());
  module.def(
      "new_file", [](Collection& collection, const std::string& file) { collection.open().new_file(file); },
      nb::arg("collection"), nb::arg("file"), ReleaseGil());
  module.def(
      "close_file", [](Collection& collection) { collection.open().close_file(); }, nb::arg("collection"),
      ReleaseGil());
  module.def(
      "wait_collection", [](Collection& collection) { collection.open().wait(); }, nb::arg("collection"), ReleaseGil());
}

}  // namespace thalweg_python
