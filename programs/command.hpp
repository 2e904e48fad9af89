// How the programs read the words that they are called with.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>
#include <optional>
#include <string>

// With what comes behind the options in the text of --help.
class Command : public CLI::App {
 public:
  Command(const std::string& name, const std::string& what, const std::string& more) : CLI::App(what, name) {
    set_help_flag("-h,--help", "show this text");
    footer(more);
  }

  // The exit code, where there is nothing to do but to end: help was wanted, or the call is wrong (2).
  std::optional<int> read(int argc, const char* const* argv) {
    try {
      parse(argc, argv);
      return std::nullopt;
    } catch (const CLI::Success& success) {
      return exit(success);
    } catch (const CLI::ParseError& error) {
      std::fprintf(stderr, "%s: %s; %s --help says how\n", get_name().c_str(), error.what(), get_name().c_str());
      return 2;
    }
  }
};
