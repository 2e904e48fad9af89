#include "compat/pfio/arguments.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/names.hpp"

namespace thalweg::compat::pfio {
namespace {

using config::Diagnostics;
using config::Where;

enum class Takes {
  flag,     // nothing, or true or false
  value,    // one
  numbers,  // one or more
  foreign,  // one that means nothing here; the model gets the option as well
};

const std::map<std::string, Takes>& known_options() {
  static const std::map<std::string, Takes> options = {{"--npes_model", Takes::value},
                                                       {"--npes_output_server", Takes::numbers},
                                                       {"--nodes_output_server", Takes::numbers},
                                                       {"--npes_input_server", Takes::numbers},
                                                       {"--nodes_input_server", Takes::numbers},
                                                       {"--isolate_nodes", Takes::value},
                                                       {"--compress_nodes", Takes::flag},
                                                       {"--oserver_type", Takes::value},
                                                       {"--npes_backend_pernode", Takes::value},
                                                       {"--one_node_output", Takes::flag},
                                                       {"--fast_oclient", Takes::flag},
                                                       {"--with_io_profiler", Takes::flag},
                                                       {"--n_members", Takes::value},
                                                       {"--prefix", Takes::foreign},
                                                       {"--logging_config", Takes::foreign}};
  return options;
}

// Without dashes in front, and with underscores in place of others.
std::string bare(const std::string& name) {
  std::string text = name.substr(std::min(name.size(), name.find_first_not_of('-')));
  std::ranges::replace(text, '-', '_');
  return text;
}

// The option that is meant where a letter or two are wrong; empty: none.
std::string meant_by(const std::string& name) {
  std::vector<std::string> options;
  for (const auto& [option, takes] : known_options())
    if (takes != Takes::foreign) options.push_back(bare(option));
  constexpr std::size_t plausible = 2;
  const std::vector<std::string> nearest = nearest_names(bare(name), options, plausible);
  return nearest.empty() ? "" : "--" + nearest.front();
}

bool is_truth(const std::string& text) {
  return text == "true" || text == "false" || text == ".true." || text == ".false.";
}

bool begins_as_number(const std::string& text) {
  return std::isdigit(static_cast<unsigned char>(text.front())) != 0;
}

// Whether the next argument is a value of an option that has `count` values already.
bool is_value(const std::string& text, Takes takes, std::size_t count) {
  if (text.starts_with("--")) return false;
  if (takes == Takes::flag) return count == 0 && is_truth(text);
  return count == 0 || (takes == Takes::numbers && !text.empty() && begins_as_number(text));
}

std::string quoted(const std::string& argument) {
  const bool is_plain = argument.find_first_of(" \t\n\"'\\$`*?;&|<>()#~") == std::string::npos && !argument.empty();
  if (is_plain) return argument;
  std::string text = "'";
  for (const char c : argument) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

class Cutter {
 public:
  explicit Cutter(const std::vector<std::string>& arguments)
      : arguments_(arguments), line_(fmt::format("{}", fmt::join(arguments, " "))) {
    // Messages show one line, with a caret below the argument.
    for (char& c : line_) c = std::iscntrl(static_cast<unsigned char>(c)) != 0 ? ' ' : c;
    for (int column = 1; const std::string& argument : arguments) {
      columns_.push_back(column);
      column += static_cast<int>(argument.size()) + 1;
    }
  }

  Arguments cut(Diagnostics& faults) {
    Arguments cut;
    std::vector<std::string> own;
    while (next_ < arguments_.size()) {
      const std::size_t first = next_++;
      const std::string name = arguments_[first].substr(0, arguments_[first].find('='));
      const auto known = known_options().find(name);
      const bool is_option = first > 0 && known != known_options().end();
      if (is_option) add(cut, name, option_at(first, name, known->second), faults);
      if (is_option && known->second != Takes::foreign) continue;
      if (first > 0 && !is_option && name.starts_with('-')) note_near_miss(cut, first, name);
      for (std::size_t i = first; i < next_; ++i) own.push_back(quoted(arguments_[i]));
    }
    cut.program = fmt::format("{}", fmt::join(own, " "));
    return cut;
  }

 private:
  static void add(Arguments& cut, const std::string& name, const Option& option, Diagnostics& faults) {
    if (!cut.options.emplace(name, option).second)
      faults.add(option.where, "the option stands twice; leave one of the two out");
  }

  void note_near_miss(Arguments& cut, std::size_t first, const std::string& name) const {
    if (const std::string option = meant_by(name); !option.empty())
      cut.near_misses.push_back({place(name, columns_[first]), option});
  }

  Where place(const std::string& name, int column) const {
    const std::string label = "command line " + name;
    return {.label = label, .place = {}, .line = line_, .column = column, .origin = label};
  }

  Option option_at(std::size_t first, const std::string& name, Takes takes) {
    Option option{.where = place(name, columns_[first]), .values = {}};
    const int behind_equals = static_cast<int>(name.size()) + 1;
    if (arguments_[first].size() > name.size())
      add_values(option, takes, arguments_[first].substr(name.size() + 1),
                 place(name, columns_[first] + behind_equals));
    else
      for (; next_ < arguments_.size() && is_value(arguments_[next_], takes, option.values.size()); ++next_)
        add_values(option, takes, arguments_[next_], place(name, columns_[next_]));
    return option;
  }

  static void add_values(Option& option, Takes takes, const std::string& text, const Where& where) {
    if (takes != Takes::numbers) return option.values.push_back({text, where});
    for (const std::string& number : split_names(text)) option.values.push_back({number, where});
  }

  const std::vector<std::string>& arguments_;
  std::string line_;
  std::vector<int> columns_;
  std::size_t next_ = 0;
};

}  // namespace

Arguments cut_command_line(const std::vector<std::string>& arguments, Diagnostics& faults) {
  return Cutter(arguments).cut(faults);
}

}  // namespace thalweg::compat::pfio
