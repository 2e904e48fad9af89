#include "formats/netcdf4/file.hpp"

#include "formats/netcdf4/hdf5_library.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "block/block_map.hpp"
#include "formats/checksum_attribute.hpp"
#include "formats/netcdf4/attribute_types.hpp"
#include "formats/netcdf4/define.hpp"
#include "formats/netcdf4/hdf5_driver.hpp"
#include "formats/netcdf4/hdf5_filters.hpp"
#include "formats/netcdf4/hdf5_handle.hpp"
#include "formats/netcdf4/kept_headers.hpp"
#include "geometry/chunking.hpp"
#include "storage/journal.hpp"
#include "storage/mover.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

using catalog::Definition;
using catalog::Variable;

struct Dataset {
  std::string name;
  Handle id;
  bool has_record = false;
  bool is_chunked = false;
  bool is_encoded = false;
  std::int64_t address = 0;  // of fixed-size variables in one piece
  Index shape;               // without records
  Index chunk;
  std::int64_t chunk_records = 1;
  std::int64_t record_bytes = 0;                           // of one record in one chunk
  std::map<std::int64_t, std::vector<std::int64_t>> rows;  // addresses of the chunks that start at that row of chunks

  geometry::ChunkGrid grid() const { return {shape, chunk, whole(shape)}; }
};

bool takes_checksums(const Definition& definition) {
  return std::ranges::any_of(definition.variables, &Variable::takes_checksum);
}

// netCDF-C orders the filters of a dataset in ways of its own, which differ between its releases.
bool has_checksum_first(hid_t dataset) {
  const Handle creation(H5Dget_create_plist(dataset));
  if (H5Pget_nfilters(creation) < 2) return false;
  unsigned flags = 0;
  std::size_t values = 0;
  return H5Pget_filter2(creation, 0, &flags, &values, nullptr, 0, nullptr, nullptr) == H5Z_FILTER_FLETCHER32;
}

class Netcdf4File : public FormatFile {
 public:
  Netcdf4File(const std::string& path, const Definition& definition, const Netcdf4Header& header)
      : path_(path), held_(std::make_unique<HeldFile>(path)) {
    const Quiet quiet;
    if (takes_checksums(definition)) whole_ = definition;
    // netCDF-C had the file open when its bytes were taken, which its superblock says until HDF5 closes the file.
    open();
    file_ = Handle();
    open();
    for (std::size_t v = 0; v < definition.variables.size(); ++v)
      datasets_.push_back(dataset(definition, definition.variables[v], header.variables[v]));
    if (!header.record_scale.empty()) scale_ = Handle(checked(open_dataset(header.record_scale), "open the dimension"));
    for (Dataset& dataset : datasets_)
      if (dataset.is_chunked && !dataset.has_record && !dataset.is_encoded) place_row(dataset, 0);
    seal(0);
    // Fixed variables have their places from the start: no reader can have seen the file without them.
    storage::Mover mover(path_, config::DirectIo::off, storage::counts_of_headers());
    storage::apply(mover, held_->take(0), nullptr, false);
  }

  ~Netcdf4File() override {
    const Quiet quiet(fmt::format("close '{}'", path_), LibraryTurn::Late::goes_without);
    if (!quiet) leave();
    scale_ = Handle();
    datasets_.clear();
    file_ = Handle();
  }

  // A record at a time: what HDF5 writes for each is a state of the file of its own, which commit() can hand out after
  // HDF5 has gone ahead.
  void extend(std::int64_t records) override {
    const Quiet quiet;
    while (extended_ < records) {
      ++extended_;
      for (Dataset& dataset : datasets_) {
        if (!dataset.has_record) continue;
        set_extent(dataset);
        const std::int64_t row = (extended_ - 1) / dataset.chunk_records;
        if (!dataset.is_encoded && dataset.rows.count(row) == 0) place_row(dataset, row);
      }
      const auto length = static_cast<hsize_t>(extended_);
      if (scale_ >= 0) checked(H5Dset_extent(scale_, &length), "extend the record dimension");
      seal(extended_);
    }
  }

  std::int64_t offset(int variable, std::int64_t record, std::int64_t chunk) const override {
    const Dataset& dataset = datasets_[static_cast<std::size_t>(variable)];
    if (!dataset.is_chunked) return dataset.address;
    if (!dataset.has_record) return dataset.rows.at(0).at(static_cast<std::size_t>(chunk));
    const std::vector<std::int64_t>& row = dataset.rows.at(record / dataset.chunk_records);
    return row.at(static_cast<std::size_t>(chunk)) + record % dataset.chunk_records * dataset.record_bytes;
  }

  void store(std::int64_t record, std::span<const EncodedChunk> chunks) override {
    const Quiet quiet;
    for (const EncodedChunk& encoded : chunks) {
      Dataset& dataset = datasets_[static_cast<std::size_t>(encoded.variable)];
      std::vector<std::int64_t>& row = dataset.rows[dataset.has_record ? record : 0];
      row.resize(static_cast<std::size_t>(dataset.grid().size()), -1);
      row[static_cast<std::size_t>(encoded.chunk)] =
          place_chunk(dataset, dataset.has_record ? record : 0, encoded.chunk, encoded.bytes,
                      encoded.codec_skipped ? codec_bit(dataset) : 0U);
    }
    seal(extended_);
  }

  bool checksum_comes_first() const override { return checksum_first_; }

  block::Transaction commit(std::int64_t records) override {
    for (Dataset& dataset : datasets_)
      if (dataset.has_record)
        dataset.rows.erase(dataset.rows.begin(), dataset.rows.lower_bound(records / dataset.chunk_records));
    return held_->take(records);
  }

  // HDF5 cannot go back to a state before one that it has gone ahead to, for a record that nobody closed.
  void set_checksums(const block::FileSums& sums) override {
    const Quiet quiet;
    if (std::ssize(sums.records) != extended_)
      return log::warning("'{}' gets no checksums, because a record was begun in it that was not closed", path_);
    add_checksums(*whole_, sums);
    for (std::size_t v = 0; v < datasets_.size(); ++v)
      for (const catalog::Attribute& attribute : whole_->variables[v].attributes)
        if (attribute.name == catalog::checksum_name) put_attribute(datasets_[v].id, attribute);
    seal(extended_);
  }

  void give(std::span<const catalog::GivenAttribute> given) override {
    const Quiet quiet;
    const Handle root(checked(H5Gopen2(file_, "/", H5P_DEFAULT), "open the root group"));
    for (const catalog::GivenAttribute& of : given)
      put_attribute(
          of.variable == catalog::GivenAttribute::of_file ? root : datasets_[static_cast<std::size_t>(of.variable)].id,
          of.attribute);
    seal(extended_);
  }

  // The state of the file at that many records is complete in itself. What HDF5 holds beyond it, and what it writes
  // when its own file is closed, goes nowhere.
  block::Transaction close(std::int64_t records) override {
    block::Transaction transaction = commit(records);
    transaction.file_bytes = held_->taken_bytes();
    return transaction;
  }

 private:
  template <typename T>
  T checked(T result, const char* action) const {
    if (result >= 0) return result;
    fail(THALWEG_ERROR_STORAGE, "HDF5 cannot {} of '{}': {}{}{}", action, path_, hdf5_error(),
         held_->fault().empty() ? "" : "; ", held_->fault());
  }

  // HDF5 may come back to the file when the process ends.
  void leave() {
    scale_.leave();
    for (Dataset& dataset : datasets_) dataset.id.leave();
    file_.leave();
    static_cast<void>(held_.release());
  }

  void open() {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS));
    held_->use_in(access);
    checked(H5Pset_alignment(access, block::direct_run_bytes, block::page_bytes), "set the alignment");
    file_ = Handle(checked(H5Fopen(path_.c_str(), H5F_ACC_RDWR, access), "open the header"));
  }

  // Without a chunk cache HDF5 reads an element of a chunk where it is, and not the whole chunk.
  hid_t open_dataset(const std::string& name) const {
    const Handle access(H5Pcreate(H5P_DATASET_ACCESS));
    H5Pset_chunk_cache(access, 1, 0, 0.0);
    return H5Dopen2(file_, name.c_str(), access);
  }

  Dataset dataset(const Definition& definition, const Variable& variable, const std::string& name) {
    Dataset result;
    result.name = variable.name;
    result.id = Handle(checked(open_dataset(name), "open a variable"));
    result.shape = definition.shape(variable);
    result.has_record = variable.has_record;
    result.is_chunked = variable.is_chunked || variable.has_record;
    result.is_encoded = variable.encoding.changes_size();
    result.chunk = variable.chunk;
    result.chunk_records = variable.chunk_records;
    result.record_bytes = variable.chunk.product() * static_cast<std::int64_t>(size_of(variable.type));
    if (!result.is_chunked) result.address = place_array(result);
    if (result.is_chunked && variable.encoding.checksum) checksum_first_ |= has_checksum_first(result.id);
    return result;
  }

  // HDF5 gives an array its place when the first element is written.
  std::int64_t place_array(const Dataset& dataset) {
    const Handle type(checked(H5Dget_type(dataset.id), "ask the type of a variable"));
    const Handle space(checked(H5Dget_space(dataset.id), "ask the extents of a variable"));
    const Handle element(checked(H5Screate(H5S_SCALAR), "describe an element"));
    const std::array<hsize_t, max_rank + 1> first{};
    std::array<hsize_t, max_rank + 1> one{};
    one.fill(1);
    if (dataset.shape.rank() > 0)
      checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, first.data(), nullptr, one.data(), nullptr),
              "select an element of a variable");
    const std::array<std::byte, 8> zero{};
    held_->offset_written(
        [&] { checked(H5Dwrite(dataset.id, type, element, space, H5P_DEFAULT, zero.data()), "place a variable"); });
    const haddr_t address = H5Dget_offset(dataset.id);
    if (address == HADDR_UNDEF)
      fail(THALWEG_ERROR_INTERNAL, "HDF5 has no place for variable '{}' of '{}'", dataset.name, path_);
    return static_cast<std::int64_t>(address);
  }

  void put_attribute(const Handle& owner, const catalog::Attribute& attribute) const {
    const char* name = attribute.name.c_str();
    if (checked(H5Aexists(owner, name), "look for an attribute") > 0)
      checked(H5Adelete(owner, name), "replace an attribute");
    const Handle type(checked(attribute_type(attribute), "describe an attribute"));
    const Handle space(checked(attribute_space(attribute), "describe an attribute"));
    const Handle id(checked(H5Acreate2(owner, name, type, space, H5P_DEFAULT, H5P_DEFAULT), "create an attribute"));
    if (!attribute.bytes().empty()) checked(H5Awrite(id, type, attribute.bytes().data()), "write an attribute");
  }

  void set_extent(const Dataset& dataset) const {
    std::array<hsize_t, max_rank + 1> extent{static_cast<hsize_t>(extended_)};
    for (int d = 0; d < dataset.shape.rank(); ++d)
      extent[static_cast<std::size_t>(d) + 1] = static_cast<hsize_t>(dataset.shape[d]);
    checked(H5Dset_extent(dataset.id, extent.data()), "extend a variable");
  }

  void seal(std::int64_t records) {
    checked(H5Fflush(file_, H5F_SCOPE_LOCAL), "close up a record");
    held_->seal(records);
  }

  void place_row(Dataset& dataset, std::int64_t row) {
    const std::int64_t bytes = dataset.record_bytes * dataset.chunk_records;
    std::vector<std::int64_t>& places = dataset.rows[row];
    const std::int64_t chunks = dataset.grid().size();
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) places.push_back(place_chunk(dataset, row, chunk, bytes, 0));
  }

  // Has HDF5 store a chunk whose bytes it passes on without looking at them, to learn where it wants them to be.
  std::int64_t place_chunk(const Dataset& dataset, std::int64_t row, std::int64_t chunk, std::int64_t bytes,
                           std::uint32_t skipped_filters) {
    std::array<hsize_t, max_rank + 1> start{};
    std::size_t place = 0;
    if (dataset.has_record) start[place++] = static_cast<hsize_t>(row * dataset.chunk_records);
    for (const std::int64_t first : dataset.grid().box(chunk).start) start[place++] = static_cast<hsize_t>(first);
    static const std::byte unread{};
    const std::int64_t offset = held_->offset_written([&] {
      checked(H5Dwrite_chunk(dataset.id, H5P_DEFAULT, skipped_filters, start.data(), static_cast<std::size_t>(bytes),
                             &unread),
              "place a chunk");
    });
    if (offset < 0) fail(THALWEG_ERROR_INTERNAL, "HDF5 gives no place to a chunk of '{}' in '{}'", dataset.name, path_);
    return offset;
  }

  // The codec is the last filter, unless a checksum follows.
  std::uint32_t codec_bit(const Dataset& dataset) const {
    const Handle creation(H5Dget_create_plist(dataset.id));
    const int filters = H5Pget_nfilters(creation);
    for (int i = 0; i < filters; ++i) {
      unsigned flags = 0;
      std::size_t values = 0;
      const H5Z_filter_t id =
          H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, nullptr);
      if (id != H5Z_FILTER_SHUFFLE && id != H5Z_FILTER_FLETCHER32) return 1U << i;
    }
    return 0;
  }

  std::string path_;
  std::unique_ptr<HeldFile> held_;
  Handle file_;
  std::vector<Dataset> datasets_;
  Handle scale_;
  std::int64_t extended_ = 0;
  bool checksum_first_ = false;
  std::optional<Definition> whole_;  // of the complete file, if that has more than the growing one
};

}  // namespace

void begin_hdf5() {
  const LibraryTurn turn;
  H5open();
}

std::unique_ptr<FormatFile> create_netcdf4(const std::string& path, const Definition& definition,
                                           config::Durability /*durability*/) {
  const LibraryTurn turn(fmt::format("create '{}'", path));
  make_filters_known();
  const std::shared_ptr<const Netcdf4Header> header = KeptHeaders::of_process().of(path, definition);
  write_header(path, *header, definition.striping);
  return std::make_unique<Netcdf4File>(path, definition, *header);
}

}  // namespace thalweg::formats::netcdf4
