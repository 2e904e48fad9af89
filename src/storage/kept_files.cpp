#include "storage/kept_files.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <span>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "config/settings.hpp"
#include "storage/file_identity.hpp"
#include "storage/journal.hpp"
#include "storage/name_lock.hpp"
#include "storage/partial_name.hpp"

namespace thalweg::storage {
namespace {

namespace fs = std::filesystem;

// "ocean.nc" -> "ocean.old.nc", "ocean.old2.nc", …, each with the ending of growing files again, so that it can be
// recovered as it is.
std::string kept_name(const std::string& path, int number) {
  const fs::path original = path;
  const std::string which = number == 1 ? "" : std::to_string(number);
  const std::string name =
      fmt::format("{}.old{}{}{}", original.stem().string(), which, original.extension().string(), partial_ending);
  return original.parent_path() / name;
}

// A name under which nothing is, nor would be in its way when it is recovered, and which nobody has: who recovers a
// kept file may have renamed it and still need what belongs to its name.
struct KeptName {
  std::string path;
  std::unique_ptr<NameLock> lock;
};

KeptName free_kept_name(const std::string& path) {
  for (int number = 1;; ++number) {
    const std::string kept = kept_name(path, number);
    const std::string complete = complete_name(kept);
    if (is_there(kept) || is_there(journal_path(kept)) || is_there(complete) || is_there(lock_path(complete))) continue;
    return {kept, std::make_unique<NameLock>(complete)};
  }
}

bool is_kept_name(const std::string& name, const std::string& path) {
  const fs::path original = path;
  const std::string begin = original.stem().string() + ".old";
  const std::string end = original.extension().string() + partial_ending;
  if (name.size() < begin.size() + end.size() || !name.starts_with(begin) || !name.ends_with(end)) return false;
  const std::string number = name.substr(begin.size(), name.size() - begin.size() - end.size());
  return std::ranges::all_of(number, [](unsigned char letter) { return std::isdigit(letter) != 0; });
}

// Oldest first.
std::vector<fs::path> kept_files(const std::string& path) {
  std::vector<std::pair<fs::file_time_type, fs::path>> found;
  std::error_code error;  // of what vanishes meanwhile, or cannot be looked at: it is not counted
  for (fs::directory_iterator entry(fs::absolute(path).parent_path(), error), end; !error && entry != end;
       entry.increment(error))
    if (is_kept_name(entry->path().filename(), path)) found.emplace_back(entry->last_write_time(error), entry->path());
  std::ranges::sort(found);
  std::vector<fs::path> files;
  for (auto& [time, file] : found) files.push_back(std::move(file));
  return files;
}

std::uintmax_t bytes_of(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path)) return fs::file_size(path, error);
  std::uintmax_t bytes = 0;
  for (fs::recursive_directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error))
    if (entry->is_regular_file(error)) bytes += entry->file_size(error);
  return bytes;
}

std::string kept_text(const std::string& path) {
  const std::vector<fs::path> files = kept_files(path);
  std::uintmax_t bytes = 0;
  for (const fs::path& file : files) bytes += bytes_of(file);
  return fmt::format("{} of unfinished runs of '{}' with {:.1f} MB",
                     files.size() == 1 ? "There is 1 file" : fmt::format("There are {} files", files.size()), path,
                     static_cast<double>(bytes) / 1e6);
}

}  // namespace

std::string keep_aside(const std::string& collection, const std::string& path) {
  const std::string partial_path = path + partial_ending;
  const KeptName name = free_kept_name(path);
  const std::string& kept = name.path;
  std::error_code error;
  fs::rename(partial_path, kept, error);
  if (error)
    fail(THALWEG_ERROR_STORAGE, "collection '{}': cannot keep '{}' of an earlier run aside: {}", collection,
         partial_path, error.message());
  if (is_there(journal_path(partial_path))) fs::rename(journal_path(partial_path), journal_path(kept), error);
  if (error)
    fail(THALWEG_ERROR_STORAGE,
         "collection '{}': '{}' of an earlier run is kept as '{}', but its journal '{}' cannot be: {}", collection,
         partial_path, kept, journal_path(partial_path), error.message());
  log::warning(
      "collection '{}': '{}' was left by a run that did not finish; kept as '{}'. {}: 'thalweg "
      "recover' makes proper files of them, and 'keep-unfinished' says how many are kept",
      collection, partial_path, kept, kept_text(path));
  return kept;
}

// One that is being recovered is somebody's.
void drop_oldest_kept(const std::string& collection, const std::string& path, std::int64_t keep) {
  if (keep == config::keep_all) return;
  const std::vector<fs::path> files = kept_files(path);
  const auto surplus = std::max<std::int64_t>(0, std::ssize(files) - keep);
  for (const std::string oldest : std::span(files).first(static_cast<std::size_t>(surplus))) {
    try {
      const NameLock lock(complete_name(oldest));
      fs::remove_all(oldest);
      remove_journal(oldest);
      log::note("collection '{}': removed '{}' of an unfinished run (keep-unfinished: {})", collection, oldest, keep);
    } catch (const std::exception& error) {
      log::warning("collection '{}': cannot remove '{}': {}", collection, oldest, error.what());
    }
  }
}

}  // namespace thalweg::storage
