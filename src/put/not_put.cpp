#include "put/not_put.hpp"

#include "base/error.hpp"
#include "base/log.hpp"

namespace thalweg::put {

void note_not_put(Puts& puts, VariablePuts& of, const std::string& before, profile::ClientCounters& counters) {
  ++of.missing;
  const bool is_first = counters.missing_puts++ == 0;
  const bool is_error = of.of.when_not_put == config::WhenNotPut::error && !puts.not_put;
  if (!is_first && !is_error) return;
  const std::string what = fmt::format("{}: not put before {}; filled with the fill value", of.of.where, before);
  if (is_first) log::warning("{} (all are summed up at the end)", what);
  if (is_error)
    puts.not_put = Error(THALWEG_ERROR_STATE,
                         what + ", and 'when-not-put' is 'error'; put it for every record, or set when-not-put: fill");
}

}  // namespace thalweg::put
