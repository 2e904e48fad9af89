// Codes, types, and how an error of Thalweg becomes thalweg.Error.
#include "handles.hpp"

namespace thalweg_python {
namespace {

// thalweg.Error is made in Python (thalweg/errors.py).
void raise_error(const thw::Exception& exception) {
  const char* text = exception.what();
  const auto size = static_cast<Py_ssize_t>(std::char_traits<char>::length(text));
  const nb::object decoded = nb::steal(PyUnicode_DecodeUTF8(text, size, "replace"));
  const nb::object error = nb::module_::import_("thalweg.errors").attr("Error")(nb::cast(exception.code()), decoded);
  PyErr_SetObject(error.type().ptr(), error.ptr());
}

}  // namespace

void add_errors(nb::module_& module) {
  nb::enum_<thalweg_status>(module, "Code", nb::is_arithmetic(), "What kind of error a thalweg.Error is.")
      .value("ARGUMENT", THALWEG_ERROR_ARGUMENT, "An argument that no run could accept.")
      .value("CONFIG", THALWEG_ERROR_CONFIG, "The configuration is wrong; the text lists every fault with its place.")
      .value("NAME", THALWEG_ERROR_NAME, "An unknown or doubly defined name.")
      .value("SHAPE", THALWEG_ERROR_SHAPE, "An array, box or type that does not fit what was declared.")
      .value("STATE", THALWEG_ERROR_STATE, "A call out of order.")
      .value("AGREEMENT", THALWEG_ERROR_AGREEMENT, "Ranks declared different things, overlapping boxes, or holes.")
      .value("MEMORY", THALWEG_ERROR_MEMORY, "The staging budget is too small, or memory could not be had.")
      .value("STORAGE", THALWEG_ERROR_STORAGE, "A file could not be created, written or published.")
      .value("DEADLINE", THALWEG_ERROR_DEADLINE,
             "A wait took longer than the deadline; the text says who waits for whom.")
      .value("FULL", THALWEG_ERROR_FULL, "No block was free and when-full is 'fail'.")
      .value("FORMAT", THALWEG_ERROR_FORMAT, "The format cannot hold what was asked; the text names one that can.")
      .value("MPI", THALWEG_ERROR_MPI, "An MPI call failed.")
      .value("PEER", THALWEG_ERROR_PEER, "Another rank of the node died.")
      .value("INTERNAL", THALWEG_ERROR_INTERNAL, "A fault of Thalweg itself: please report the text.");
  nb::enum_<thalweg_type>(module, "Type", "Types of elements, named as in NumPy.")
      .value("int8", THALWEG_INT8)
      .value("int16", THALWEG_INT16)
      .value("int32", THALWEG_INT32)
      .value("int64", THALWEG_INT64)
      .value("uint8", THALWEG_UINT8)
      .value("uint16", THALWEG_UINT16)
      .value("uint32", THALWEG_UINT32)
      .value("uint64", THALWEG_UINT64)
      .value("float32", THALWEG_FLOAT32)
      .value("float64", THALWEG_FLOAT64)
      .value("char", THALWEG_CHAR, "One byte of text: dtype S1.");
  nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    try {
      std::rethrow_exception(pointer);
    } catch (const thw::Exception& exception) {
      raise_error(exception);
    }
  });
}

}  // namespace thalweg_python
