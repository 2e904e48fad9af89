#include "base/log.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <string_view>

#include "base/told_calls.hpp"

namespace thalweg::log {
namespace {

spdlog::level::level_enum spdlog_level(Level level) {
  switch (level) {
    case Level::error: return spdlog::level::err;
    case Level::warning: return spdlog::level::warn;
    case Level::note: return spdlog::level::info;
    case Level::debug: return spdlog::level::debug;
  }
  return spdlog::level::info;
}

spdlog::level::level_enum threshold_from_environment() {
  const char* wanted = std::getenv("THALWEG_LOG");
  const std::string_view level = wanted == nullptr ? "note" : wanted;
  if (level == "error") return spdlog::level::err;
  if (level == "warning") return spdlog::level::warn;
  if (level == "debug") return spdlog::level::debug;
  return spdlog::level::info;
}

// A logger of our own, so that a model that uses spdlog itself keeps its settings.
spdlog::logger& logger() {
  static spdlog::logger* instance = [] {
    auto* made = new spdlog::logger("thalweg", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("thalweg: %v");
    made->set_level(threshold_from_environment());
    return made;
  }();
  return *instance;
}

}  // namespace

bool enabled(Level level) {
  return logger().should_log(spdlog_level(level));
}

void write(Level level, const std::string& text) {
  logger().log(spdlog_level(level), told::calls(text));
}

}  // namespace thalweg::log
