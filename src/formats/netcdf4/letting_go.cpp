#include "formats/netcdf4/letting_go.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "formats/netcdf4/hdf5_handle.hpp"
#include "storage/posix.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

bool is_read_by_one(hid_t file) {
  unsigned intent = 0;
  if (H5Fget_obj_count(file, H5F_OBJ_FILE) != 1) return false;
  if (H5Fget_intent(file, &intent) < 0 || (intent & H5F_ACC_RDWR) != 0) return false;
  const Handle access(H5Fget_access_plist(file));
  return H5Pget_driver(access) == H5FD_sec2_init();
}

// Only there is the handle of a file the address of its descriptor.
int descriptor_of(hid_t file) {
  void* descriptor = nullptr;
  return H5Fget_vfd_handle(file, H5P_DEFAULT, &descriptor) < 0 ? -1 : *static_cast<const int*>(descriptor);
}

}  // namespace

std::vector<std::int64_t> files_open_now() {
  const Quiet quiet;
  std::vector<std::int64_t> files = files_of_hdf5();
  std::ranges::sort(files);
  return files;
}

std::int64_t file_opened_since(const std::vector<std::int64_t>& then) {
  std::vector<std::int64_t> opened;
  std::ranges::set_difference(files_open_now(), then, std::back_inserter(opened));
  return opened.size() == 1 ? opened.front() : -1;
}

void let_go_of_storage(std::int64_t file) {
  if (file < 0) return;
  const Quiet quiet;
  if (!is_read_by_one(file)) return;
  const int descriptor = descriptor_of(file);
  const storage::Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  // What comes of closing a descriptor that dup2() replaces is not told.
  if (descriptor >= 0 && nothing) ::dup2(nothing.get(), descriptor);
}

}  // namespace thalweg::formats::netcdf4
