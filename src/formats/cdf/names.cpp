// (source: "The NetCDF Classic Format Specification", name; PnetCDF and netCDF-C hold both formats to it)
#include "formats/cdf/names.hpp"

#include <utf8proc.h>

#include <cstdlib>
#include <memory>
#include <string_view>

#include "base/error.hpp"

namespace thalweg::formats::cdf {
namespace {

constexpr std::size_t longest_name = 256;  // NC_MAX_NAME of both libraries

bool is_of_ascii(char letter) {
  return static_cast<unsigned char>(letter) < 0x80;
}

bool may_begin(char letter) {
  return !is_of_ascii(letter) || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '_';
}

bool may_be_inside(char letter) {
  return !is_of_ascii(letter) || (letter >= ' ' && letter <= '~' && letter != '/');
}

// Why no file can have the name; empty: it can.
std::string_view fault_of(const std::string& name) {
  if (name.empty()) return "it is empty";
  if (name.size() > longest_name) return "it has more than 256 bytes";
  if (!may_begin(name.front())) return "it begins with something else than a letter, a digit or '_'";
  for (const char letter : name)
    if (!may_be_inside(letter)) return "it has a '/' or a control character";
  if (name.back() == ' ') return "it ends with a blank";
  return {};
}

// Empty: it is no UTF-8.
std::string composed(const std::string& name) {
  utf8proc_uint8_t* letters = nullptr;
  const utf8proc_ssize_t bytes =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(name.data()), std::ssize(name), &letters,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owned(letters, &std::free);
  return bytes < 0 ? std::string()
                   : std::string(reinterpret_cast<const char*>(letters), static_cast<std::size_t>(bytes));
}

}  // namespace

std::string Names::add(const std::string& name, const std::string& what) {
  std::string_view fault = fault_of(name);
  std::string in_file = fault.empty() ? composed(name) : std::string();
  if (fault.empty() && in_file.empty()) fault = "it is no UTF-8";
  // Composing may lengthen it, and readers have room for so many bytes.
  if (in_file.size() > longest_name) fault = "composed (NFC), as it is in files, it has more than 256 bytes";
  if (!fault.empty())
    fail(THALWEG_ERROR_FORMAT, "{} cannot have this name in the CDF file '{}': {}; choose another name", what, path_,
         fault);
  if (!taken_.insert(in_file).second)
    fail(THALWEG_ERROR_FORMAT, "{} has a name that something else of its kind has in '{}' already; choose another name",
         what, path_);
  return in_file;
}

}  // namespace thalweg::formats::cdf
