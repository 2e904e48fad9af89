// A library that Thalweg opens at run time for itself alone: nobody else gets its symbols. The program, or what is
// loaded before it, may have functions of the same names, those of another build of the library or wrappers of it. They
// stay the program's, and Thalweg's calls do not end up there.
#pragma once

#include <string>
#include <string_view>

namespace thalweg {

// Where the library itself looks for what it calls.
enum class Lookup {
  in_itself_first,   // so that its calls to itself do not end up in the program either
  in_program_first,  // for one that compares MPI's objects: a program may have them in its own memory (copy
                     // relocations)
};

class PrivateLibrary {
 public:
  // built_with: where it was when Thalweg was built; else it is wherever the system finds its name. advice: what to do
  // without it, for messages. Errors: FORMAT.
  PrivateLibrary(std::string_view name, std::string_view built_with, Lookup lookup, std::string_view advice);

  template <typename Function>
  void load(Function& function, const char* symbol) const {
    function = reinterpret_cast<Function>(address(symbol));
  }
  bool has(const char* symbol) const;

 private:
  void* address(const char* symbol) const;

  std::string built_with_;
  std::string advice_;
  void* handle_ = nullptr;
};

}  // namespace thalweg
