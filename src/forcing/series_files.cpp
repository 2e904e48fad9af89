#include "forcing/series_files.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/calendar.hpp"
#include "base/error.hpp"
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

// What the first client finds, all take.
std::vector<std::string> paths_of(const roles::Circle& circle, const std::string& name, const std::string& path) {
  if (!is_template(path) && !has_number_part(path)) return {path};
  const transport::Bytes told = transport::told_by_first(circle, [&] {
    transport::Packer packer;
    const std::vector<std::string> found = found_at(name, path);
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
    for (const std::string& of : paths_of(inputs_.around().circle, name_, path))
      files_.push_back(&inputs_.open(of, name_, translates));
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
    const std::vector<double>& times_s = file->contents().times_s;
    const auto known = std::ranges::find_if(times_s, [](double time_s) { return !std::isnan(time_s); });
    return known == times_s.end() ? std::numeric_limits<double>::infinity() : *known;
  });
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
