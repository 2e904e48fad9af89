#include "fields/units.hpp"

#include <udunits2.h>

#include <cmath>
#include <memory>

#include "base/error.hpp"
#include "base/private_library.hpp"

namespace thalweg::fields {
namespace {

constexpr const char* without_it = "leave 'units' of chosen fields out, or install it (Debian: libudunits2-0)";

class UnitsLibrary {
 public:
  UnitsLibrary() {
    const PrivateLibrary library("udunits2", THALWEG_UDUNITS2_LIBRARY, Lookup::in_itself_first, without_it);
#define THALWEG_LOAD(function) library.load(function, "ut_" #function)
    THALWEG_LOAD(set_error_message_handler);
    THALWEG_LOAD(ignore);
    THALWEG_LOAD(read_xml);
    THALWEG_LOAD(parse);
    THALWEG_LOAD(free);
    THALWEG_LOAD(are_convertible);
    THALWEG_LOAD(get_converter);
#undef THALWEG_LOAD
    library.load(convert, "cv_convert_double");
    library.load(free_converter, "cv_free");
    set_error_message_handler(ignore);
    system_ = read_xml(nullptr);
    if (system_ == nullptr)
      fail(THALWEG_ERROR_FORMAT,
           "udunits2 cannot read its table of units (Debian: libudunits2-data; the environment variable "
           "UDUNITS2_XML_PATH says where it is)");
  }

  using Unit = std::unique_ptr<ut_unit, decltype(&::ut_free)>;
  Unit unit(const std::string& text) const {
    Unit parsed(parse(system_, text.c_str(), UT_UTF8), free);
    if (parsed == nullptr) fail(THALWEG_ERROR_CONFIG, "'{}' is no unit that udunits2 knows", text);
    return parsed;
  }

  decltype(&::ut_set_error_message_handler) set_error_message_handler;
  decltype(&::ut_ignore) ignore;
  decltype(&::ut_read_xml) read_xml;
  decltype(&::ut_parse) parse;
  decltype(&::ut_free) free;
  decltype(&::ut_are_convertible) are_convertible;
  decltype(&::ut_get_converter) get_converter;
  decltype(&::cv_convert_double) convert;
  decltype(&::cv_free) free_converter;

 private:
  ut_system* system_ = nullptr;  // as long as the process
};

const UnitsLibrary& units_library() {
  static const UnitsLibrary library;
  return library;
}

std::string without_blanks(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

}  // namespace

// The scale is taken so far out that the offset is no part of it.
Linear conversion(const std::string& from, const std::string& to) {
  const UnitsLibrary& library = units_library();
  const UnitsLibrary::Unit own = library.unit(without_blanks(from)), other = library.unit(without_blanks(to));
  if (library.are_convertible(own.get(), other.get()) == 0) fail(THALWEG_ERROR_CONFIG, "they do not measure the same");
  const std::unique_ptr<cv_converter, decltype(&::cv_free)> converter(library.get_converter(own.get(), other.get()),
                                                                      library.free_converter);
  if (converter == nullptr) fail(THALWEG_ERROR_CONFIG, "udunits2 has no conversion between them");
  const auto converted = [&](double value) { return library.convert(converter.get(), value); };
  const double far = std::ldexp(1.0, 200);
  const Linear made{converted(far) / far, converted(0.0)};
  for (const double value : {-7.0, 3.0, 1000.0}) {
    const double wanted = converted(value);
    const double size = std::abs(made.scale * value) + std::abs(made.offset);
    if (std::isfinite(made.offset) && std::abs(made.of(value) - wanted) <= 1e-12 * size) continue;
    fail(THALWEG_ERROR_CONFIG, "no scale and offset make the one of the other");
  }
  return made;
}

bool has_own_zero(const std::string& units) {
  try {
    return conversion(units, fmt::format("(({}) m) / m", units)).offset != 0.0;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace thalweg::fields
