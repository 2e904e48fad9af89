// How the programs read the words that they are called with. It keeps CLI11, which takes longer to compile than all of
// them, to itself.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

class Command {
 public:
  // more: comes behind the options in the text of --help.
  Command(const std::string& name, const std::string& what, const std::string& more);
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  // Words without an option; what is read outlives this.
  void require(const std::string& name, std::string& word, const std::string& what);
  void require(const std::string& name, std::vector<std::string>& words, const std::string& what);
  // Options, or words that may be left out; what they are without stays as it is.
  void option(const std::string& names, std::string& value, const std::string& what);
  void positive(const std::string& names, std::int64_t& value, const std::string& what);
  void flag(const std::string& names, bool& value, const std::string& what);
  void version(const std::string& text);

  // The exit code, where there is nothing to do but to end: help was wanted, or the call is wrong (2).
  std::optional<int> read(int argc, const char* const* argv);

 private:
  std::unique_ptr<CLI::App> app_;
};
