// How much memory a process has had at most, as the system counts it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace thalweg::profile {

// Bytes, from the text of /proc/self/status; nothing where it does not say.
std::optional<std::int64_t> high_water_in(std::string_view status);

// Of this process, pages that it shares with others included.
std::int64_t memory_high_water();

}  // namespace thalweg::profile
