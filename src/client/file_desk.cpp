#include "client/file_desk.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"

namespace thalweg::client {
namespace {

// Records below this are placed together: the format library's work for one (some 10 microseconds a variable) would
// cost the model more than the data.
constexpr std::int64_t small_record_bytes = std::int64_t{1} << 20;
constexpr double batch_s = 0.1;

// "ocean.nc" -> "ocean.old.nc", "ocean.old2.nc", …: the first whose partial file does not exist. It ends in ".partial"
// again, so that it can be recovered as it is.
std::string name_for_kept(const std::string& path) {
  const std::filesystem::path original = path;
  for (int number = 1;; ++number) {
    const std::string ending =
        fmt::format(".old{}{}.partial", number == 1 ? "" : std::to_string(number), original.extension().string());
    const std::filesystem::path kept = original.parent_path() / (original.stem().string() + ending);
    if (!std::filesystem::exists(kept)) return kept.string();
  }
}

}  // namespace

void make_way(const config::CollectionSettings& settings, const std::string& path, const std::string& partial_path) {
  namespace fs = std::filesystem;
  if (settings.append == config::Append::fail)
    for (const std::string& existing : {path, partial_path})
      if (fs::exists(existing))
        fail(THALWEG_ERROR_STORAGE,
             "collection '{}': '{}' exists already and 'append' is 'fail'; remove it, change 'file', or set 'append: "
             "new'",
             settings.name, existing);
  if (!fs::exists(partial_path)) return;
  const std::string kept = name_for_kept(path);
  std::error_code error;
  fs::rename(partial_path, kept, error);
  if (error)
    fail(THALWEG_ERROR_STORAGE, "collection '{}': cannot keep '{}' of an earlier run aside: {}", settings.name,
         partial_path, error.message());
  if (fs::exists(partial_path + ".journal")) fs::rename(partial_path + ".journal", kept + ".journal", error);
  log::warning("collection '{}': '{}' was left by a run that did not finish; kept as '{}'", settings.name, partial_path,
               kept);
}

FileDesk::FileDesk(Collection& collection, const roles::Roles& roles, store::OrderBook& book,
                   transport::Notices& notices, profile::ClientCounters& counters)
    : collection_(collection), roles_(roles), book_(book), notices_(notices), counters_(counters) {
  std::int64_t bytes = 0;
  for (const store::PlannedBlock& block : collection.plan->record_blocks) bytes += block.map.bytes;
  small_records_ = is_chunked() && bytes < small_record_bytes;
}

void FileDesk::begin_record(const Upcoming& upcoming) {
  if (!upcoming.due || begun_ > upcoming.record) return;
  const Timer timer(counters_.metadata_s);
  if (upcoming.opens_file) {
    if (files_ > 0) close_file();
    open_file(upcoming);
    first_record_ = upcoming.record;
  }
  begun_ = upcoming.record + 1;
  if (!small_records_) place_until(begun_);
}

void FileDesk::end_record() {
  closed_ = begun_;
  const bool ring_fills = (closed_ - placed_) * 2 >= collection_.plan->record_ring.shape().depth;
  if (!small_records_ || ring_fills || now_s() - last_placed_s_ > batch_s) place_pending();
}

store::OpenFile FileDesk::open_order(std::int64_t file, const std::string& name) const {
  store::OpenFile order;
  order.collection = collection_.number;
  order.file = file;
  order.path = name;
  order.partial_path = name + ".partial";
  return order;
}

void FileDesk::make_file(const store::OpenFile& order) {
  // The program may have chosen another name meanwhile.
  file_.reset();
  if (!prepared_.empty()) std::filesystem::remove(prepared_ + ".partial");
  make_way(collection_.declaration.settings(), order.path, order.partial_path);
  file_ = store::create(order.partial_path, collection_.declaration.definition());
}

void FileDesk::prepare_first_file() {
  const std::string& file = collection_.declaration.settings().file;
  if (!is_home() || is_template(file) || !prepared_.empty()) return;
  const Timer timer(counters_.metadata_s);
  const std::string name = fill_template(file, Calendar::standard, Date{});
  make_file(open_order(0, name));
  prepared_ = name;
}

void FileDesk::open_file(const Upcoming& upcoming) {
  ++files_;
  if (!names_.insert(upcoming.file_name).second)
    fail(THALWEG_ERROR_STORAGE,
         "collection '{}': two files of the series would have the name '{}'; give 'file' a template that tells them "
         "apart",
         collection_.name, upcoming.file_name);
  store::OpenFile order = open_order(upcoming.file, upcoming.file_name);
  if (!is_home()) {
    awaited_[upcoming.file] = std::move(order);
    if (const auto made = announced_.extract(upcoming.file)) open_made_file(made.key(), made.mapped());
    return;
  }
  if (prepared_ != upcoming.file_name) make_file(order);
  prepared_.clear();
  const catalog::Definition& definition = collection_.declaration.definition();
  if (is_chunked())
    for (std::size_t v = 0; v < definition.variables.size(); ++v)
      order.fixed_offsets.push_back(definition.variables[v].has_record ? -1 : file_->offset(static_cast<int>(v), 0, 0));
  transport::Notice ready{
      transport::NoticeKind::file_ready, collection_.number, upcoming.file, order.fixed_offsets, 0, ""};
  book_.order(std::move(order));
  tell_others(ready);
}

void FileDesk::open_made_file(std::int64_t file, const std::vector<std::int64_t>& fixed_offsets) {
  auto awaited = awaited_.extract(file);
  awaited.mapped().fixed_offsets = fixed_offsets;
  book_.order(std::move(awaited.mapped()));
}

void FileDesk::tell_others(const transport::Notice& notice) {
  for (int rank : collection_.writing_leaders) notices_.send(rank, notice);
}

void FileDesk::place_pending() {
  place_until(begun_);
  commit_closed();
}

void FileDesk::place_overdue() {
  if (placed_ < closed_ && now_s() - last_placed_s_ > batch_s) place_pending();
}

void FileDesk::place_until(std::int64_t records) {
  if (placed_ >= records) return;
  last_placed_s_ = now_s();
  if (is_home()) file_->extend(in_file(records));
  for (; placed_ < records; ++placed_) place(placed_);
}

// On other nodes chunks are placed by what the home tells.
void FileDesk::place(std::int64_t record) {
  if (!is_home() && is_chunked()) return;
  store::PlaceRecord order{collection_.number, record, files_ - 1, in_file(record), {}};
  if (is_chunked()) {
    order.offsets = offsets_of(in_file(record));
    tell_offsets(record);
  }
  book_.order(std::move(order));
}

void FileDesk::commit_closed() {
  const std::int64_t records = std::min(placed_, closed_);
  if (!is_home() || records <= committed_) return;
  book_.order(store::CommitRecords{collection_.number, files_ - 1, records - 1, file_->commit(in_file(records))});
  committed_ = records;
}

std::vector<std::int64_t> FileDesk::offsets_of(std::int64_t index_in_file) const {
  std::vector<std::int64_t> offsets;
  offsets.reserve(collection_.plan->record_blocks.size());
  for (const store::PlannedBlock& block : collection_.plan->record_blocks)
    offsets.push_back(file_->offset(block.variable, index_in_file, block.chunk));
  return offsets;
}

// offsets: file, index in the file, then one for each of the node's record blocks.
void FileDesk::tell_offsets(std::int64_t record) {
  for (const auto& [node, blocks] : collection_.remote_blocks) {
    transport::Notice notice{
        transport::NoticeKind::record_offsets, collection_.number, record, {files_ - 1, in_file(record)}, 0, ""};
    for (const auto& [variable, chunk] : blocks)
      notice.offsets.push_back(file_->offset(variable, in_file(record), chunk));
    notices_.send(roles_.leaders[static_cast<std::size_t>(node)], notice);
  }
}

void FileDesk::close_file() {
  place_until(closed_);
  commit_closed();
  store::CloseFile order{collection_.number, files_ - 1, closed_, {}};
  if (is_home()) {
    order.transaction = file_->close(in_file(closed_));
    file_.reset();
  }
  book_.order(std::move(order));
}

// A collection without any record still leaves a file with its fixed variables.
void FileDesk::finish() {
  const Timer timer(counters_.metadata_s);
  if (files_ == 0) {
    Upcoming first;
    first.opens_file = true;
    first.file_name = fill_template(collection_.declaration.settings().file, Calendar::standard, Date{});
    open_file(first);
  }
  close_file();
}

void FileDesk::hear(const transport::Notice& notice) {
  switch (notice.kind) {
    case transport::NoticeKind::file_ready: {
      if (awaited_.count(notice.number) == 0)
        announced_[notice.number] = notice.offsets;
      else
        open_made_file(notice.number, notice.offsets);
      break;
    }
    case transport::NoticeKind::record_offsets: {
      std::vector<std::int64_t> offsets(notice.offsets.begin() + 2, notice.offsets.end());
      book_.order(store::PlaceRecord{collection_.number, notice.number, notice.offsets[0], notice.offsets[1],
                                     std::move(offsets)});
      break;
    }
    case transport::NoticeKind::record_written:
      book_.order(store::OtherNodeWrote{collection_.number, notice.number});
      break;
    case transport::NoticeKind::file_written:
      book_.order(store::OtherNodeClosed{collection_.number, notice.number});
      break;
    case transport::NoticeKind::failed: break;  // the session's
  }
}

void FileDesk::hear(const store::RecordWritten& event) {
  notices_.send(roles_.leaders[static_cast<std::size_t>(collection_.home)],
                {transport::NoticeKind::record_written, event.collection, event.record, {}, 0, ""});
}

void FileDesk::hear(const store::FileWritten& event) {
  notices_.send(roles_.leaders[static_cast<std::size_t>(collection_.home)],
                {transport::NoticeKind::file_written, event.collection, event.file, {}, 0, ""});
}

}  // namespace thalweg::client
