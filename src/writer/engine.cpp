#include "writer/engine.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <mutex>

#include "base/clock.hpp"
#include "base/running_time.hpp"
#include "base/thread.hpp"

namespace thalweg::writer {
namespace {

// Longest sleep. The bell wakes the writer; the time-out only bounds what a bell not rung for small blocks can cost.
constexpr double longest_sleep_s = 0.25;

}  // namespace

Engine::Engine(staging::Control& control, block::CommandBook& book, EngineOptions options)
    : control_(control),
      book_(book),
      access_(control.processes, control.failures, counters_, options.bytes_per_s),
      pool_(options.threads, std::move(options.processors),
            [this](const Error& error) { control_.failures.report_writer(error); }) {
  if (options.status) status_.emplace(*std::move(options.status), control.processes, control.failures);
  if (!options.spill) return;
  spill_.emplace(*options.spill);
  spiller_.emplace(control.wake_ups, control.failures, access_, [this] { return save_one(); });
}

Engine::~Engine() {
  stop(std::numeric_limits<double>::infinity());
}

void Engine::listen_to(staging::ReadyQueue queue, std::uint32_t first_collection) {
  sources_.push_back({queue, first_collection});
}

bool Engine::step() {
  const bool worked = work_if_sound();
  if (status_ && status_->is_due(now_s())) tell_status(profile::SessionState::running);
  return worked;
}

bool Engine::work_if_sound() {
  if (control_.failures.has_writer_failed()) return false;
  try {
    return work();
  } catch (...) {
    control_.failures.report_writer(error_in_flight("in the writer"));
  }
  return false;
}

bool Engine::work() {
  const std::lock_guard held(access_.turn());
  bool worked = take_commands();
  worked |= take_ready();
  for (auto& collection : collections_) collection->learn_assignments();
  for (auto& collection : collections_) worked |= collection->take_encoded();
  worked |= write_some();
  for (auto& collection : collections_) worked |= collection->finish_some();
  return worked;
}

// The spilling thread has part in the state, and none in what is written of it.
void Engine::tell_status(profile::SessionState state) {
  std::vector<profile::CollectionStatus> collections;
  {
    const std::lock_guard held(access_.turn());
    collections = statuses();
  }
  status_->tell(state, std::move(collections));
}

std::vector<profile::CollectionStatus> Engine::statuses() const {
  std::vector<profile::CollectionStatus> all;
  for (const auto& collection : collections_)
    if (auto status = collection->status()) all.push_back(*std::move(status));
  return all;
}

// Several shares of a collection have its name, and are one in the end.
void Engine::add_written(std::vector<profile::CollectionReport>& collections) const {
  for (const auto& writer : collections_) {
    const auto of = std::ranges::find(collections, writer->plan().name, &profile::CollectionReport::name);
    if (of != collections.end()) of->written += writer->written();
  }
}

void Engine::tell_end(bool has_finished) {
  if (status_) tell_status(has_finished ? profile::SessionState::finished : profile::SessionState::ended);
}

bool Engine::take_commands() {
  std::vector<block::Command> commands = book_.take_commands();
  for (block::Command& command : commands) replay(command);
  return !commands.empty();
}

void Engine::replay(block::Command& command) {
  struct Visitor {
    Engine& engine;
    void operator()(block::AddCollection& add) const {
      const int number = static_cast<int>(engine.collections_.size());
      engine.collections_.push_back(std::make_unique<CollectionWriter>(
          number, std::move(add.plan),
          Surroundings{engine.control_.wake_ups, engine.control_.processes, engine.control_.failures, engine.book_,
                       engine.counters_, engine.access_},
          engine.spill_ ? &*engine.spill_ : nullptr, engine.pool_));
    }
    CollectionWriter& at(int collection) const { return *engine.collections_.at(static_cast<std::size_t>(collection)); }
    void operator()(block::OpenFile& open) const { at(open.collection).files().open(std::move(open)); }
    void operator()(block::PlaceRecord& place) const { at(place.collection).place_record(place); }
    void operator()(block::PlaceFixed& place) const { at(place.collection).files().place_fixed(std::move(place)); }
    void operator()(block::CommitRecords& commit) const {
      at(commit.collection).files().order_commit(std::move(commit));
    }
    void operator()(block::CloseFile& close) const { at(close.collection).files().order_close(std::move(close)); }
    void operator()(block::OtherWriterWrote& wrote) const { at(wrote.collection).other_writer_wrote(wrote); }
    void operator()(block::OtherWriterClosed& closed) const { at(closed.collection).other_writer_closed(closed); }
    void operator()(block::NameParts& name) const { at(name.collection).files().others().ask_for_names(name.file); }
    void operator()(block::OtherWriterNamed& named) const {
      at(named.collection).files().others().note_named(named.file);
    }
    void operator()(block::ExpectSums& sums) const { at(sums.collection).expect_sums(std::move(sums)); }
  };
  std::visit(Visitor{*this}, command);
}

bool Engine::take_ready() {
  bool worked = false;
  for (Source& source : sources_) {
    if (source.first_collection >= collections_.size()) continue;  // its collections are not added yet
    while (const auto block_id = source.queue.pop()) {
      for (std::size_t c = source.first_collection; c < collections_.size(); ++c)
        if (collections_[c]->has(*block_id)) {
          collections_[c]->ready(*block_id);
          break;
        }
      worked = true;
    }
  }
  return worked;
}

// Restart files first: diagnostics wait as long as a collection of high priority has something to write.
bool Engine::write_some() {
  for (const config::Priority priority : {config::Priority::high, config::Priority::normal}) {
    bool worked = false;
    for (auto& collection : collections_)
      if (collection->plan().files.priority == priority) worked |= collection->write_some();
    if (worked) return true;
  }
  return false;
}

// By the spilling thread, while the engine is in a call to the storage.
bool Engine::save_one() {
  take_ready();
  for (auto& collection : collections_) collection->take_encoded();
  return std::ranges::any_of(collections_, [](const auto& collection) { return collection->save_one(); });
}

void Engine::run() {
  for (;;) {
    const std::uint32_t seen = control_.wake_ups.bell();  // before stop_ is looked at: stop() rings after it set it
    if (stop_.load(std::memory_order_acquire)) return;
    if (step()) {
      if (book_.has_results()) control_.wake_ups.ring();  // a server sleeps on the bell as well
      continue;
    }
    control_.processes.set_activity(staging::WriterActivity::idle, now_s());
    control_.wake_ups.sleep_until_rung(seen, longest_sleep_s);
  }
}

void Engine::start() {
  stop_ = false;
  access_.hurry(false);
  thread_ = start_thread("that writes", ended_, [this] { run(); });
  if (spiller_) spiller_->start();
}

bool Engine::stop(double patience_s) {
  if (spiller_ && !spiller_->stop(patience_s)) return false;
  if (!thread_.joinable()) return ended_.load(std::memory_order_acquire);
  stop_.store(true, std::memory_order_release);
  access_.hurry(true);
  control_.wake_ups.ring();
  constexpr double look_s = 0.0001;
  RunningTime waited(now_s());
  while (!ended_.load(std::memory_order_acquire)) {
    waited.look(now_s(), look_s, patience_s);
    if (waited.seconds() > patience_s) {
      thread_.detach();
      return false;
    }
    std::this_thread::sleep_for(std::chrono::duration<double>(look_s));
  }
  thread_.join();
  return true;
}

}  // namespace thalweg::writer
