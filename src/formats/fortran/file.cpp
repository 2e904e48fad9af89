// (source: "File format of unformatted sequential files" in the GNU Fortran manual; Intel's and NVIDIA's compilers
// write the same by default)
#include "formats/fortran/file.hpp"

#include <fcntl.h>

#include <array>
#include <bit>

#include "base/error.hpp"
#include "formats/limits.hpp"
#include "storage/journal.hpp"
#include "storage/new_file.hpp"
#include "storage/posix.hpp"

namespace thalweg::formats::fortran {
namespace {

using catalog::Definition;
using catalog::Variable;

using Marker = std::int32_t;
constexpr std::int64_t marker_bytes = sizeof(Marker);

// Arrays that follow each other, and their markers; two that are adjacent are one write.
class RunOfRecords {
 public:
  explicit RunOfRecords(std::int64_t begin) : begin_(begin), end_(begin) {}

  // Says where the array starts.
  std::int64_t add(std::int64_t bytes) {
    mark(bytes);
    const std::int64_t start = end_;
    end_ += bytes;
    mark(bytes);
    return start;
  }

  std::int64_t begin() const { return begin_; }
  std::int64_t bytes() const { return end_ - begin_; }
  const std::vector<block::MetadataWrite>& markers() const { return markers_; }

 private:
  void mark(std::int64_t bytes) {
    if (markers_.empty() || markers_.back().end() != end_) markers_.push_back({end_, {}});
    const auto marker = std::bit_cast<std::array<std::byte, marker_bytes>>(static_cast<Marker>(bytes));
    markers_.back().bytes.insert(markers_.back().bytes.end(), marker.begin(), marker.end());
    end_ += marker_bytes;
  }

  std::int64_t begin_;
  std::int64_t end_;
  std::vector<block::MetadataWrite> markers_;
};

// Where everything is.
struct Layout {
  explicit Layout(const Definition& definition) : starts(definition.variables.size()) {
    const auto add_all = [&](RunOfRecords& section, bool with_records) {
      for (std::size_t v = 0; v < starts.size(); ++v) {
        const Variable& variable = definition.variables[v];
        if (variable.has_record != with_records) continue;
        starts[v] =
            section.add(definition.shape(variable).product() * static_cast<std::int64_t>(size_of(variable.type)));
      }
    };
    add_all(fixed, false);
    record = RunOfRecords(fixed.bytes());
    add_all(record, true);
  }

  std::int64_t end_of(std::int64_t records) const { return record.begin() + records * record.bytes(); }

  std::vector<std::int64_t> starts;  // of each variable, in record 0
  RunOfRecords fixed{0};
  RunOfRecords record{0};
};

// A record is there when all of its markers are. The first commit goes through the journal, which later ones leave
// alone: from it recovery learns where the first record begins and how long it is, which no file of this kind says.
class FortranFile : public FormatFile {
 public:
  FortranFile(const std::string& path, Layout layout) : file_(path), layout_(std::move(layout)) {}

  void extend(std::int64_t records) override { file_.ensure(layout_.end_of(records)); }

  std::int64_t offset(int variable, std::int64_t record, std::int64_t) const override {
    const std::int64_t start = layout_.starts[static_cast<std::size_t>(variable)];
    return start < layout_.record.begin() ? start : start + record * layout_.record.bytes();
  }

  block::Transaction commit(std::int64_t records) override {
    block::Transaction transaction{.records = records, .incremental = true};
    for (std::int64_t record = committed_; record < records; ++record)
      for (const block::MetadataWrite& marker : layout_.record.markers())
        transaction.writes.push_back({marker.offset + record * layout_.record.bytes(), marker.bytes});
    transaction.journaled = committed_ == 0 && !transaction.writes.empty();
    committed_ = records;
    return transaction;
  }

  block::Transaction close(std::int64_t records) override {
    block::Transaction transaction = commit(records);
    transaction.file_bytes = layout_.end_of(records);
    return transaction;
  }

 private:
  storage::GrowingFile file_;
  Layout layout_;
  std::int64_t committed_ = 0;
};

// A file of a killed run, by what its first commit put into the journal.
class Remains {
 public:
  Remains(const std::string& path, const block::Transaction& first)
      : path_(path),
        file_(storage::open_file(path, O_RDWR)),
        bytes_(storage::size_of_file(file_, path)),
        first_(first),
        begin_(first.writes.front().offset),
        record_bytes_((first.writes.back().end() - begin_) / first.records) {}

  // The file is the one that the journal speaks of: up to the first record there are whole arrays.
  void check() const {
    if (bytes_ < begin_ + first_.records * record_bytes_)
      fail(THALWEG_ERROR_FORMAT,
           "'{}' has {} bytes, but its first {} records, which were committed, reach up to byte {}: it was cut short; "
           "take it from a copy",
           path_, bytes_, first_.records, begin_ + first_.records * record_bytes_);
    std::int64_t place = 0;
    while (place < begin_) {
      const std::int64_t bytes = marker_at(place);
      const std::int64_t behind = place + marker_bytes + bytes;
      if (bytes < 1 || behind + marker_bytes > begin_ || marker_at(behind) != bytes)
        fail(THALWEG_ERROR_FORMAT,
             "'{}' is not the Fortran unformatted file that '{}' belongs to: at byte {} there is no whole array; put "
             "both files of the killed run beside each other",
             path_, storage::journal_path(path_), place);
      place = behind + marker_bytes;
    }
  }

  std::int64_t whole_records() const {
    std::int64_t records = 0;
    while (is_whole(records)) ++records;
    return records;
  }

  void cut(std::int64_t records) const { storage::resize_file(file_, path_, begin_ + records * record_bytes_); }

 private:
  Marker marker_at(std::int64_t place) const {
    Marker marker = 0;
    storage::read_all(file_, path_, place, std::as_writable_bytes(std::span(&marker, 1)));
    return marker;
  }

  bool is_whole(std::int64_t record) const {
    const std::int64_t shift = record * record_bytes_;
    if (begin_ + shift + record_bytes_ > bytes_) return false;
    for (const block::MetadataWrite& marker : first_.writes) {
      if (marker.offset >= begin_ + record_bytes_) break;  // of the next record
      std::vector<std::byte> found(marker.bytes.size());
      storage::read_all(file_, path_, marker.offset + shift, found);
      if (found != marker.bytes) return false;
    }
    return true;
  }

  const std::string& path_;
  storage::Descriptor file_;
  std::int64_t bytes_;
  const block::Transaction& first_;
  std::int64_t begin_;
  std::int64_t record_bytes_;
};

}  // namespace

void check_fortran_arrays(const Definition& definition) {
  for (const Variable& variable : definition.variables) {
    const std::int64_t bytes = definition.shape(variable).product() * static_cast<std::int64_t>(size_of(variable.type));
    if (bytes > fortran_record_limit_bytes)
      refuse_size(definition, variable,
                  fmt::format("it has {} bytes{}, and from {} on compilers cut what they read into parts", bytes,
                              variable.has_record ? " a record" : "", fortran_record_limit_bytes + 1));
  }
}

std::unique_ptr<FormatFile> create_fortran(const std::string& path, const Definition& definition,
                                           config::Durability /*durability*/) {
  Layout layout(definition);
  storage::make_file(path, layout.fixed.markers(), layout.end_of(0), definition.striping);
  return std::make_unique<FortranFile>(path, std::move(layout));
}

std::int64_t recover_fortran(const std::string& path) {
  const std::optional<block::Transaction> first = storage::take_journal(path, storage::JournaledFile::of_any_length);
  if (!first || first->writes.empty() || first->records < 1)
    fail(THALWEG_ERROR_FORMAT,
         "the journal '{}' is not whole: '{}' was being given its first record when its run was killed, and holds none",
         storage::journal_path(path), path);
  const Remains remains(path, *first);
  remains.check();
  {
    storage::Mover mover(path, config::DirectIo::off, storage::counts_of_headers());
    storage::apply(mover, *first, nullptr, true);
  }
  const std::int64_t records = remains.whole_records();
  remains.cut(records);
  return records;
}

}  // namespace thalweg::formats::fortran
