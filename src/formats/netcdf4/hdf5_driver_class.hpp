// Virtual file drivers of HDF5 whose files are objects: what HDF5 asks of a file becomes calls of the object.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>

#include "base/error.hpp"
#include "formats/netcdf4/hdf5_handle.hpp"

namespace thalweg::formats::netcdf4 {

// File: opened() (false: HDF5 is told that there is no such file) and closed(); read() (false: it cannot be);
// kind_of(), from HDF5's H5FD_mem_t, and write() of that kind; allocated(), allocate(), end(), truncate(), in bytes.
template <typename File>
class DriverClass {
 public:
  // Makes HDF5 open its file through `file`; `access` is a file access property list. The driver's id, which the
  // caller unregisters, and not before HDF5 has called closed(): HDF5 lets go of its own reference just before that.
  static hid_t use_in(hid_t access, File* file, const char* name, const std::string& path) {
    static const H5FD_class_t driver = make(name);
    const hid_t id = H5FDregister(&driver);
    if (id < 0 || H5Pset_driver(access, id, &file) < 0)
      fail(THALWEG_ERROR_INTERNAL, "HDF5 does not accept Thalweg's file driver for '{}'", path);
    return id;
  }

 private:
  // What HDF5 knows of an open file: its own part first, then ours.
  struct OpenFile {
    H5FD_t hdf5;
    File* file;
  };
  static File& of(const H5FD_t* file) { return *reinterpret_cast<const OpenFile*>(file)->file; }

  static H5FD_t* open(const char*, unsigned, hid_t access, haddr_t) {
    const auto* file = static_cast<File* const*>(H5Pget_driver_info(access));
    return file == nullptr || !(*file)->opened() ? nullptr : &(new OpenFile{{}, *file})->hdf5;
  }

  static herr_t close(H5FD_t* file) {
    File& closed = of(file);
    delete reinterpret_cast<OpenFile*>(file);
    closed.closed();
    return 0;
  }

  static int compare(const H5FD_t* a, const H5FD_t* b) {
    return &of(a) == &of(b) ? 0 : std::less<>{}(&of(a), &of(b)) ? -1 : 1;
  }

  // Metadata are allocated in larger blocks, so that the writes of a commit are few and long.
  static herr_t query(const H5FD_t*, unsigned long* features) {
    *features = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
  }

  static haddr_t get_allocated(const H5FD_t* file, H5FD_mem_t) { return static_cast<haddr_t>(of(file).allocated()); }
  static herr_t set_allocated(H5FD_t* file, H5FD_mem_t, haddr_t end) {
    of(file).allocate(static_cast<std::int64_t>(end));
    return 0;
  }
  static haddr_t get_end(const H5FD_t* file, H5FD_mem_t) { return static_cast<haddr_t>(of(file).end()); }

  static herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t offset, size_t size, void* buffer) {
    const std::span bytes(static_cast<std::byte*>(buffer), size);
    return of(file).read(static_cast<std::int64_t>(offset), bytes) ? 0 : -1;
  }
  static herr_t write(H5FD_t* file, H5FD_mem_t type, hid_t, haddr_t offset, size_t size, const void* buffer) {
    const std::span bytes(static_cast<const std::byte*>(buffer), size);
    of(file).write(File::kind_of(type), static_cast<std::int64_t>(offset), bytes);
    return 0;
  }
  static herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
    of(file).truncate();
    return 0;
  }

  // No locks: the file has one owner, and file systems without locks are common on large machines.
  static H5FD_class_t make(const char* name) {
    H5FD_class_t driver{};
    driver.name = name;
    driver.maxaddr = static_cast<haddr_t>(std::numeric_limits<std::int64_t>::max());
    driver.fc_degree = H5F_CLOSE_STRONG;
    driver.fapl_size = sizeof(File*);
    driver.open = open;
    driver.close = close;
    driver.cmp = compare;
    driver.query = query;
    driver.get_eoa = get_allocated;
    driver.set_eoa = set_allocated;
    driver.get_eof = get_end;
    driver.read = read;
    driver.write = write;
    driver.truncate = truncate;
    constexpr H5FD_mem_t lists[] = H5FD_FLMAP_DICHOTOMY;
    std::ranges::copy(lists, driver.fl_map);
    return driver;
  }
};

}  // namespace thalweg::formats::netcdf4
