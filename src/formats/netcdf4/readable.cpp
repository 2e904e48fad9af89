// Reads netCDF-4 files: their headers, and what is stored in ways that only the libraries know, through netCDF-C.
#include <fcntl.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/countable.hpp"
#include "base/element_bits.hpp"
#include "base/error.hpp"
#include "base/told.hpp"
#include "formats/netcdf4/direct_reader.hpp"
#include "formats/netcdf4/file.hpp"
#include "formats/netcdf4/format.hpp"
#include "formats/netcdf4/hdf5_handle.hpp"
#include "formats/netcdf4/library_turn.hpp"
#include "formats/netcdf4/opened.hpp"
#include "formats/netcdf4/stored_dataset.hpp"
#include "formats/record_box.hpp"
#include "storage/file_identity.hpp"
#include "storage/posix.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

using catalog::Definition;
using catalog::Variable;

// A decompressed chunk of a few megabytes is kept, so that a record that is read piece by piece is decompressed once.
constexpr std::size_t chunk_cache_bytes = std::size_t{4} << 20;

std::string words_of(const Variable& variable, std::int64_t record, const Box& box) {
  return fmt::format("record {}, box {} of variable '{}'", record, to_string(box), variable.name);
}

class Netcdf4Readable : public ReadableFile {
 public:
  Netcdf4Readable(const std::string& path, Unreadable unreadable)
      : path_(path), watched_(storage::open_file(path, O_RDONLY)), file_(path, unreadable) {
    definition_.format = netcdf4.description;
    const LibraryTurn turn(fmt::format("read '{}'", path));
    version_ = storage::version_of(watched_);
    bytes_ = storage::size_of_file(watched_, path_);
    if (storage::version_at(path) != version_) has_changed();
    read_header();
  }

  const Definition& definition() const override { return definition_; }
  std::int64_t records() const override { return records_; }
  std::vector<LeftOut> left_out() const override { return left_out_; }
  std::string version() const override { return version_; }
  bool shows_others() const override { return shows_others_; }
  bool has_codec(int v) const override { return in_file_[static_cast<std::size_t>(v)].has_codec; }

  void read(int v, std::int64_t record, const Box& box, std::span<std::byte> values) override {
    if (read_as_stored(v, record, box, values) != std::endian::native)
      swap_bytes(values, size_of(definition_.variable(v).type));
  }

  std::endian read_as_stored(int v, std::int64_t record, const Box& box, std::span<std::byte> values) override {
    DirectReader* const direct = direct_reader(v);
    if (direct != nullptr && read_directly(*direct, v, record, box, values)) return direct->order();
    read_by_library(v, record, box, values, direct != nullptr ? direct->fault() : "");
    return std::endian::native;
  }

  void read_records(int v, std::int64_t first, std::span<std::byte> values) override {
    const Variable& variable = definition_.variable(v);
    const std::size_t records = values.size() / size_of(variable.type);
    const LibraryTurn turn(fmt::format("read '{}' of '{}'", variable.name, path_));
    read_cells(v, {static_cast<std::size_t>(first)}, {records}, values,
               fmt::format("{} records of variable '{}'", records, variable.name));
  }

 private:
  struct InFile {
    Place place;
    std::size_t last_unlimited = 0;  // its last unlimited dimension behind the first one; 0: none
    bool is_filled = true;           // what was never written of it reads as its fill value
    bool is_called_otherwise = false;
    bool has_codec = false;
    std::optional<std::unique_ptr<DirectReader>> direct{};  // null: only the library reads it; nothing: not yet known
  };

  // Null: only the library reads it.
  DirectReader* direct_reader(int v) {
    InFile& variable = in_file_[static_cast<std::size_t>(v)];
    if (variable.is_called_otherwise) return nullptr;
    if (!variable.direct) {
      const std::string& name = definition_.variable(v).name;
      const LibraryTurn turn(fmt::format("read '{}' of '{}'", name, path_));
      auto stored = stored_dataset(watched_, path_, name, definition_.variable(v).type);
      // Another file may have come to the path, where HDF5 has opened that.
      const bool is_same = stored && storage::version_at(path_) == storage::version_of(watched_);
      variable.direct = is_same ? std::make_unique<DirectReader>(watched_, path_, *std::move(stored), rooms_) : nullptr;
    }
    return variable.direct->get();
  }

  bool read_directly(DirectReader& direct, int v, std::int64_t record, const Box& box,
                     std::span<std::byte> values) const {
    const Variable& variable = definition_.variable(v);
    try {
      if (!direct.read(variable.has_record ? with_record(box, record) : box, values)) return false;
    } catch (const Error& error) {
      require_unchanged();
      fail(error.code(), "{}: {}", words_of(variable, record, box), error.what());
    }
    require_unchanged();
    return true;
  }

  // fault: why it was not read directly, if something is wrong.
  void read_by_library(int v, std::int64_t record, const Box& box, std::span<std::byte> values,
                       const std::string& fault) {
    const Variable& variable = definition_.variable(v);
    std::vector<std::size_t> start(box.start.begin(), box.start.end());
    std::vector<std::size_t> count(box.count.begin(), box.count.end());
    if (variable.has_record) {
      start.insert(start.begin(), static_cast<std::size_t>(record));
      count.insert(count.begin(), 1);
    }
    const LibraryTurn turn(fmt::format("read record {} of '{}' of '{}'", told::number(record), variable.name, path_));
    read_cells(v, start, count, values, words_of(variable, record, box), fault);
  }

  // Along all dimensions that the variable has in the file. The caller holds a LibraryTurn.
  void read_cells(int v, const std::vector<std::size_t>& start, const std::vector<std::size_t>& count,
                  std::span<std::byte> values, const std::string& what, const std::string& fault = {}) const {
    const Hdf5Reason reason;
    // HDF5 leaves the memory as it is for what was never written.
    if (!in_file_[static_cast<std::size_t>(v)].is_filled) std::ranges::fill(values, std::byte{0});
    const int status = get(v, start, count, values);
    require_unchanged();
    file_.check(status, what, fault.empty() ? reason.text() : fault);
  }

  // Where a variable is shorter along an unlimited dimension than this is, netCDF-C (4.9.0) puts what there is at the
  // beginning of the values, one row behind the other. So cells are got that lie in one row along the last one of such
  // dimensions, of which the beginning is the right place.
  int get(int v, const std::vector<std::size_t>& start, const std::vector<std::size_t>& count,
          std::span<std::byte> values) const {
    const InFile& variable = in_file_[static_cast<std::size_t>(v)];
    const std::size_t along = variable.last_unlimited;
    std::vector<std::size_t> first = start;
    std::vector<std::size_t> row_count = count;
    std::size_t rows = 1;
    for (std::size_t d = 0; d < along; ++d) rows *= std::exchange(row_count[d], 1);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t d = along, rest = row; d-- > 0; rest /= count[d]) first[d] = start[d] + rest % count[d];
      std::byte* const to = values.data() + row * (values.size() / rows);
      const int status =
          nc().get_vara(variable.place.group, variable.place.variable, first.data(), row_count.data(), to);
      if (status != NC_NOERR) return status;
    }
    return NC_NOERR;
  }

  // HDF5 knows the length that the file had when it was opened, and reads what lies beyond its end as zeros. What a
  // call has read is what was there if nothing has changed behind it.
  void require_unchanged() const {
    const std::int64_t bytes = storage::size_of_file(watched_, path_);
    if (bytes < bytes_)
      fail(THALWEG_ERROR_STORAGE, "'{}' has {} bytes and had {} when it was opened: it was cut short while it was read",
           path_, bytes, bytes_);
    if (file_.leaves_out() && storage::version_of(watched_) != version_) has_changed();
  }

  [[noreturn]] void has_changed() const {
    fail(THALWEG_ERROR_FORMAT, "'{}' has changed since it was opened; close the input, and open it again", path_);
  }

  void read_header() {
    const std::size_t groups = file_.groups_in(file_.root()).size();
    if (groups > 0 && !file_.leaves_out()) file_.beyond(fmt::format("it has {} groups", groups));
    find_record_dimension();
    read_group(file_.root(), "");
    int attributes = 0;
    file_.check(nc().inq(file_.root(), nullptr, nullptr, &attributes, nullptr), "the header");
    definition_.attributes = file_.attributes({file_.root()}, attributes, "the file");
  }

  void find_record_dimension() {
    const std::vector<int> unlimited = file_.unlimited_in(file_.root());
    if (unlimited.size() > 1 && !file_.leaves_out())
      file_.beyond(fmt::format("it has {} unlimited dimensions", unlimited.size()));
    if (unlimited.empty()) return;
    record_id_ = *std::ranges::min_element(unlimited);
    const catalog::Dimension record = file_.dimension(record_id_, file_.root());
    definition_.record_dimension = record.name;
    records_ = record.size;
  }

  // Variables have the names that netCDF has for them: those of their groups before their own.
  void read_group(int group, const std::string& prefix) {
    for (const int d : file_.dimensions_in(group))
      if (d != record_id_) add_dimension(d, group);
    for (const int d : file_.unlimited_in(group)) unlimited_.insert(d);
    const int variables = file_.variables_in(group);
    for (int v = 0; v < variables; ++v) add_variable({group, v}, prefix);
    for (const int inner : file_.groups_in(group)) read_group(inner, prefix + file_.name_of_group(inner) + "/");
  }

  int add_dimension(int d, int group) {
    definition_.dimensions.push_back(file_.dimension(d, group));
    return in_definition_[d] = static_cast<int>(definition_.dimensions.size()) - 1;
  }

  void add_variable(const Place& place, const std::string& prefix) {
    Variable variable;
    InFile in_file{.place = place};
    try {
      const SaidOfVariable said = file_.variable(place);
      in_file.is_filled = said.is_filled;
      in_file.is_called_otherwise = is_called_otherwise(place.group, said);
      for (std::size_t d = 1; d < said.dimensions.size(); ++d)
        if (unlimited_.contains(said.dimensions[d])) in_file.last_unlimited = d;
      read_variable(in_file, said, prefix, variable);
    } catch (const Error& error) {
      if (!file_.leaves_out()) throw;
      left_out_.push_back({variable.name, error.what()});
      return;
    }
    definition_.variables.push_back(std::move(variable));
    in_file_.push_back(std::move(in_file));
  }

  void read_variable(InFile& in_file, const SaidOfVariable& said, const std::string& prefix, Variable& variable) {
    const Place& place = in_file.place;
    variable.name = prefix + said.name;
    const auto what = fmt::format("variable '{}'", variable.name);
    variable.has_record = !said.dimensions.empty() && said.dimensions.front() == record_id_;
    for (std::size_t i = variable.has_record ? 1 : 0; i < said.dimensions.size(); ++i)
      variable.dimensions.push_back(number_of(said.dimensions[i], what));
    if (std::ssize(variable.dimensions) > max_rank)
      file_.beyond(fmt::format("{} has {} dimensions", what, said.dimensions.size()));
    if (!is_countable(definition_.shape(variable))) file_.beyond(what + " has more bytes than are counted");
    variable.type = file_.type_of(said.type, place.group, what);
    variable.attributes = file_.attributes(place, said.attributes, what);
    file_.require_filters(place, what);
    in_file.has_codec = file_.has_codec(place, what);
    read_storage(in_file, variable);
  }

  // In the definition. The record dimension in another place than the first is one of the present size.
  int number_of(int d, const std::string& what) {
    if (d == record_id_ && !file_.leaves_out())
      file_.beyond(what + " has the record dimension in another place than the first");
    if (const auto known = in_definition_.find(d); known != in_definition_.end()) return known->second;
    if (d != record_id_) file_.beyond(what + " has a dimension that is none of the file's");
    return add_dimension(d, file_.root());
  }

  // In the file it has another name then, which is what netCDF-C has for a variable that is called as a dimension and
  // is no coordinate of it; and its nc_set_var_chunk_cache opens what has the plain name (seen in 4.9.0).
  bool is_called_otherwise(int group, const SaidOfVariable& said) const {
    return std::ranges::any_of(file_.dimensions_in(group), [&](int d) {
      const bool is_coordinate = !said.dimensions.empty() && said.dimensions.front() == d;
      return !is_coordinate && file_.dimension(d, group).name == said.name;
    });
  }

  // Whoever takes the file for Thalweg's looks at the chunks of records alone.
  void read_storage(const InFile& in_file, Variable& variable) {
    const Place& place = in_file.place;
    int storage = NC_CONTIGUOUS;
    std::vector<std::size_t> chunk(static_cast<std::size_t>(max_rank) + 1, 0);
    file_.check(nc().inq_var_chunking(place.group, place.variable, &storage, chunk.data()), "the chunks of a variable");
    shows_others_ |= storage != NC_CONTIGUOUS && storage != NC_CHUNKED && storage != NC_COMPACT;
    const bool is_chunked = storage == NC_CHUNKED;
    if (!variable.has_record && !(is_chunked && file_.leaves_out())) return;
    variable.chunk = definition_.shape(variable);
    if (!is_chunked) return;  // virtual
    const std::size_t first = variable.has_record ? 1 : 0;
    if (variable.has_record) variable.chunk_records = static_cast<std::int64_t>(chunk.front());
    for (int i = 0; i < variable.chunk.rank(); ++i)
      variable.chunk[i] = static_cast<std::int64_t>(chunk[static_cast<std::size_t>(i) + first]);
    if (in_file.is_called_otherwise) return;
    file_.check(nc().set_var_chunk_cache(place.group, place.variable, chunk_cache_bytes, 1009, 0.75F),
                "the chunks of a variable");
  }

  std::string path_;
  storage::Descriptor watched_;  // the same file as the library's, whatever becomes of its name
  Opened file_;
  std::string version_;
  std::int64_t bytes_ = 0;
  DecodingRooms rooms_;
  std::vector<InFile> in_file_;  // of the variables of the definition
  std::set<int> unlimited_;      // of all dimensions
  std::vector<LeftOut> left_out_;
  bool shows_others_ = false;
  Definition definition_;
  std::int64_t records_ = 0;
  int record_id_ = -1;                // of the record dimension
  std::map<int, int> in_definition_;  // of each other dimension, by its id in the file
};

}  // namespace

std::unique_ptr<ReadableFile> open_readable_netcdf4(const std::string& path, Unreadable unreadable) {
  return std::make_unique<Netcdf4Readable>(path, unreadable);
}

}  // namespace thalweg::formats::netcdf4
