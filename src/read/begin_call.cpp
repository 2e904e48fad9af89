#include "read/begin_call.hpp"

#include <optional>

#include "base/error.hpp"
#include "transport/agreement.hpp"

namespace thalweg::read {

void begin_call(const roles::Circle& circle, const std::function<std::string()>& begin) {
  std::string description;
  std::optional<Error> wrong;
  try {
    description = begin();
  } catch (...) {
    wrong = error_in_flight();
    description = wrong->what();
  }
  transport::check_same(circle, "calls that read", description, [&] {
    if (wrong) throw *wrong;
  });
}

}  // namespace thalweg::read
