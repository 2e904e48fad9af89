// A file that netCDF-C has open to be read, and what the library says of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "catalog/definition.hpp"
#include "formats/netcdf4/library.hpp"
#include "formats/readable_file.hpp"

namespace thalweg::formats::netcdf4 {

// Of a variable, by the library's ids; or NC_GLOBAL of a group.
struct Place {
  int group = -1;
  int variable = NC_GLOBAL;
};

struct SaidOfVariable {
  std::string name;
  nc_type type = NC_NAT;
  std::vector<int> dimensions;  // ids, which go through all groups
  int attributes = 0;
  bool is_filled = true;  // what was never written surely reads as the fill value
};

// Whoever asks holds a LibraryTurn. Errors: FORMAT.
class Opened {
 public:
  Opened(const std::string& path, Unreadable unreadable);
  ~Opened();
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  int root() const { return id_; }
  bool leaves_out() const { return unreadable_ == Unreadable::leave_out; }

  // reason: what HDF5 says of it.
  void check(int status, const std::string& what, const std::string& reason = {}) const;
  [[noreturn]] void beyond(const std::string& what) const;

  std::vector<int> groups_in(int group) const;
  std::string name_of_group(int group) const;
  std::vector<int> dimensions_in(int group) const;  // those of its parents left out
  std::vector<int> unlimited_in(int group) const;
  catalog::Dimension dimension(int id, int group) const;
  int variables_in(int group) const;
  SaidOfVariable variable(const Place& place) const;

  // `what` has them.
  std::vector<catalog::Attribute> attributes(const Place& of, int count, const std::string& what) const;
  // Else HDF5 would say of a get that it cannot be done, and not why.
  void require_filters(const Place& place, const std::string& what) const;
  bool has_codec(const Place& place, const std::string& what) const;
  // Refuses strings, and types of the user's own.
  Type type_of(nc_type type, int group, const std::string& what) const;

 private:
  std::vector<unsigned> filters(const Place& place, const std::string& what) const;
  void add_attribute(const Place& of, int number, const std::string& what,
                     std::vector<catalog::Attribute>& attributes) const;

  std::string path_;
  Unreadable unreadable_;
  bool fills_as_said_ = false;
  int id_ = -1;
  std::int64_t file_ = -1;  // HDF5's id of it
};

}  // namespace thalweg::formats::netcdf4
