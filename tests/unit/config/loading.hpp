// Loads texts in an environment without variables of Thalweg, and gives their faults.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <string>

#include "base/error.hpp"
#include "config/settings.hpp"

namespace thalweg::config {

class CleanEnvironment : public testing::Test {
 protected:
  CleanEnvironment() : saved_(ours()) {
    for (const auto& [name, value] : saved_) unsetenv(name.c_str());
  }
  ~CleanEnvironment() override {
    for (const auto& [name, value] : ours()) unsetenv(name.c_str());
    for (const auto& [name, value] : saved_) setenv(name.c_str(), value.c_str(), 1);
  }

  static Settings load(const std::string& yaml) { return load_text(yaml, "ocean.yaml"); }

  // The whole message; "none" if the text is accepted.
  static std::string faults(const std::string& yaml) {
    try {
      load(yaml);
    } catch (const Error& fault) {
      EXPECT_EQ(fault.code(), THALWEG_ERROR_CONFIG);
      return fault.what();
    }
    return "none";
  }

  // The first line of the message, without the text and the caret below.
  static std::string fault(const std::string& yaml) {
    const std::string all = faults(yaml);
    return all.substr(0, all.find('\n'));
  }

 private:
  static std::map<std::string, std::string> ours() {
    std::map<std::string, std::string> found;
    for (char** variable = environ; *variable != nullptr; ++variable) {
      const std::string text = *variable;
      if (text.starts_with("THALWEG_")) found.emplace(text.substr(0, text.find('=')), text.substr(text.find('=') + 1));
    }
    return found;
  }
  std::map<std::string, std::string> saved_;
};

}  // namespace thalweg::config
