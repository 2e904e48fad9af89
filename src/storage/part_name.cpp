#include "storage/part_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

#include "storage/file_identity.hpp"
#include "storage/partial_name.hpp"

namespace thalweg::storage {

std::string part_name(const std::string& set, std::int64_t number) {
  return fmt::format("{}.{:04}", set, number);
}

std::optional<PartName> parse_part_name(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot == 0) return std::nullopt;
  const std::string digits = name.substr(dot + 1);
  const bool is_number = std::ranges::all_of(digits, [](unsigned char letter) { return std::isdigit(letter) != 0; });
  if (!is_number || digits.size() < 4 || digits.size() > 18) return std::nullopt;
  return PartName{name.substr(0, dot), std::stoll(digits)};
}

std::set<std::int64_t> numbers_beside(const std::string& set) {
  std::set<std::int64_t> numbers;
  std::error_code error;  // of a folder that cannot be listed: what is made next says what is wrong with it
  const std::string base = std::filesystem::path(set).filename();
  const std::filesystem::path folder = std::filesystem::absolute(set, error).parent_path();
  if (error) return numbers;  // the process is in a folder that was removed
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = complete_name(entry->path().filename());
    const auto part = parse_part_name(name);
    if (part && part->set == base && part_name(base, part->number) == name) numbers.insert(part->number);
  }
  return numbers;
}

std::vector<std::string> parts_beside(const std::string& set, const char* ending) {
  std::vector<std::string> parts;
  for (const std::int64_t number : numbers_beside(set))
    if (std::string part = part_name(set, number); is_there(part + ending)) parts.push_back(std::move(part));
  return parts;
}

bool is_any_there(const std::string& path) {
  return is_there(path) || is_there(path + partial_ending) || !numbers_beside(path).empty();
}

}  // namespace thalweg::storage
