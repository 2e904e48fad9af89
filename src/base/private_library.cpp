#include "base/private_library.hpp"

#include <dlfcn.h>

#include "base/error.hpp"

namespace thalweg {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int own_symbols_first = 0;  // neither sanitizer works with it
#else
constexpr int own_symbols_first = RTLD_DEEPBIND;
#endif

}  // namespace

PrivateLibrary::PrivateLibrary(std::string_view name, std::string_view built_with, Lookup lookup,
                               std::string_view advice)
    : built_with_(built_with), advice_(advice) {
  const int how = RTLD_NOW | RTLD_LOCAL | (lookup == Lookup::in_itself_first ? own_symbols_first : 0);
  handle_ = dlopen(built_with_.c_str(), how);
  if (handle_ == nullptr) handle_ = dlopen(built_with_.c_str() + built_with_.rfind('/') + 1, how);
  if (handle_ == nullptr) fail(THALWEG_ERROR_FORMAT, "{} cannot be loaded: {}; {}", name, dlerror(), advice_);
}

bool PrivateLibrary::has(const char* symbol) const {
  return dlsym(handle_, symbol) != nullptr;
}

void* PrivateLibrary::address(const char* symbol) const {
  void* found = dlsym(handle_, symbol);
  if (found == nullptr)
    fail(THALWEG_ERROR_FORMAT, "{} has no {}: it is older than what Thalweg was built with; {}", built_with_, symbol,
         advice_);
  return found;
}

}  // namespace thalweg
