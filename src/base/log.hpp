// The library's log: a few lines for the person who runs the model, on standard error, from the ranks that have
// something to say. THALWEG_LOG = error | warning | note (default) | debug.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

namespace thalweg::log {

enum class Level { error, warning, note, debug };

void write(Level level, const std::string& text);
bool enabled(Level level);

template <typename... Args>
void warning(fmt::format_string<Args...> format, Args&&... args) {
  if (enabled(Level::warning)) write(Level::warning, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void note(fmt::format_string<Args...> format, Args&&... args) {
  if (enabled(Level::note)) write(Level::note, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void debug(fmt::format_string<Args...> format, Args&&... args) {
  if (enabled(Level::debug)) write(Level::debug, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace thalweg::log
