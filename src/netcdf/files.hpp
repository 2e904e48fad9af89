// The files that a session writes by netCDF's calls, by their numbers.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "base/error.hpp"
#include "base/first_error.hpp"
#include "netcdf/collections.hpp"
#include "netcdf/file.hpp"
#include "session/session.hpp"

namespace thalweg::netcdf {

// The bits of netCDF's mode that mean something here. (source: netcdf.h, NC_*)
constexpr int no_clobber = 0x0004;
constexpr int data_64bit = 0x0020;
constexpr int offset_64bit = 0x0200;
constexpr int netcdf4 = 0x1000;

// There is a file, which the program's mode keeps.
struct FileIsKept : Error {
  using Error::Error;
};

class Files {
 public:
  // The session outlives this.
  explicit Files(session::Session& session) : session_(session), collections_(session) {}

  // number: that no other file of the process has. Errors: ARGUMENT, NAME for a path that is being written; FileIsKept.
  void create(int number, const std::string& path, int mode);
  // Errors: STATE for one that is closed.
  File& at(int number);
  // It is closed, whatever comes of it. Errors: also why it cannot be written.
  void close(int number);
  // Those that the program has left open; `before` hears the name of each. Errors: the first one, which may be that of
  // a file that was closed before and is not written.
  void close_all(const std::function<void(const std::string&)>& before);

 private:
  // Whether the program keeps a file that is there, by its mode.
  bool keeps(const std::string& path, int mode) const;

  session::Session& session_;
  Collections collections_;
  std::map<int, File> open_;
  std::set<std::string> names_;  // of all that were made
  FirstError lost_;              // of those that are not written
};

}  // namespace thalweg::netcdf
