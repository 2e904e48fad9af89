#include "client/file_desk.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"

namespace thalweg::client {

FileDesk::FileDesk(Collection& collection, const roles::Roles& roles, block::CommandBook& book,
                   transport::Notices& notices, profile::ClientCounters& counters)
    : collection_(collection),
      roles_(roles),
      book_(book),
      notices_(notices),
      counters_(counters),
      maker_(collection),
      sizes_(collection) {}

void FileDesk::begin_record(const Upcoming& upcoming) {
  if (!upcoming.due || begun_ > upcoming.record) return;
  const Timer timer(counters_.metadata_s);
  if (upcoming.opens_file) {
    if (files_ > 0) end_file();
    open_file(upcoming);
  }
  begun_ = upcoming.record + 1;
  if (!has_small_records()) place_until(begun_);
}

void FileDesk::end_record(double time_s) {
  closed_ = begun_;
  closed_time_s_ = time_s;
  place_if_worth_it();
}

// Small records wait for others, but not so long that the ring fills or anyone waits for them.
void FileDesk::place_if_worth_it() {
  const std::int64_t waiting = closed_ - placed_;
  const std::int64_t most = write_behind().records;
  const bool ring_fills = waiting * 2 >= collection_.plan->record_ring.shape().depth || (most > 0 && waiting >= most);
  const bool is_asked_for = placed_ < asked_for_;
  if (!has_small_records() || is_finishing_ || ring_fills || is_asked_for ||
      now_s() - last_placed_s_ > write_behind().interval_s)
    place_batch();
}

void FileDesk::place_overdue() {
  if (placed_ < closed_ && now_s() - last_placed_s_ > write_behind().interval_s) place_batch();
}

// The record that is being put waits for the next batch: placed now, its blocks would go out one by one.
void FileDesk::place_batch() {
  place_until(closed_);
  commit_closed();
  close_ended_files();
}

void FileDesk::place_pending() {
  asked_for_ = begun_;
  place_until(begun_);
  place_batch();
}

// ---- files

void FileDesk::prepare_first_file() {
  const std::string& file = collection_.declaration.settings().file;
  if (!is_home() || is_template(file) || collection_.procedure) return;
  const Timer timer(counters_.metadata_s);
  maker_.prepare(fill_template(file, Calendar::standard, Date{}));
}

void FileDesk::open_file(const Upcoming& upcoming) {
  ++files_;
  block::OpenFile order;
  order.collection = collection_.number;
  order.file = upcoming.file;
  MadeFile& made = made_.emplace_back(MadeFile{upcoming.file, upcoming.record, -1, false, {}});
  if (!is_home()) {
    order.parts = maker_.names(upcoming.file_name);
    awaited_[upcoming.file] = std::move(order);
    awaited_from_ = upcoming.record;
    if (const auto announced = announced_.extract(upcoming.file)) open_made_file(announced.key(), announced.mapped());
    return;
  }
  MadeFiles files = maker_.take(upcoming.file_name);
  made.parts = std::move(files.files);
  order.parts = std::move(files.names);
  order.set = std::move(files.set);
  order.set_writers_elsewhere = set_writers_elsewhere();
  order.tells_home = !collection_.parts.empty() && roles_.rank != collection_.home_writer;
  if (places_chunks()) order.fixed_offsets = fixed_offsets(made, !collection_.plan->fixed_sizes_first);
  const transport::Notice ready{
      transport::NoticeKind::file_ready, collection_.number, upcoming.file, order.fixed_offsets, 0, ""};
  book_.send(std::move(order));
  tell_others(ready);
  place_fixed(made);
}

// At the home of a set.
int FileDesk::set_writers_elsewhere() const {
  std::set<int> writers;
  for (const FilePart& part : collection_.set) writers.insert(part.writer);
  writers.erase(roles_.rank);
  return static_cast<int>(writers.size());
}

void FileDesk::open_made_file(std::int64_t file, const std::vector<std::int64_t>& fixed_offsets) {
  auto awaited = awaited_.extract(file);
  awaited.mapped().fixed_offsets = fixed_offsets;
  book_.send(std::move(awaited.mapped()));
}

void FileDesk::tell_others(const transport::Notice& notice) {
  for (int rank : collection_.other_writers) notices_.send(rank, notice);
}

// No record follows in the open file.
void FileDesk::end_file() {
  place_until(closed_);
  commit_closed();
  made_.back().end_record = closed_;
  if (is_home()) return close_ended_files();
  book_.send(block::CloseFile{collection_.number, made_.back().number, closed_, {}});
  made_.pop_back();
}

void FileDesk::close_ended_files() {
  while (!made_.empty() && made_.front().end_record >= 0 && placed_ >= made_.front().end_record &&
         (made_.front().fixed_placed || !collection_.plan->fixed_sizes_first)) {
    MadeFile& made = made_.front();
    commit_closed();
    block::CloseFile order{collection_.number, made.number, made.end_record, {}};
    const std::int64_t records = made.end_record - made.first_record;
    if (collection_.declaration.settings().checksum_attributes) {
      order.summed_records = records;
      unsummed_[made.number] = std::move(made);
    } else {
      for (const auto& part : made.parts) order.transactions.push_back(part->close(records));
    }
    book_.send(std::move(order));
    made_.pop_front();
  }
}

// The sums become attributes, which only now can be part of what completes the file.
void FileDesk::hear(const block::FileSummed& event) {
  const Timer timer(counters_.metadata_s);
  const MadeFile made = std::move(unsummed_.extract(event.file).mapped());
  made.parts.front()->set_checksums(event.sums);
  block::CloseFile order{collection_.number, made.number, made.end_record, {}};
  order.transactions.push_back(made.parts.front()->close(made.end_record - made.first_record));
  book_.send(std::move(order));
}

// A collection without any record still leaves a file with its fixed variables.
void FileDesk::finish() {
  const Timer timer(counters_.metadata_s);
  is_finishing_ = true;
  if (files_ == 0) {
    Upcoming first;
    first.opens_file = true;
    first.file_name = fill_template(collection_.declaration.settings().file, Calendar::standard, Date{});
    open_file(first);
  }
  end_file();
}

// ---- records

FileDesk::MadeFile& FileDesk::file_of(std::int64_t record) {
  return *std::find_if(made_.rbegin(), std::prev(made_.rend()),
                       [&](const MadeFile& made) { return made.first_record <= record; });
}

void FileDesk::place_until(std::int64_t records) {
  if (placed_ >= records) return;
  for (; placed_ < records && may_place(placed_); ++placed_) {
    last_placed_s_ = now_s();
    place(file_of(placed_), placed_);
  }
}

// Elsewhere chunks are placed by what the home tells.
void FileDesk::place(MadeFile& made, std::int64_t record) {
  if (!is_home() && places_chunks()) return;
  const std::int64_t index = record - made.first_record;
  for (const auto& part : made.parts) part->extend(index + 1);
  if (is_home() && collection_.plan->sizes_first) {
    store_chunks(made, index, record);
    sizes_.forget(record);
  }
  block::PlaceRecord order{collection_.number, record, made.number, index, {}, closed_time_s_};
  if (places_chunks()) {
    order.offsets = offsets_of(roles_.rank, made, record);
    tell_offsets(made, record);
  }
  book_.send(std::move(order));
}

void FileDesk::commit_closed() {
  const std::int64_t records = std::min(placed_, closed_);
  while (is_home() && committed_ < records) {
    MadeFile& made = file_of(committed_);
    committed_ = made.end_record < 0 ? records : std::min(records, made.end_record);
    block::CommitRecords order{collection_.number, made.number, committed_ - 1, {}};
    for (const auto& part : made.parts) order.transactions.push_back(part->commit(committed_ - made.first_record));
    book_.send(std::move(order));
  }
}

std::vector<std::int64_t> FileDesk::offsets_of(int writer, const MadeFile& made, std::int64_t record) const {
  std::vector<std::int64_t> offsets;
  for (const int number : collection_.chunks_of.at(writer))
    for (const Collection::Chunk& chunk : collection_.record_chunks.at(number))
      offsets.push_back(made.part(chunk.part).offset(chunk.variable, record - made.first_record, chunk.number));
  return offsets;
}

// offsets: file, index in the file, then one for each chunk of the writer's record blocks.
void FileDesk::tell_offsets(const MadeFile& made, std::int64_t record) {
  for (const int writer : collection_.other_writers) {
    transport::Notice notice{transport::NoticeKind::record_offsets,
                             collection_.number,
                             record,
                             {made.number, record - made.first_record},
                             0,
                             ""};
    const std::vector<std::int64_t> offsets = offsets_of(writer, made, record);
    notice.offsets.insert(notice.offsets.end(), offsets.begin(), offsets.end());
    notices_.send(writer, notice);
  }
}

// ---- encoded chunks: their sizes are told by the ranks that write them, their places by the home

// A procedure is told the record's time, so its records are placed when they are closed, one by one.
bool FileDesk::may_place(std::int64_t record) const {
  if (collection_.procedure) return record < closed_;
  if (!is_home() || !collection_.plan->sizes_first) return true;
  return record < closed_ && sizes_.are_known(record);
}

bool FileDesk::owes(std::int64_t records) const {
  if (is_home()) return collection_.plan->sizes_first && placed_ < records;
  if (!awaited_.empty() && awaited_from_ < records) return true;
  if (!places_chunks()) return false;
  const auto is_encoded = [](const block::PlannedBlock& block) { return block.encoding.changes_size(); };
  const bool tells = std::ranges::any_of(collection_.plan->record_blocks, is_encoded);
  return heard_.count() < records || (tells && told_.count() < records);
}

// sizes_of: record of the collection whose sizes are meant; record: in the file, or fixed_record.
void FileDesk::store_chunks(MadeFile& made, std::int64_t record, std::int64_t sizes_of) {
  const auto encoded = sizes_.encoded(sizes_of, made.parts.size());
  for (std::size_t part = 0; part < encoded.size(); ++part) made.parts[part]->store(record, encoded[part]);
}

void FileDesk::take_sizes(int writer, std::int64_t record, std::vector<std::int64_t> codes) {
  const Timer timer(counters_.metadata_s);
  sizes_.told(writer, record, std::move(codes));
  if (record != block::fixed_record) return place_if_worth_it();
  for (MadeFile& made : made_) place_fixed(made);
  close_ended_files();
}

std::vector<std::int64_t> FileDesk::fixed_offsets(const MadeFile& made, bool has_encoded) const {
  std::vector<std::int64_t> offsets;
  const auto variables = static_cast<int>(collection_.declaration.definition().variables.size());
  for (std::size_t part = 0; part < made.parts.size(); ++part)
    for (int v = 0; v < variables; ++v) {
      const std::int64_t places = block::fixed_places(collection_.variable(v), collection_.shape_in_part(v, part));
      const bool is_placed = has_encoded || !collection_.variable(v).encoding.changes_size();
      for (std::int64_t chunk = 0; chunk < places; ++chunk)
        offsets.push_back(is_placed ? made.parts[part]->offset(v, 0, chunk) : block::unknown_offset);
    }
  return offsets;
}

void FileDesk::place_fixed(MadeFile& made) {
  if (!collection_.plan->fixed_sizes_first || made.fixed_placed || !sizes_.are_known(block::fixed_record)) return;
  made.fixed_placed = true;
  store_chunks(made, block::fixed_record, block::fixed_record);
  block::PlaceFixed order{collection_.number, made.number, fixed_offsets(made, true)};
  tell_others({transport::NoticeKind::fixed_offsets, collection_.number, made.number, order.offsets, 0, ""});
  book_.send(std::move(order));
}

// ---- news

void FileDesk::hear(const transport::Notice& notice) {
  switch (notice.kind) {
    case transport::NoticeKind::file_ready: {
      if (awaited_.count(notice.number) == 0)
        announced_[notice.number] = notice.offsets;
      else
        open_made_file(notice.number, notice.offsets);
      break;
    }
    case transport::NoticeKind::chunk_sizes:
      take_sizes(static_cast<int>(notice.offsets[0]), notice.number,
                 {notice.offsets.begin() + 1, notice.offsets.end()});
      break;
    case transport::NoticeKind::record_offsets: {
      heard_.add(notice.number);
      std::vector<std::int64_t> offsets(notice.offsets.begin() + 2, notice.offsets.end());
      book_.send(block::PlaceRecord{collection_.number, notice.number, notice.offsets[0], notice.offsets[1],
                                    std::move(offsets), 0.0});
      break;
    }
    case transport::NoticeKind::fixed_offsets:
      book_.send(block::PlaceFixed{collection_.number, notice.number, notice.offsets});
      break;
    case transport::NoticeKind::record_written:
      book_.send(block::OtherWriterWrote{collection_.number, notice.number, notice.offsets[0], notice.offsets[1],
                                         block::decoded(std::span(notice.offsets).subspan(2))});
      break;
    case transport::NoticeKind::file_written:
      book_.send(block::OtherWriterClosed{collection_.number, notice.number, block::decoded(notice.offsets)});
      break;
    case transport::NoticeKind::lost:
    case transport::NoticeKind::news:
    case transport::NoticeKind::failed: break;  // the session's
  }
}

void FileDesk::tell_home(transport::NoticeKind kind, std::int64_t number, std::vector<std::int64_t> values) {
  notices_.send(collection_.home_writer, {kind, collection_.number, number, std::move(values), 0, ""});
}

void FileDesk::hear(const block::ChunksEncoded& event) {
  // By claims, sizes of a record are of what its writer claimed: of nothing, if it is another one's.
  const bool is_claimed = collection_.by_claims && event.record != block::fixed_record;
  const int number = is_claimed ? Collection::claimed_on(roles_.node) : roles_.rank;
  const bool tells = !is_claimed || !event.sizes.empty();
  if (is_home()) return tells ? take_sizes(number, event.record, event.sizes) : void();
  told_.add(event.record);
  if (!tells) return;
  std::vector<std::int64_t> values{number};
  values.insert(values.end(), event.sizes.begin(), event.sizes.end());
  tell_home(transport::NoticeKind::chunk_sizes, event.record, std::move(values));
}

void FileDesk::hear(const block::RecordWritten& event) {
  std::vector<std::int64_t> values{event.file, event.index_in_file};
  const std::vector<std::int64_t> sums = block::coded(event.sums);
  values.insert(values.end(), sums.begin(), sums.end());
  tell_home(transport::NoticeKind::record_written, event.record, std::move(values));
}

void FileDesk::hear(const block::FileWritten& event) {
  tell_home(transport::NoticeKind::file_written, event.file, block::coded(event.sums));
}

}  // namespace thalweg::client
