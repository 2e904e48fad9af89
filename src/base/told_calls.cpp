#include "base/told_calls.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "base/told.hpp"

namespace thalweg::told {
namespace {

constexpr std::string_view c_prefix = "thalweg_";
constexpr std::string_view fortran_prefix = "thw_";

// What both languages call alike behind their prefixes, in alphabetical order.
constexpr auto common_names = std::to_array<std::string_view>({
    "add_attribute",
    "add_text",
    "advance",
    "change_attribute",
    "change_text",
    "checkpoint",
    "close_file",
    "close_input",
    "declare_input",
    "decompose",
    "decompose_indices",
    "decompose_points",
    "define_attribute",
    "define_dimension",
    "define_field",
    "define_field_attribute",
    "define_field_dimension",
    "define_field_text",
    "define_text",
    "define_variable",
    "error_text",
    "finish",
    "flush",
    "get",
    "get_at",
    "input_attribute",
    "input_attribute_name",
    "input_attributes",
    "input_dimensions",
    "input_packing",
    "input_record_at",
    "input_records",
    "input_times",
    "input_variable",
    "input_variable_name",
    "input_variables",
    "is_client",
    "is_due",
    "is_wanted",
    "is_wanted_now",
    "model_comm",
    "new_file",
    "open_collection",
    "open_collection_text",
    "open_input",
    "put",
    "put_arrays",
    "put_field",
    "put_field_on",
    "ready",
    "record",
    "recover",
    "register_array",
    "register_procedure",
    "restore",
    "select_input",
    "serve",
    "set_end_time",
    "set_missing",
    "set_procedure",
    "set_time",
    "start",
    "start_text",
    "step",
    "time_units",
    "version",
    "wait",
    "wait_collection",
});
static_assert(std::ranges::is_sorted(common_names));

bool is_of_name(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

std::string_view name_at(std::string_view text) {
  return text.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(text, is_of_name) - text.begin()));
}

}  // namespace

std::string calls(std::string text) {
  if (!is_fortran()) return text;
  for (std::size_t at = 0; (at = text.find(c_prefix, at)) != std::string::npos; ++at) {
    const bool begins = at == 0 || !is_of_name(text[at - 1]);
    const std::string_view name = name_at(std::string_view(text).substr(at + c_prefix.size()));
    if (begins && std::ranges::binary_search(common_names, name)) text.replace(at, c_prefix.size(), fortran_prefix);
  }
  return text;
}

}  // namespace thalweg::told
