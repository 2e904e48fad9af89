#include "forcing/series_files.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "base/calendar.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "read/newest.hpp"
#include "storage/file_identity.hpp"
#include "transport/agreement.hpp"
#include "transport/collective.hpp"
#include "transport/packing.hpp"

namespace thalweg::forcing {
namespace {

// What a path stands for. A file may be called so itself, whoever may have written it.
std::vector<std::string> found_at(const std::string& name, const std::string& path) {
  if (storage::is_there(path)) return {path};
  std::vector<std::string> found = read::paths_like(path);
  if (!found.empty()) return found;
  if (name == path) fail(THALWEG_ERROR_STORAGE, "there is no file '{}', and none of a name like it", path);
  fail(THALWEG_ERROR_STORAGE, "forcing '{}': there is no file of a name like '{}'", name, path);
}

// Of a series of hundreds no more are open than a process may have beside its own: one is read, and the next one ahead.
constexpr std::size_t most_open = 4;

// Those that are known.
std::vector<double> known_times(const read::Input& file) {
  std::vector<double> times_s = file.contents().times_s;
  std::erase_if(times_s, [](double time_s) { return std::isnan(time_s); });
  return times_s;
}

// What the first client finds, all take.
std::vector<std::string> paths_of(const read::Surroundings& around, const std::string& name, const std::string& path) {
  if (!is_template(path) && !has_number_part(path)) return {path};
  const transport::Bytes told = transport::told_by_first(around.circle, [&] {
    transport::Packer packer;
    const std::vector<std::string> found = around.storage.found(fmt::format("search for the files of '{}'", path),
                                                                [name, path] { return found_at(name, path); });
    packer.put(static_cast<std::int64_t>(found.size()));
    for (const std::string& of : found) packer.put_all(of);
    return packer.take();
  });
  transport::Unpacker unpacker(told);
  std::vector<std::string> paths(static_cast<std::size_t>(unpacker.get<std::int64_t>()));
  for (std::string& of : paths) of = unpacker.get_all<std::string>();
  return paths;
}

}  // namespace

SeriesFiles::SeriesFiles(read::Inputs& inputs, std::string name, const std::string& path, bool translates)
    : inputs_(inputs), name_(std::move(name)) {
  try {
    for (const std::string& of : paths_of(inputs_.around(), name_, path)) {
      files_.push_back(&inputs_.open(of, name_, translates));
      use(*files_.back());
    }
    if (files_.size() > 1) sort_by_time();
  } catch (...) {
    for (const read::Input* file : files_) inputs_.close(*file);
    throw;
  }
}

SeriesFiles::~SeriesFiles() {
  for (const read::Input* file : files_) inputs_.close(*file);
}

void SeriesFiles::sort_by_time() {
  for (const read::Input* file : files_)
    if (!file->contents().no_times.empty())
      fail(THALWEG_ERROR_FORMAT, "forcing '{}': {}", name_, file->contents().no_times);
  // A file may begin with dates that the calendar lacks.
  std::ranges::stable_sort(files_, {}, [](const read::Input* file) {
    const std::vector<double> times_s = known_times(*file);
    return times_s.empty() ? std::numeric_limits<double>::infinity() : times_s.front();
  });
  require_apart();
  if (inputs_.around().circle.rank() == 0) note_gaps();
}

void SeriesFiles::require_apart() const {
  for (std::size_t i = 1; i < files_.size(); ++i) {
    const std::vector<double> before = known_times(*files_[i - 1]);
    const std::vector<double> after = known_times(*files_[i]);
    if (before.empty() || after.empty() || before.back() < after.front()) continue;
    fail(
        THALWEG_ERROR_FORMAT,
        "forcing '{}': the records of '{}' reach up to {} s, and those of '{}' begin at {} s; files of a series follow "
        "each other, take one of both out of its pattern",
        name_, files_[i - 1]->path(), before.back(), files_[i]->path(), after.front());
  }
}

// A year that was not copied would be a long interpolation.
void SeriesFiles::note_gaps() const {
  constexpr double so_much_longer = 3.0;
  std::vector<double> all;
  for (const read::Input* file : files_) std::ranges::copy(known_times(*file), std::back_inserter(all));
  std::vector<double> distances;
  for (std::size_t r = 1; r < all.size(); ++r) distances.push_back(all[r] - all[r - 1]);
  if (distances.empty()) return;
  const auto middle = distances.begin() + std::ssize(distances) / 2;
  std::ranges::nth_element(distances, middle);
  const double usual_s = *middle;
  for (std::size_t i = 1; i < files_.size(); ++i) {
    const std::vector<double> before = known_times(*files_[i - 1]);
    const std::vector<double> after = known_times(*files_[i]);
    if (before.empty() || after.empty() || after.front() - before.back() <= so_much_longer * usual_s) continue;
    log::warning(
        "forcing '{}': between the last record of '{}' and the first of '{}' there are {} s, and between most records "
        "{} s; is a file missing? (Other gaps are not told.)",
        name_, files_[i - 1]->path(), files_[i]->path(), after.front() - before.back(), usual_s);
    return;
  }
}

void SeriesFiles::use(read::Input& file) {
  if (!used_.empty() && used_.front() == &file) return;
  std::erase(used_, &file);
  used_.push_front(&file);
  if (used_.size() <= most_open) return;
  used_.back()->release();
  used_.pop_back();
}

std::int64_t SeriesFiles::records() const {
  std::int64_t records = 0;
  for (const read::Input* file : files_) records += file->contents().records;
  return records;
}

std::vector<double> SeriesFiles::times() const {
  std::vector<double> times;
  for (const read::Input* file : files_) {
    const std::vector<double>& own = file->times_s();
    times.insert(times.end(), own.begin(), own.end());
  }
  return times;
}

std::int64_t SeriesFiles::record_at(double time_s) const {
  return read::record_at(times(), time_s, name_);
}

SeriesFiles::Place SeriesFiles::place_of(std::int64_t record) const {
  std::int64_t before = 0;
  for (read::Input* file : files_) {
    const std::int64_t records = file->contents().records;
    if (record >= before && record < before + records) return {file, record - before};
    before += records;
  }
  return {files_.front(), record};
}

}  // namespace thalweg::forcing
