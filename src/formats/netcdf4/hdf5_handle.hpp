// What every user of HDF5 in this folder needs: handles that close themselves, and errors as text.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "formats/netcdf4/hdf5_library.hpp"
#include "formats/netcdf4/library_turn.hpp"

namespace thalweg::formats::netcdf4 {

// An HDF5 object of any kind.
class Handle {
 public:
  Handle() = default;
  explicit Handle(hid_t id) : id_(id) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) H5Idec_ref(id_);
  }
  operator hid_t() const { return id_; }
  // What HDF5 has of it stays until the process ends.
  void leave() { id_ = H5I_INVALID_HID; }

 private:
  hid_t id_ = H5I_INVALID_HID;
};

// HDF5 prints its errors unless told otherwise; the model's own choice is put back.
class Quiet {
 public:
  explicit Quiet(const std::string& what = "use HDF5", LibraryTurn::Late late = LibraryTurn::Late::throws)
      : turn_(what, late) {
    if (!turn_) return;
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() {
    if (turn_) H5Eset_auto2(H5E_DEFAULT, function_, data_);
  }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

  explicit operator bool() const { return static_cast<bool>(turn_); }  // the caller has the libraries

 private:
  LibraryTurn turn_;  // also behind the settings that are put back
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

// "unable to open file: truncated file: eof = 96, …", outermost first.
inline std::string hdf5_error() {
  std::string text;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_DOWNWARD,
      [](unsigned, const H5E_error2_t* error, void* out) -> herr_t {
        auto& joined = *static_cast<std::string*>(out);
        if (error->desc != nullptr) joined += (joined.empty() ? "" : ": ") + std::string(error->desc);
        return 0;
      },
      &text);
  return text.empty() ? "no reason given" : text;
}

// HDF5's ids of all files that it has open. The caller is Quiet.
inline std::vector<hid_t> files_of_hdf5() {
  const auto all = static_cast<hid_t>(H5F_OBJ_ALL);
  std::vector<hid_t> files(static_cast<std::size_t>(std::max<ssize_t>(0, H5Fget_obj_count(all, H5F_OBJ_FILE))));
  const ssize_t got = H5Fget_obj_ids(all, H5F_OBJ_FILE, files.size(), files.data());
  files.resize(static_cast<std::size_t>(std::clamp<ssize_t>(got, 0, std::ssize(files))));
  return files;
}

// Of calls of netCDF-C, which says no more of a failure than that it is one of HDF5: what HDF5 says while this lives,
// innermost last. The caller holds a LibraryTurn.
class Hdf5Reason {
 public:
  Hdf5Reason() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(
        H5E_DEFAULT,
        [](hid_t, void* reason) -> herr_t {
          *static_cast<std::string*>(reason) = hdf5_error();
          return 0;
        },
        &reason_);
  }
  // netCDF-C has HDF5 print nothing from its first file on: what it has set meanwhile stays.
  ~Hdf5Reason() {
    H5E_auto2_t now = nullptr;
    void* data = nullptr;
    H5Eget_auto2(H5E_DEFAULT, &now, &data);
    if (data == &reason_) H5Eset_auto2(H5E_DEFAULT, function_, data_);
  }
  Hdf5Reason(const Hdf5Reason&) = delete;
  Hdf5Reason& operator=(const Hdf5Reason&) = delete;

  // Empty: nothing failed.
  const std::string& text() const { return reason_; }

 private:
  std::string reason_;
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace thalweg::formats::netcdf4
