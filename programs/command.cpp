#include "command.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>

Command::Command(const std::string& name, const std::string& what, const std::string& more)
    : app_(std::make_unique<CLI::App>(what, name)) {
  app_->set_help_flag("-h,--help", "show this text");
  app_->footer(more);
}

Command::~Command() = default;

void Command::require(const std::string& name, std::string& word, const std::string& what) {
  app_->add_option(name, word, what)->required()->check([](const std::string& given) {
    return given.empty() ? std::string("it is empty") : std::string();
  });
}

void Command::require(const std::string& name, std::vector<std::string>& words, const std::string& what) {
  app_->add_option(name, words, what)->required();
}

void Command::option(const std::string& names, std::string& value, const std::string& what) {
  app_->add_option(names, value, what);
}

void Command::positive(const std::string& names, std::int64_t& value, const std::string& what) {
  constexpr std::int64_t most = 10'000'000;  // ranks of every machine
  app_->add_option(names, value, what)->check(CLI::Range(std::int64_t{1}, most));
}

void Command::flag(const std::string& names, bool& value, const std::string& what) {
  app_->add_flag(names, value, what);
}

void Command::version(const std::string& text) {
  app_->set_version_flag("--version", text, "show the version of Thalweg");
}

std::optional<int> Command::read(int argc, const char* const* argv) {
  try {
    app_->parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::Success& success) {
    return app_->exit(success);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "%s: %s; %s --help says how\n", app_->get_name().c_str(), error.what(),
                 app_->get_name().c_str());
    return 2;
  }
}
