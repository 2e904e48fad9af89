#include "sets/combine.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <memory>

#include "base/error.hpp"
#include "formats/result_file.hpp"
#include "sets/joiner.hpp"
#include "sets/set_reader.hpp"
#include "sets/virtual_master.hpp"
#include "storage/checksum_file.hpp"
#include "storage/free_name.hpp"
#include "storage/name_lock.hpp"
#include "storage/posix.hpp"

namespace thalweg::sets {
namespace {

namespace fs = std::filesystem;

// A file that is being made; removed unless it is published.
class Unpublished {
 public:
  explicit Unpublished(const CombineOptions& options)
      : name_(options.output), partial_(unfinished_name(options)), lock_(name_) {
    for (const std::string& path : {name_, partial_})
      if (fs::exists(path)) fail(THALWEG_ERROR_STORAGE, "'{}' exists already; move it away, or name another", path);
  }
  ~Unpublished() {
    if (!is_published_) ::unlink(partial_.c_str());
  }
  Unpublished(const Unpublished&) = delete;
  Unpublished& operator=(const Unpublished&) = delete;

  const std::string& partial() const { return partial_; }
  void publish() {
    if (!storage::identity_at(name_))
      storage::remove_checksums(name_);  // of an earlier file: a kill leaves none beside the new one
    storage::rename_to_free(partial_, name_);
    is_published_ = true;
    storage::sync_folder_of(name_);  // before the parts go
  }

 private:
  std::string name_;
  std::string partial_;
  storage::NameLock lock_;
  bool is_published_ = false;
};

BitSums copy_values(FileSet& set, const std::string& path, std::int64_t memory_bytes) {
  const std::unique_ptr<formats::ResultFile> result = formats::create_result(path, set.whole, set.records);
  const BitSums sums = Joiner(set, memory_bytes).join([&](int v, std::int64_t record, const Box& run, auto values) {
    result->write(v, record, run, values);
  });
  result->close();
  return sums;
}

BitSums make_master(FileSet& set, const std::string& path, std::int64_t memory_bytes) {
  std::vector<SetPart> parts = set.parts;
  const fs::path folder = fs::absolute(path).parent_path();
  for (SetPart& part : parts) part.file = fs::absolute(part.file).lexically_relative(folder);
  create_virtual_master(path, set.whole, parts);
  storage::sync_file(path);
  return Joiner(set, memory_bytes).join([](int, std::int64_t, const Box&, auto) {});
}

void check_options(const CombineOptions& options, const FileSet& set, bool is_virtual) {
  if (options.removes && is_virtual)
    fail(THALWEG_ERROR_ARGUMENT,
         "the parts of '{}' cannot be removed: a virtual master has no values of its own; copy them (--copy), or keep "
         "the parts",
         options.set);
  if (options.removes && options.output != options.set && has_virtual_master(set.whole.format) &&
      storage::identity_at(options.set))
    fail(THALWEG_ERROR_ARGUMENT,
         "the parts of '{}' cannot be removed: the master of this name would show nothing without them; leave -o out, "
         "so that the result takes its place, or keep the parts",
         options.set);
  if (set.records == set.most_records) return;
  if (options.removes)
    fail(THALWEG_ERROR_FORMAT,
         "the parts of '{}' cannot be removed: some have {} records, others only {}, and the records that not all have "
         "would be lost; keep the parts",
         options.set, set.most_records, set.records);
  if (is_virtual)
    fail(THALWEG_ERROR_FORMAT,
         "some parts of '{}' have {} records, others only {}: a virtual master would show fill values in their place; "
         "a copy (--copy) leaves out the records that not all parts have",
         options.set, set.most_records, set.records);
}

// A run may have put another file there meanwhile, or be about to.
void remove_part(const std::string& file, const block::FileIdentity& read) {
  const storage::NameLock lock(file);
  if (storage::identity_at(file) != read)
    fail(THALWEG_ERROR_STORAGE,
         "'{}' is not removed, because it is another file than was read; the result has what was read, and the parts "
         "that are left are to be removed by hand",
         file);
  storage::remove_checksums(file);
  if (::unlink(file.c_str()) != 0) storage::fail_storage(fmt::format("remove '{}'", file), errno);
}

}  // namespace

std::string unfinished_name(const CombineOptions& options) {
  return options.output + ".combining";
}

CombineOutcome combine(const CombineOptions& options) {
  FileSet set = open_file_set(options.set, options.reading);
  const CombineOutcome outcome{.parts = std::ssize(set.parts),
                               .records = set.records,
                               .dropped_records = set.most_records - set.records,
                               .is_virtual = has_virtual_master(set.whole.format) && !options.copies};
  check_options(options, set, outcome.is_virtual);
  Unpublished result(options);
  const BitSums sums = outcome.is_virtual ? make_master(set, result.partial(), options.memory_bytes)
                                          : copy_values(set, result.partial(), options.memory_bytes);
  options.reading(result.partial());
  verify_result(result.partial(), set.whole, set.records, sums, options.memory_bytes);
  result.publish();
  if (options.removes)
    for (std::size_t part = 0; part < set.parts.size(); ++part) remove_part(set.parts[part].file, set.identities[part]);
  return outcome;
}

}  // namespace thalweg::sets
