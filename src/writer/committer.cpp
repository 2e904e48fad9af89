#include "writer/committer.hpp"

#include "base/subject.hpp"
#include "writer/at_file.hpp"
#include "writer/block_encoding.hpp"

namespace thalweg::writer {
namespace {

// Other writers tell records in order, so the last record of a commit speaks for all before it.
bool has_commit(const OpenedFile& file, const RecordLedger& ledger) {
  return !file.commits.empty() && ledger.is_written_everywhere(file.commits.front().last_record);
}

// Before the first record of the file is told of, or committed: variables without records may be put long after, or
// never, and what is committed before shows the fill value in their place, not what the storage had there. What is
// encoded needs none: its format has one.
void fill_missing(OpenedFile& file, const block::CollectionPlan& plan) {
  if (std::exchange(file.fixed_filled, true)) return;
  for (std::size_t b = 0; b < file.fixed_written.size(); ++b) {
    const block::PlannedBlock& block = plan.fixed_blocks[b];
    if (!file.fixed_written[b] && !is_encoded(block))
      file.part_of(block).sink().fill(block, {.offsets = file.command.fixed_offsets});
  }
}

}  // namespace

void Committer::open(block::OpenFile command) {
  const std::int64_t file = command.file;
  at_file(file, plan_, around_, [&] { files_.try_emplace(file, std::move(command), plan_, around_.access); });
}

void Committer::order_commit(block::CommitRecords command) {
  files_.at(command.file).commits.push_back(std::move(command));
}

const std::vector<std::int64_t>* Committer::fixed_offsets(const OpenedFile& file,
                                                          const block::PlannedBlock& block) const {
  if (!is_encoded(block) || !plan_.files.fixed_sizes_first) return &file.command.fixed_offsets;
  const auto told = fixed_offsets_.find(file.number());
  return told == fixed_offsets_.end() ? nullptr : &told->second;
}

std::string Committer::file_being_written() const {
  return files_.empty() ? "" : files_.begin()->second.command.parts.front().path;
}

profile::WrittenFiles Committer::written() const {
  profile::WrittenFiles all = named_;
  for (const auto& [number, file] : files_)
    for (const auto& part : file.parts)
      if (!file.parts_named) all.add(part->written());
  return all;
}

// Each file to its end if it misses no variable without records: such a one may come as late as the model likes.
bool Committer::takes_turn(std::int64_t file) {
  if (!plan_.files.in_turns()) return true;
  const auto found = files_.find(file);
  for (auto earlier = files_.begin(); earlier != found; ++earlier) {
    if (!has_all_records(earlier->first)) return false;
    if (earlier->second.has_all_fixed())
      at_file(earlier->first, plan_, around_, [&] { earlier->second.first_part().sink().close(); });
  }
  return found != files_.end();
}

bool Committer::end_record(std::int64_t record) {
  const Placement& of = ledger_.placement(record);
  if (!takes_turn(of.file)) return false;
  at_file(of.file, plan_, around_, [&] {
    files_.at(of.file).first_part().sink().end_record({record, of.index_in_file, of.offsets, of.time_s});
  });
  return true;
}

void Committer::complete_records(const Placement& last) {
  OpenedFile& file = files_.at(last.file);
  at_file(last.file, plan_, around_, [&] {
    fill_missing(file, plan_);
    FileWriter& whole = file.first_part();  // files of sets have one writer
    whole.sink().gather(last.index_in_file + 1);
    if (plan_.files.durability == config::Durability::record) whole.sync();
  });
}

std::optional<std::int64_t> Committer::commit_some(OpenedFile& file) {
  // A commit that the next one overwrites entirely can be left out; those of the parts of a set are of one kind.
  const auto is_repeated = [](const block::CommitRecords& commit) {
    return !commit.transactions.front().journaled && !commit.transactions.front().incremental;
  };
  std::optional<block::CommitRecords> commit;
  while (has_commit(file, ledger_) && (!commit || is_repeated(*commit))) {
    commit = std::move(file.commits.front());
    file.commits.pop_front();
  }
  if (!commit) return std::nullopt;
  const Concerns about({plan_.word, plan_.rings.moments().progress().moments(), commit->last_record});
  at_file(file.number(), plan_, around_, [&] {
    fill_missing(file, plan_);
    sums_.require_expected(file.number(), commit->transactions.front().records);
    for (std::size_t part = 0; part < file.parts.size(); ++part) {
      file.parts[part]->sink().gather(commit->transactions[part].records);
      file.parts[part]->commit(commit->transactions[part]);
    }
  });
  return commit->last_record + 1;
}

// As far as they are this writer's.
bool Committer::has_all_records(std::int64_t file) const {
  const auto close = closes_.find(file);
  return close != closes_.end() && ledger_.written() >= close->second.end_record;
}

bool Committer::close_some() {
  bool worked = false;
  for (auto it = files_.begin(); it != files_.end();) {
    if (at_file(it->first, plan_, around_, [&] { return close_if_complete(it->second); })) {
      it = files_.erase(it);
      worked = true;
    } else {
      ++it;
    }
  }
  return worked;
}

bool Committer::close_if_complete(OpenedFile& file) {
  if (!file.parts_closed) {
    if (!may_close(file) || tells_sums(file)) return false;
    close_parts(file);
  }
  if (!file.parts_named) {
    if (!may_name(file)) return false;
    name_parts(file);
  }
  if (!end_set(file)) return false;
  closes_.erase(file.number());
  others_.forget(file.number());
  fixed_offsets_.erase(file.number());
  ++around_.counters.files;
  plan_.rings.moments().progress().note_file();
  around_.wake_ups.note_progress();
  return true;
}

bool Committer::may_close(const OpenedFile& file) const {
  if (!has_all_records(file.number()) || !file.has_all_fixed() || !file.commits.empty()) return false;
  return !plan_.files.owned || others_.have_closed(file.number(), plan_.files.other_writers);
}

// True: they were asked for, and the command that closes the file follows from them.
bool Committer::tells_sums(OpenedFile& file) {
  const block::CloseFile& command = closes_.at(file.number());
  if (!command.summed_records) return false;
  if (file.sums) return true;
  file.sums = sums_.take_file(command.file, 0, *command.summed_records);
  around_.book.report(block::FileSummed{number_, command.file, *file.sums});
  around_.wake_ups.note_progress();
  return true;
}

std::optional<block::Checksums> Committer::take_checksums(OpenedFile& file, std::size_t part, std::int64_t records) {
  if (!plan_.files.summed || !plan_.files.has_companions) return std::nullopt;
  if (!file.sums) file.sums = sums_.take_file(file.number(), part, records);
  return block::Checksums{plan_.files.summed, part, *std::exchange(file.sums, std::nullopt)};
}

void Committer::close_parts(OpenedFile& file) {
  const std::int64_t number = file.number();
  const block::CloseFile& close = closes_.at(number);
  for (std::size_t part = 0; part < file.parts.size(); ++part) {
    FileWriter& of = *file.parts[part];
    if (!plan_.files.owned)
      of.close();
    else if (close.is_void || !of.complete(close.transactions[part]))
      file.spares_complete = true;
  }
  file.parts_closed = true;
  if (!plan_.files.owned)
    around_.book.report(block::FileWritten{number_, number, sums_.take(number, block::fixed_record)});
  else if (file.command.tells_home)
    around_.book.report(block::FileWritten{number_, number, {}});
}

// Parts of a set get their names when all of them are written, so that whatever ends a run before leaves the set that
// had the name as it was.
bool Committer::may_name(const OpenedFile& file) const {
  if (file.command.tells_home) return others_.want_names(file.number());
  return !file.command.set || others_.have_closed(file.number(), file.command.set_writers_elsewhere);
}

void Committer::name_parts(OpenedFile& file) {
  if (file.command.set && file.command.set_writers_elsewhere > 0)
    around_.book.report(block::SetWritten{number_, file.number()});
  const block::CloseFile& close = closes_.at(file.number());
  for (std::size_t part = 0; part < file.parts.size(); ++part) {
    FileWriter& of = *file.parts[part];
    if (plan_.files.owned && file.spares_complete)
      of.give_up();
    else if (plan_.files.owned)
      of.publish(take_checksums(file, part, close.transactions[part].records));
    of.add_counts(around_.counters);
    named_.add(of.written());
  }
  file.parts_named = true;
  if (file.command.tells_home) around_.book.report(block::PartsNamed{number_, file.number()});
}

// False: not all parts have their names yet.
bool Committer::end_set(const OpenedFile& file) {
  if (!file.command.set) return true;
  if (!others_.have_named(file.number(), file.command.set_writers_elsewhere)) return false;
  const auto call = around_.access.call(staging::WriterActivity::publish);
  if (file.spares_complete)
    file.command.set->discard();
  else
    file.command.set->publish();
  return true;
}

}  // namespace thalweg::writer
