// What the core knows of formats, names and files (src/api/facts.hpp); the library is of the same version as this
// module.
#include "api/facts.hpp"

#include <nanobind/stl/string.h>

#include <cstdlib>
#include <string>

#include "handles.hpp"

namespace thalweg_python {
namespace {

// subject: bytes, as names of files are.
nb::bytes ask(const std::string& what, nb::bytes subject) {
  char* answer = nullptr;
  int code = THALWEG_OK;
  {
    const std::string asked_of(subject.c_str(), subject.size());
    const nb::gil_scoped_release release;
    code = thalweg_private_ask(what.c_str(), asked_of.c_str(), &answer);
  }
  thw::detail::check(code);
  const std::unique_ptr<char, decltype(&std::free)> owned(answer, &std::free);
  return nb::bytes(owned.get());
}

}  // namespace

void add_facts(nb::module_& module) {
  module.def("ask", &ask, nb::arg("what"), nb::arg("subject"));
}

}  // namespace thalweg_python
