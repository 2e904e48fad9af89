#include "client/library_desk.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "client/file_desk.hpp"
#include "store/ompio.hpp"
#include "store/posix.hpp"
#include "store/publish.hpp"
#include "store/striping.hpp"
#include "transport/agreement.hpp"
#include "transport/collective.hpp"

namespace thalweg::client {
namespace {

std::string text_of(const config::Hints& hints) {
  std::string text;
  for (const auto& [name, value] : hints) text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
  return text.empty() ? "none" : text;
}

const char* word_of(config::LibraryCalls calls) {
  switch (calls) {
    case config::LibraryCalls::collective: return "collective";
    case config::LibraryCalls::independent: return "independent";
    case config::LibraryCalls::nonblocking: return "nonblocking";
  }
  return "?";
}

bool has_all_pieces(const staging::BlockRing& ring, std::int64_t record, std::size_t block, std::uint32_t expected) {
  const auto number = static_cast<std::int64_t>(block);
  return expected == 0 || ring.has_all_pieces(record, number, expected);
}

std::int64_t bytes_of(const Collection& collection, const store::LibraryBlock& block) {
  if (block.data == nullptr) return 0;
  return block.region.cells() * static_cast<std::int64_t>(size_of(collection.variable(block.variable).type));
}

}  // namespace

bool is_complete(const store::CollectionPlan& plan, std::int64_t record) {
  for (std::size_t b = 0; b < plan.record_blocks.size(); ++b)
    if (!has_all_pieces(plan.record_ring, record, b, plan.record_blocks[b].expected)) return false;
  return true;
}

bool is_fixed_complete(const store::CollectionPlan& plan) {
  for (std::size_t b = 0; b < plan.fixed_blocks.size(); ++b)
    if (!has_all_pieces(plan.fixed_ring, 0, b, plan.fixed_blocks[b].expected)) return false;
  return true;
}

LibraryDesk::LibraryDesk(Collection& collection, const roles::Roles& roles, transport::Group group, LibraryShare share,
                         const store::Aggregation& aggregation, profile::ClientCounters& counters)
    : collection_(collection),
      roles_(roles),
      group_(std::move(group)),
      share_(std::move(share)),
      aggregation_(aggregation),
      counters_(counters) {}

// ---- files

config::Hints LibraryDesk::hints_for(const std::string& name) const {
  config::Hints hints = store::with_aggregators(settings().hints, aggregation_);
  // Ranks that write rows between each other's rows must not rewrite what lies between: ROMIO locks the file for that,
  // and a rank whose write fails keeps the lock.
  if (settings().library_calls == config::LibraryCalls::independent) hints.try_emplace("romio_ds_write", "disable");
  // HDF5 leaves out what others wait in, where a write fails on one rank only; by two-phase writing all hear of it.
  if (store::is_netcdf4(collection_.declaration.definition().format)) hints.try_emplace("romio_cb_write", "enable");
  const config::Striping& striping = settings().striping;
  if (!striping.is_set() || !store::is_on_lustre(name)) return hints;
  if (striping.count != 0) hints.try_emplace("striping_factor", std::to_string(striping.count));
  if (striping.bytes != 0) hints.try_emplace("striping_unit", std::to_string(striping.bytes));
  return hints;
}

LibraryDesk::OpenFile LibraryDesk::make_file(const std::string& name) {
  const Timer timer(counters_.metadata_s);
  OpenFile made;
  made.path = name;
  made.partial_path = name + ".partial";
  made.changes = collection_.declaration.changes();
  const store::LibraryAccess access{comm(), settings().library_calls, hints_for(name)};
  transport::together(comm(), [&] {
    if (is_home_leader()) make_way(settings(), made.path, made.partial_path);
  });
  transport::together(comm(), [&] {
    made.file = store::create_by_library(made.partial_path, collection_.declaration.definition(), access);
  });
  if (is_home_leader()) report(made, access.hints);
  return made;
}

void LibraryDesk::prepare_first_file() {
  const std::string& file = settings().file;
  if (is_template(file) || prepared_ || !names_.empty()) return;
  prepared_ = make_file(fill_template(file, Calendar::standard, Date{}));
}

// The program has chosen another name meanwhile, or other attributes.
void LibraryDesk::discard_prepared() {
  if (!prepared_) return;
  transport::together(comm(), [&] { prepared_->file->close(0); });
  if (is_home_leader()) {
    std::filesystem::remove(prepared_->partial_path);
    reports_.pop_back();
  }
  prepared_.reset();
}

void LibraryDesk::open_file(const std::string& name) {
  claim_name(names_, collection_.name, name);
  const bool is_stale =
      prepared_ && (prepared_->path != name || prepared_->changes != collection_.declaration.changes());
  if (is_stale) discard_prepared();
  open_.push_back(prepared_ ? std::move(*prepared_) : make_file(name));
  prepared_.reset();
  if (share_.fixed_blocks.empty()) open_.back().has_fixed = true;
}

// Every rank may have caches of its own, so each sees to what it wrote.
void LibraryDesk::close(OpenFile& file) {
  const bool durable = settings().durability != config::Durability::none;
  {
    const Timer timer(written_.commit_s);
    transport::together(comm(), [&] { file.file->close(file.records); });
  }
  if (durable) {
    const Timer timer(written_.sync_s);
    transport::together(comm(), [&] { store::sync_file(file.partial_path); });
    ++written_.syncs;
  }
  transport::together(comm(), [&] {
    if (is_home_leader()) store::publish(file.partial_path, file.path, durable);
  });
  ++files_;
  if (is_home_leader()) ++written_.files;
  if (share_.speaks_for_node) collection_.plan->record_ring.progress().files.store(files_, std::memory_order_release);
}

// In the order in which they were opened, which is that of their names.
void LibraryDesk::close_ended() {
  while (!open_.empty() && open_.front().has_ended && open_.front().has_fixed) {
    close(open_.front());
    open_.pop_front();
  }
}

// ---- data

void LibraryDesk::write(OpenFile& file, const std::vector<store::LibraryBlock>& blocks, std::int64_t record) {
  const Timer timer(written_.write_s);
  transport::together(comm(), [&] { file.file->write(blocks, record); });
  written_.write_calls += std::ssize(blocks);
  for (const store::LibraryBlock& block : blocks) {
    if (block.data == nullptr) continue;
    ++written_.blocks;
    written_.buffered_bytes += bytes_of(collection_, block);
  }
}

void LibraryDesk::write_fixed() {
  const auto lacks = [](const OpenFile& file) { return !file.has_fixed; };
  if (std::none_of(open_.begin(), open_.end(), lacks)) return;
  if (!fixed_complete_) fixed_complete_ = transport::all_true(comm(), is_fixed_complete(*collection_.plan));
  if (!fixed_complete_) return;
  for (OpenFile& file : open_) {
    if (file.has_fixed) continue;
    write(file, share_.fixed_blocks, 0);
    file.has_fixed = true;
  }
}

// One rank of the node frees all its blocks, so that nobody finds one that another rank has not freed yet.
void LibraryDesk::free_blocks(std::int64_t record) {
  if (!share_.speaks_for_node) return;
  const staging::BlockRing& ring = collection_.plan->record_ring;
  for (std::int64_t block = 0; block < ring.shape().blocks; ++block) ring.release(ring.slot_of(record), block);
  ring.progress().records.store(record + 1, std::memory_order_release);
}

void LibraryDesk::write_record(const Upcoming& upcoming) {
  if (upcoming.opens_file) {
    if (!open_.empty()) open_.back().has_ended = true;
    open_file(upcoming.file_name);
  }
  OpenFile& file = open_.back();
  write(file, share_.record_blocks, upcoming.index_in_file);
  file.records = upcoming.index_in_file + 1;
  write_fixed();
  if (settings().durability == config::Durability::record) {
    const Timer timer(written_.sync_s);
    transport::together(comm(), [&] { file.file->sync(); });
    ++written_.syncs;
  }
  close_ended();
  if (is_home_leader()) ++written_.records;
  free_blocks(upcoming.record);
}

// A collection without any record still leaves a file with its fixed variables.
void LibraryDesk::finish() {
  if (names_.empty()) open_file(fill_template(settings().file, Calendar::standard, Date{}));
  if (!open_.empty()) open_.back().has_ended = true;
  write_fixed();
  close_ended();
}

// ---- what was asked, and what is in force

void LibraryDesk::report(const OpenFile& file, const config::Hints& asked) {
  profile::LibraryFileReport made;
  made.file = file.path;
  made.library = store::library_of(collection_.declaration.definition().format);
  made.calls = word_of(settings().library_calls);
  made.io_ranks = group_.size();
  made.stripes = store::stripe_count(file.partial_path);
  made.asked = asked;
  made.in_force = file.file->hints_in_force();
  config::Hints effective = asked;
  for (const auto& [hint, value] : made.in_force) effective[hint] = value;
  made.aggregators = store::real_aggregators(effective, aggregation_, made.stripes);
  say(made);
  reports_.push_back(std::move(made));
}

// The files of a series have all the same to say.
void LibraryDesk::say(const profile::LibraryFileReport& report) const {
  const std::string text = fmt::format(
      "collection '{}': '{}' is written by {}, {} calls of {} ranks, {} aggregators{}; hints asked: {}; in force: {}",
      collection_.name, report.file, report.library, report.calls, report.io_ranks, report.aggregators,
      report.stripes == 0 ? std::string() : fmt::format(", {} stripes", report.stripes), text_of(report.asked),
      text_of(report.in_force));
  log::write(reports_.empty() ? log::Level::note : log::Level::debug, text);
  if (!reports_.empty()) return;
  if (store::uses_faulty_ompio())
    log::warning(
        "this Open MPI's own MPI-IO (OMPIO) is in use, which does not tell when a write fails and may lose data "
        "that several ranks write; set OMPI_MCA_io=romio321 in the environment (5.0: romio341)");
  for (const auto& [hint, value] : report.asked) {
    const auto kept = report.in_force.find(hint);
    if (kept == report.in_force.end())
      log::warning("collection '{}': hint '{}' is not kept by the MPI library", collection_.name, hint);
    else if (kept->second != value)
      log::note("collection '{}': hint '{}' is {}, not {}", collection_.name, hint, kept->second, value);
  }
}

}  // namespace thalweg::client
