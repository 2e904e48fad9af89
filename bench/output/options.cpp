#include "options.hpp"

#include <functional>
#include <map>
#include <stdexcept>

namespace bench {

Options parse(int argc, char** argv) {
  Options options;
  const std::map<std::string, std::function<void(const std::string&)>> known = {
      {"--way", [&](const std::string& text) { options.way = text; }},
      {"--case", [&](const std::string& text) { options.workload = text; }},
      {"--scale", [&](const std::string& text) { options.scale = std::stod(text); }},
      {"--records", [&](const std::string& text) { options.records = std::stoi(text); }},
      {"--work", [&](const std::string& text) { options.work = std::stoll(text); }},
      {"--seconds", [&](const std::string& text) { options.seconds = std::stod(text); }},
      {"--file", [&](const std::string& text) { options.file = text; }},
      {"--result", [&](const std::string& text) { options.result = text; }},
      {"--fifo", [&](const std::string& text) { options.fifo = text; }},
      {"--settings", [&](const std::string& text) { options.settings = text; }},
      {"--profile", [&](const std::string& text) { options.profile = text; }},
      {"--writers", [&](const std::string& text) { options.writers = text; }},
      {"--nodes", [&](const std::string& text) { options.nodes = text; }},
      {"--servers", [&](const std::string& text) { options.servers = std::stoi(text); }},
  };
  for (int i = 1; i < argc; i += 2) {
    const auto found = known.find(argv[i]);
    if (found == known.end()) throw std::runtime_error("unknown option " + std::string(argv[i]));
    if (i + 1 == argc) throw std::runtime_error("option " + std::string(argv[i]) + " needs a value");
    found->second(argv[i + 1]);
  }
  if (options.way.empty() || options.result.empty()) throw std::runtime_error("--way and --result are needed");
  return options;
}

}  // namespace bench
