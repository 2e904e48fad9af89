#include "read/file_reader.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/element_bits.hpp"
#include "base/error.hpp"
#include "formats/records_in_time.hpp"
#include "sets/pasting.hpp"
#include "storage/checksum_file.hpp"
#include "storage/file_identity.hpp"
#include "storage/part_name.hpp"

namespace thalweg::read {
namespace {

[[noreturn]] void refuse_missing(const std::string& path) {
  if (storage::is_there(path + ".partial"))
    fail(THALWEG_ERROR_STORAGE,
         "there is no '{}', but '{}.partial': a run is writing it, or was killed; wait for its end, or make a proper "
         "file of it by 'thalweg recover'",
         path, path);
  fail(THALWEG_ERROR_STORAGE, "there is no '{}', and no part '{}' of a set of this name", path,
       storage::part_name(path, 0));
}

}  // namespace

FileReader::FileReader(const std::string& path, double deadline_s, std::string who)
    : path_(path), deadline_s_(deadline_s), who_(std::move(who)) {
  const formats::Patience patient = patience();
  if (storage::is_there(path)) {
    file_ = formats::open_readable(path, formats::Unreadable::leave_out);
    if (!file_->shows_others() || storage::parts_beside(path).empty()) {
      if (!has_fixed_values_by_companion()) file_ = formats::with_records_in_time(std::move(file_));
      return;
    }
    file_.reset();  // only the parts say whether all of them are there, and have checksums
  } else if (storage::parts_beside(path).empty()) {
    refuse_missing(path);
  }
  set_ = sets::open_file_set(path);
  for (const catalog::Variable& variable : set_->whole.variables)
    sources_.push_back(sets::sources_of(variable, set_->parts));
}

FileReader::~FileReader() {
  const formats::Patience patient = patience();
  file_.reset();
  set_.reset();
}

const catalog::Definition& FileReader::definition() const {
  return file_ ? file_->definition() : set_->whole;
}

std::int64_t FileReader::records() const {
  return file_ ? file_->records() : set_->records;
}

std::string FileReader::version() const {
  if (file_) return file_->version();
  std::string all;
  for (const auto& part : set_->files) all += part->version() + "\n";
  return all;
}

formats::ReadableFile& FileReader::first_file() {
  return file_ ? *file_ : *set_->files.front();
}

FileReader::Turn FileReader::turn() const {
  Turn mine(turn_, std::chrono::duration<double>(deadline_s_));
  if (!mine)
    throw Error::of_storage(
        fmt::format("'{}' cannot be read, because the storage has not given what a thread reads of it (deadline: "
                    "{:g} s); look at the file system, or raise 'deadline' if it is only slow",
                    path_, deadline_s_));
  return mine;
}

std::endian FileReader::read(int variable, std::int64_t record, const Box& box, std::span<std::byte> values) {
  const Turn mine = turn();
  const formats::Patience patient = patience();
  if (file_) return file_->read_as_stored(variable, record, box, values);
  read_parts(variable, record, box, values);
  return std::endian::native;
}

std::vector<std::string> FileReader::paths() const {
  if (file_) return {path_};
  std::vector<std::string> paths;
  for (const sets::SetPart& part : set_->parts) paths.push_back(part.file);
  return paths;
}

// Then a dimension of time has no records, because its writer would have made them grow; its sums are of whole
// variables.
bool FileReader::has_fixed_values_by_companion() const {
  if (!has_companion() || !file_->definition().record_dimension.empty()) return false;
  const std::optional<Said>& said = said_by_companions().front();
  return said && std::ranges::none_of(*said, [](const auto& of) { return of.second.has_records; });
}

bool FileReader::has_companion() const {
  return storage::is_there(storage::checksum_path(paths().front()));
}

// Cells that no part of a set has are read as fill values, which no companion knows of.
std::optional<std::uint64_t> FileReader::said_sum(int v, std::int64_t record) const {
  const Turn mine = turn();
  const catalog::Variable& variable = definition().variable(v);
  const std::int64_t cells = definition().shape(variable).product();
  std::int64_t said_cells = 0;
  std::uint64_t sum = 0;
  const auto add = [&](std::size_t file) {
    const std::optional<Said>& said = said_by_companions()[file];
    if (!said || !said->contains(variable.name)) return false;
    const storage::SaidSums& of = said->at(variable.name);
    const std::int64_t place = variable.has_record ? record : 0;
    if (of.has_records != variable.has_record || place >= std::ssize(of.sums)) return false;
    said_cells += of.elements;
    sum += of.sums[static_cast<std::size_t>(place)];
    return true;
  };
  if (file_ && !add(0)) return std::nullopt;
  if (set_)
    for (const sets::Source& source : sources_[static_cast<std::size_t>(v)])
      if (!add(static_cast<std::size_t>(source.part))) return std::nullopt;
  if (said_cells > cells || (file_ && said_cells != cells)) return std::nullopt;
  return sum + static_cast<std::uint64_t>(cells - said_cells) * bits_of(fill_of(variable), variable.type);
}

const std::vector<std::optional<FileReader::Said>>& FileReader::said_by_companions() const {
  if (!said_) {
    said_.emplace();
    for (const std::string& path : paths()) said_->push_back(storage::read_sums(path));
  }
  return *said_;
}

void FileReader::read_parts(int v, std::int64_t record, const Box& box, std::span<std::byte> values) {
  const catalog::Variable& variable = set_->whole.variable(v);
  const std::size_t element_bytes = size_of(variable.type);
  sets::fill(values, fill_of(variable), element_bytes);
  std::vector<std::byte> piece;
  for (const sets::Source& source : sources_[static_cast<std::size_t>(v)])
    if (const auto common = intersect(box, source.box)) {
      piece.resize(static_cast<std::size_t>(common->cells()) * element_bytes);
      set_->files[static_cast<std::size_t>(source.part)]->read(v, record, sets::shifted(*common, source.box.start),
                                                               piece);
      sets::paste(box, values, *common, piece, static_cast<std::int64_t>(element_bytes));
    }
}

}  // namespace thalweg::read
