// Which file of a cycle a run replaces first.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "formats/record_times.hpp"

namespace thalweg::files {

// The first one, counted from 0, that is not there; else the latest of a later time than the start of the run, which
// another experiment has left, and which is said; else the oldest, as records say it, a file whose time cannot be read
// before all others. path_of: of each. start: without a time if the program has not said one. By one rank. Errors:
// STORAGE.
std::int64_t first_of_cycle(const std::string& collection, std::int64_t cycle,
                            const std::function<std::string(std::int64_t number)>& path_of,
                            const formats::RunStart& start, bool start_is_told);

}  // namespace thalweg::files
