// The module thalweg._core: the functions of thalweg.h, on handles. What users see is in python/thalweg.
#include "handles.hpp"

NB_MODULE(_core, module) {
  using namespace thalweg_python;
  // A session that is left by an exception is never freed (handles.hpp), and that is no news at the end of a program.
  nb::set_leak_warnings(false);
  add_errors(module);
  add_procedure(module);
  add_session(module);
  add_collection(module);
  add_field(module);
  add_input(module);
}
