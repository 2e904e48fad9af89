#include "formats/netcdf4/hdf5_library.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "formats/netcdf4/checked_file.hpp"
#include "formats/netcdf4/file.hpp"
#include "formats/netcdf4/hdf5_handle.hpp"
#include "storage/journal.hpp"
#include "storage/part_name.hpp"
#include "storage/partial_name.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

struct Extents {
  std::vector<std::pair<std::string, std::vector<hsize_t>>> datasets;  // those with an unlimited first dimension
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::string shown;  // a file that virtual datasets show, if there are some
};

// Of a virtual master, which has the extents of its parts: the name of one; "" of other files.
std::string shown_file(hid_t dataset) {
  const Handle creation(H5Dget_create_plist(dataset));
  if (H5Pget_layout(creation) != H5D_VIRTUAL) return "";
  std::string name(4096, '\0');
  const ssize_t length = H5Pget_virtual_filename(creation, 0, name.data(), name.size());
  name.resize(static_cast<std::size_t>(std::clamp<ssize_t>(length, 0, std::ssize(name))));
  return name;
}

herr_t collect(hid_t group, const char* name, const H5L_info_t*, void* out) {
  auto& extents = *static_cast<Extents*>(out);
  const Handle object(H5Oopen(group, name, H5P_DEFAULT));
  if (object < 0) return -1;
  if (H5Iget_type(object) != H5I_DATASET) return 0;
  const Handle space(H5Dget_space(object));
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank <= 0) return rank;
  std::vector<hsize_t> extent(static_cast<std::size_t>(rank));
  std::vector<hsize_t> most(extent.size());
  H5Sget_simple_extent_dims(space, extent.data(), most.data());
  if (most.front() != H5S_UNLIMITED) return 0;
  extents.least = std::min(extents.least, static_cast<std::int64_t>(extent.front()));
  extents.datasets.emplace_back(name, std::move(extent));
  if (extents.shown.empty()) extents.shown = shown_file(object);
  return 0;
}

// A master that was kept aside when another run wrote a set of its name shows the files of that run.
void require_own_set(const std::string& path, const std::string& shown) {
  const auto part = storage::parse_part_name(std::filesystem::path(shown).filename());
  if (!part || part->set == storage::complete_name(std::filesystem::path(path).filename())) return;
  fail(THALWEG_ERROR_FORMAT,
       "'{}' shows the files '{}.NNNN', which may be another run's by now; it has no values itself, so remove it; the "
       "files that belong to it are '{}.old.NNNN.partial', which 'thalweg recover' and 'thalweg combine' make one of",
       path, part->set, part->set);
}

// A file of Thalweg's differs in the records of its variables only within a commit, and is known by what lies beside
// it.
void require_equal(const std::string& path, const Extents& extents) {
  for (const auto& [name, extent] : extents.datasets)
    if (static_cast<std::int64_t>(extent.front()) != extents.least)
      fail(
          THALWEG_ERROR_FORMAT,
          "'{}' has {} records of '{}' and {} of another variable, but neither a journal ('{}') nor a lock "
          "beside it, which a run of Thalweg leaves: it is not cut; if another program wrote it, give it the name that "
          "it should have with 'mv'; if it is a copy, copy its journal, too",
          path, extent.front(), name, extents.least, storage::journal_path(path));
}

// A file that HDF5 has open. Whoever makes one has the library's turn.
class Stored {
 public:
  Stored(const std::string& path, CheckedFile::Use use) : path_(path), storage_(path, use) {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS));
    storage_.use_in(access);
    const unsigned how = use == CheckedFile::Use::reading ? H5F_ACC_RDONLY : H5F_ACC_RDWR;
    file_ = Handle(checked(H5Fopen(path.c_str(), how, access), "open"));
  }

  Extents extents() const {
    Extents extents;
    checked(H5Literate(file_, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &extents), "list");
    return extents;
  }

  void set_extent(const std::string& name, const std::vector<hsize_t>& extent) {
    const Handle dataset(checked(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), "open a variable of"));
    checked(H5Dset_extent(dataset, extent.data()), "cut a variable of");
  }

  void close() {
    file_ = Handle();
    storage_.close();
  }

 private:
  template <typename Result>
  Result checked(Result result, const char* action) const {
    if (result >= 0) return result;
    storage_.check();
    fail(THALWEG_ERROR_FORMAT, "'{}' starts like a netCDF-4 (HDF5) file, but HDF5 cannot {} it: {}", path_, action,
         hdf5_error());
  }

  const std::string& path_;
  CheckedFile storage_;
  Handle file_;
};

// As HDF5 shows them by the master: of parts that are recovered, as many as the longest has.
std::int64_t records_of_parts(const std::string& master) {
  std::int64_t records = 0;
  for (const std::string& part : storage::parts_beside(storage::complete_name(master))) {
    const Extents extents = Stored(part, CheckedFile::Use::reading).extents();
    if (!extents.datasets.empty()) records = std::max(records, extents.least);
  }
  return records;
}

// is_own: Thalweg wrote it; else it is not cut, but refused.
std::int64_t cut(const std::string& path, bool is_own) {
  const Quiet quiet;
  Stored stored(path, CheckedFile::Use::changing);
  Extents extents = stored.extents();
  if (extents.datasets.empty()) refuse_without_records(path);
  if (!extents.shown.empty()) {
    require_own_set(path, extents.shown);
    return records_of_parts(path);
  }
  if (!is_own) require_equal(path, extents);
  const auto least = static_cast<hsize_t>(extents.least);
  for (auto& [name, extent] : extents.datasets) {
    if (extent.front() == least) continue;
    extent.front() = least;
    stored.set_extent(name, extent);
  }
  stored.close();
  return extents.least;
}

}  // namespace

std::int64_t recover_netcdf4(const std::string& path, bool had_owner) {
  const bool has_journal = std::filesystem::exists(storage::journal_path(path));
  storage::apply_left_journal(path, storage::JournaledFile::lengthened_before);
  return cut(path, has_journal || had_owner);
}

}  // namespace thalweg::formats::netcdf4
