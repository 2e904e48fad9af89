#include "api/engine_port.hpp"

#include <memory>

#include "writer/engine.hpp"

namespace thalweg::api {
namespace {

class EnginePort final : public client::WriterPort {
 public:
  EnginePort(staging::Control& control, block::CommandBook& book, const writer::EngineOptions& options)
      : engine_(control, book, options) {}
  void listen_to(staging::ReadyQueue queue, std::uint32_t first_collection) override {
    engine_.listen_to(queue, first_collection);
  }
  void start() override { engine_.start(); }
  bool stop(double patience_s) override { return engine_.stop(patience_s); }
  bool step() override { return engine_.step(); }
  profile::WriterCounters counters() override { return engine_.counters(); }

 private:
  writer::Engine engine_;
};

}  // namespace

client::MakeWriter writer_maker(const config::Settings& settings, const std::vector<int>& processors) {
  writer::EngineOptions options;
  options.threads = static_cast<int>(settings.writer_threads > 0 ? settings.writer_threads : std::ssize(processors));
  options.processors = processors;
  options.bytes_per_s = settings.rate_limit;
  if (settings.when_full == config::WhenFull::spill) options.spill = settings.spill;
  return [=](staging::Control& control, block::CommandBook& book) -> std::unique_ptr<client::WriterPort> {
    return std::make_unique<EnginePort>(control, book, options);
  };
}

}  // namespace thalweg::api
