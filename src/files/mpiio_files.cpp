#include "files/mpiio_files.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/seconds.hpp"
#include "block/completeness.hpp"
#include "mpiio/mpi_hints.hpp"
#include "mpiio/ompio.hpp"
#include "storage/posix.hpp"
#include "storage/striping.hpp"
#include "transform/copy.hpp"
#include "transport/agreement.hpp"
#include "transport/collective.hpp"

namespace thalweg::files {
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

std::int64_t bytes_of(const Series& series, const mpiio::MpiioBlock& block) {
  if (block.data == nullptr) return 0;
  return block.region.cells() *
         static_cast<std::int64_t>(size_of(series.declaration.definition().variable(block.variable).type));
}

// of: the file; all: of the rank.
template <typename BringToDisk>
void sync_together(const roles::Circle& circle, profile::Written& of, profile::WriterCounters& all,
                   const BringToDisk& bring_to_disk) {
  const double before_s = all.sync_s;
  {
    const Timer timer(all.sync_s);
    transport::together(circle, bring_to_disk);
  }
  of.sync_s += all.sync_s - before_s;
  ++all.syncs;
}

}  // namespace

MpiioFiles::MpiioFiles(const Series& series, const FilePlan& plan, const roles::Roles& roles, MpiioCallers callers,
                       profile::ClientCounters& counters)
    : series_(series),
      plan_(plan),
      roles_(roles),
      group_(std::move(callers.group)),
      part_(std::move(callers.part)),
      aggregation_(callers.aggregation),
      counters_(counters),
      sums_(summed() != nullptr ? summed()->variables.size() : 0) {}

// ---- files

config::Hints MpiioFiles::hints_for(const std::string& name) const {
  config::Hints hints = mpiio::with_aggregators(settings().hints, aggregation_);
  // Ranks that write rows between each other's rows must not rewrite what lies between: ROMIO locks the file for that,
  // and a rank whose write fails keeps the lock.
  if (settings().library_calls == config::LibraryCalls::independent) hints.try_emplace("romio_ds_write", "disable");
  const mpiio::Library& library = mpiio::library_of(plan_.definition.format);
  for (const auto& [hint, value] : library.hints) hints.try_emplace(hint, value);
  const config::Striping& striping = settings().striping;
  if (!striping.is_set() || !storage::is_on_lustre(name)) return hints;
  if (striping.count != 0) hints.try_emplace("striping_factor", std::to_string(striping.count));
  if (striping.bytes != 0) hints.try_emplace("striping_unit", std::to_string(striping.bytes));
  return hints;
}

MpiioFiles::OpenFile MpiioFiles::make_file(const std::string& name) {
  const Timer timer(counters_.metadata_s);
  OpenFile made;
  made.path = series_.path_of(name);
  const config::Publishing publishing = settings().format->traits.publishing;
  made.partial_path = storage::growing_path(publishing, made.path);
  made.changes = series_.declaration.changes();
  made.definition = std::make_unique<const catalog::Definition>(definition_of(series_, plan_));
  const config::Hints asked = hints_for(made.path);
  mpiio::MpiioAccess access{circle(), settings().library_calls, asked};
  access.hints.try_emplace(mpiio::unknown_hint, "true");
  transport::together(circle(), [&] {
    mpiio::library_of(plan_.definition.format).load();
    if (leads_owner_node()) made.output = storage::claim(publishing, series_.name_rules(), made.path);
  });
  transport::together(circle(), [&] {
    if (!made.output) made.share = std::make_shared<storage::SharedNameLock>(made.path, series_.identity.session_id);
    made.file = mpiio::create_mpiio_file(made.partial_path, *made.definition, access);
    if (!leads_owner_node()) return;
    const auto identity = storage::identity_at(made.partial_path);
    if (identity) made.written = *identity;
  });
  if (leads_owner_node()) report(made, asked);
  return made;
}

void MpiioFiles::prepare_first_file() {
  const std::string& file = settings().file;
  if (is_template(file) || prepared_ || opened_ > 0) return;
  prepared_ = make_file(fill_template(file, Calendar::standard, Date{}));
}

// The program has chosen another name meanwhile, or other attributes.
void MpiioFiles::discard_prepared() {
  if (!prepared_) return;
  transport::together(circle(), [&] {
    prepared_->file->close(0);
    prepared_->share.reset();
  });
  if (leads_owner_node()) {
    prepared_->output->discard();
    told_.reports.pop_back();
  }
  prepared_.reset();
}

void MpiioFiles::open_file(const std::string& name) {
  ++opened_;
  const bool is_stale =
      prepared_ && (prepared_->path != series_.path_of(name) || prepared_->changes != series_.declaration.changes());
  if (is_stale) discard_prepared();
  open_.push_back(prepared_ ? std::move(*prepared_) : make_file(name));
  prepared_.reset();
  open_.back().number = opened_;
  if (part_.fixed_blocks.empty()) open_.back().has_fixed = true;
}

// Every rank may have caches of its own, so each sees to what it wrote.
void MpiioFiles::close(OpenFile& file) {
  const bool durable = settings().durability != config::Durability::none;
  {
    const Timer timer(written_.commit_s);
    transport::together(circle(), [&] { file.file->close(file.records); });
  }
  if (durable) sync_together(circle(), file.told.written, written_, [&] { storage::sync_file(file.partial_path); });
  file.share.reset();  // in front of the collective step behind which the owner leaves the name
  const std::optional<block::Checksums> checksums = take_checksums(file);
  transport::together(circle(), [&] {
    if (!leads_owner_node()) return;
    if (file.output->spares_complete(file.records)) return file.output->give_up();
    if (file.output->publish(file.written, durable, checksums)) ++written_.checksum_files;
  });
  ++files_;
  if (leads_owner_node()) ++written_.files;
  file.told.file = file.path;
  file.told.records = file.records;
  file.told.written.best = file.rates.best();
  told_.written.add(file.told);
  if (part_.speaks_for_node) plan_.blocks->rings.moments().progress().note_file();
}

// In the order in which they were opened, which is that of their names.
void MpiioFiles::close_ended() {
  while (!open_.empty() && open_.front().has_ended && open_.front().has_fixed) {
    close(open_.front());
    open_.pop_front();
  }
}

// ---- data

void MpiioFiles::write(OpenFile& file, const std::vector<mpiio::MpiioBlock>& blocks, std::int64_t record) {
  const double before_s = written_.write_s;
  {
    const Timer timer(written_.write_s);
    transport::together(circle(), [&] { file.file->write(blocks, record); });
  }
  written_.write_calls += std::ssize(blocks);
  std::int64_t bytes = 0;
  for (const mpiio::MpiioBlock& block : blocks) {
    if (block.data == nullptr) continue;
    ++written_.blocks;
    bytes += bytes_of(series_, block);
  }
  written_.buffered_bytes += bytes;
  file.told.written += {.raw_bytes = bytes, .file_bytes = bytes, .write_s = written_.write_s - before_s};
}

void MpiioFiles::write_fixed() {
  const auto lacks = [](const OpenFile& file) { return !file.has_fixed; };
  if (std::none_of(open_.begin(), open_.end(), lacks)) return;
  if (!fixed_complete_) fixed_complete_ = transport::all_true(circle(), block::is_fixed_complete(*plan_.blocks));
  if (!fixed_complete_) return;
  for (OpenFile& file : open_) {
    if (file.has_fixed) continue;
    write(file, part_.fixed_blocks, 0);
    add_sums(file, block::fixed_record, plan_.blocks->fixed_blocks, plan_.blocks->rings.fixed(), 0);
    file.has_fixed = true;
  }
}

// A file that a kill leaves behind has the fill value where nothing was put, and not what the storage had there.
void MpiioFiles::fill_fixed(OpenFile& file) {
  std::vector<mpiio::MpiioBlock> blocks = part_.fixed_blocks;
  std::vector<std::vector<std::byte>> fills;
  for (mpiio::MpiioBlock& block : blocks) {
    if (block.data == nullptr) continue;
    const catalog::Variable& of = series_.declaration.definition().variable(block.variable);
    const auto size = static_cast<std::int64_t>(size_of(of.type));
    std::vector<std::byte>& fill = fills.emplace_back(static_cast<std::size_t>(bytes_of(series_, block)));
    transform::fill_box({std::ssize(fill) / size}, {size}, of.type, false, series_.declaration.fill_of(block.variable),
                        fill.data());
    block.data = fill.data();
  }
  write(file, blocks, 0);
}

// One rank of the node frees all its blocks, so that nobody finds one that another rank has not freed yet.
void MpiioFiles::free_blocks(std::int64_t record) {
  if (!part_.speaks_for_node) return;
  const staging::BlockRing& ring = plan_.blocks->rings.moments();
  for (std::int64_t block = 0; block < ring.shape().blocks; ++block) ring.release(ring.slot_of(record), block);
  ring.progress().note_moments(record + 1);
}

void MpiioFiles::write_record(const Upcoming& upcoming) {
  if (upcoming.opens_file) {
    if (!open_.empty()) open_.back().has_ended = true;
    open_file(upcoming.file_name);
  }
  OpenFile& file = open_.back();
  write_fixed();
  if (!file.has_fixed && upcoming.index_in_file == 0) fill_fixed(file);
  const profile::Written before = file.told.written;
  write(file, part_.record_blocks, upcoming.index_in_file);
  const std::int64_t bytes = file.told.written.file_bytes - before.file_bytes;
  file.rates.add({{upcoming.record, bytes}}, bytes, file.told.written.write_s - before.write_s);
  const block::CollectionPlan& plan = *plan_.blocks;
  add_sums(file, upcoming.index_in_file, plan.record_blocks, plan.rings.moments(),
           plan.rings.moments().slot_of(upcoming.record));
  file.records = upcoming.index_in_file + 1;
  if (settings().durability == config::Durability::record)
    sync_together(circle(), file.told.written, written_, [&] { file.file->sync(); });
  close_ended();
  if (leads_owner_node()) ++written_.records;
  free_blocks(upcoming.record);
}

void MpiioFiles::close_file(const Upcoming& ending) {
  if (ending.opens_file) open_file(ending.file_name);
  end_files();
}

// A collection without any record still leaves a file with its fixed variables.
void MpiioFiles::finish() {
  if (opened_ == 0 && series_.schedule.file_count() > 0)
    open_file(fill_template(settings().file, Calendar::standard, Date{}));
  end_files();
}

void MpiioFiles::end_files() {
  if (!open_.empty()) open_.back().has_ended = true;
  write_fixed();
  close_ended();
}

// ---- checksums

void MpiioFiles::add_sums(const OpenFile& file, std::int64_t index_in_file,
                          const std::vector<block::PlannedBlock>& blocks, const staging::BlockRing& ring,
                          std::int64_t slot) {
  if (summed() == nullptr || !part_.speaks_for_node) return;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const staging::BlockState& state = ring.state(slot, static_cast<std::int64_t>(b));
    const std::uint64_t sum = state.checksum.load(std::memory_order_relaxed) + blocks[b].sum_of_holes();
    sums_.add({file.number, 0, index_in_file}, blocks[b].variable, sum);
  }
}

// Those of all nodes; collective.
std::optional<block::Checksums> MpiioFiles::take_checksums(const OpenFile& file) {
  if (summed() == nullptr) return std::nullopt;
  std::vector<std::int64_t> numbers = block::coded(sums_.take_file(file.number, 0, file.records));
  transport::sum(circle(), numbers);
  return block::Checksums{plan_.blocks->files.summed, 0, block::decoded(numbers, summed()->variables.size())};
}

// ---- what was asked, and what is in force

void MpiioFiles::report(const OpenFile& file, const config::Hints& asked) {
  profile::LibraryFileReport made;
  made.file = file.path;
  made.library = mpiio::library_of(plan_.definition.format).name;
  made.calls = word_of(settings().library_calls);
  made.io_ranks = group_.size();
  made.stripes = storage::stripe_count(file.partial_path);
  made.asked = asked;
  made.in_force = file.file->hints_in_force();
  made.is_repeated = mpiio::take_out_repeated(made.in_force, asked);
  config::Hints effective = asked;
  for (const auto& [hint, value] : made.in_force) effective[hint] = value;
  made.aggregators = mpiio::real_aggregators(effective, aggregation_, made.stripes);
  say(made);
  told_.reports.push_back(std::move(made));
}

// The files of a series have all the same to say.
void MpiioFiles::say(const profile::LibraryFileReport& report) const {
  const std::string text = fmt::format(
      "collection '{}': '{}' is written by {}, {} calls of {} ranks, {} aggregators by ROMIO's rule{}; hints asked: "
      "{}, {}: {}",
      series_.identity.name, report.file, report.library, report.calls, report.io_ranks, report.aggregators,
      report.stripes == 0 ? std::string() : fmt::format(", {} stripes", report.stripes), text_of(report.asked),
      report.is_repeated
          ? "which the MPI library repeats, so that it is not known which of them it keeps; it tells besides"
          : "as the MPI library tells them",
      text_of(report.in_force));
  log::write(told_.reports.empty() ? log::Level::note : log::Level::debug, text);
  if (!told_.reports.empty()) return;
  if (mpiio::uses_faulty_ompio())
    log::warning(
        "this Open MPI's own MPI-IO (OMPIO) is in use, which does not tell when a write fails and may lose data "
        "that several ranks write; set OMPI_MCA_io=romio321 in the environment (5.0: romio341)");
  if (report.is_repeated) return;
  for (const auto& [hint, value] : report.asked) {
    const auto kept = report.in_force.find(hint);
    if (kept == report.in_force.end())
      log::warning("collection '{}': hint '{}' is not kept by the MPI library", series_.identity.name, hint);
    else if (kept->second != value)
      log::note("collection '{}': hint '{}' is {}, not {}", series_.identity.name, hint, kept->second, value);
  }
}

}  // namespace thalweg::files
