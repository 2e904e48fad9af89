// Recovery of what a killed run left behind.
#include "api/funnel.hpp"
#include "base/log.hpp"
#include "formats/recover_name.hpp"
#include "storage/partial_name.hpp"

using namespace thalweg;

int thalweg_recover(const char* partial, int64_t* records) {
  WithoutSizeSignal::look_at_limit();
  return api::funnel([&] {
    const std::string path = api::required_text(partial, "partial");
    const std::string target = storage::complete_name(path);
    if (target.empty() || target == path)
      fail(THALWEG_ERROR_ARGUMENT, "'{}' does not end in '.partial': only what a killed run left behind is recovered",
           path);
    const std::int64_t whole = formats::recover_name(path, target);
    if (whole == 0)
      log::warning(
          "no record of '{}' is whole, and nothing says which of its values without records were written: those that "
          "were not are fill value, or zero",
          target);
    if (records != nullptr) *records = whole;
  });
}
