// Lists of names in messages, and the names nearest to one that is not known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace thalweg {

// Splits "y, x" at commas and trims blanks; "" gives an empty list.
std::vector<std::string> split_names(std::string_view list);

// The known names nearest to name by edit distance (at most three, nearest first, only plausible ones).
std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& known);

// The same, with the distance that is still plausible.
std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& known,
                                       std::size_t plausible);

// "; did you mean 'temp' or 'temp2'?" or, without a near one, "; known are: a, b, c", to be appended to a message.
std::string name_hint(std::string_view name, const std::vector<std::string>& known);

// "1 record", "2 records".
std::string counted(std::int64_t count, std::string_view one);

}  // namespace thalweg
