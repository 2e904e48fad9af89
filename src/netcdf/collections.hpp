// The collections that files of netCDF calls are written as. Files that are alike, one after the other, are a series: a
// program that makes `his_0001.nc`, `his_0002.nc`, … plans once, and its staging memory serves them all.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "netcdf/declared.hpp"
#include "netcdf/file_name.hpp"
#include "netcdf/spread.hpp"
#include "session/session.hpp"

namespace thalweg::netcdf {

struct Written {
  session::Collection* collection = nullptr;
  FileName name;  // of its last file
  Declared declared;
  std::vector<Parts> parts;                        // of this rank, of each variable
  std::vector<bool> is_joined;                     // of each variable: all of it is put in parts on every rank
  std::optional<std::uint64_t> without_records{};  // fingerprint of what variables without records have, if all was put
  bool is_idle = false;                            // its last file is closed
};

class Collections {
 public:
  explicit Collections(session::Session& session) : session_(session) {}

  // Those whose files were like this one, as far as all ranks know by themselves.
  std::vector<Written*> find_idle(const FileName& name, const Declared& declared);
  // The next file of it; false: an attribute cannot be changed, so that it has no further files. Errors: as
  // thalweg_new_file.
  bool begin_next(Written& written, const FileName& name, const Declared& declared);
  // A new one. Collective. Errors: what definitions meet.
  Written& open(const FileName& name, const Declared& declared, const std::vector<Spread>& spreads,
                std::vector<Parts> parts);

 private:
  std::string free_name(const std::string& stem) const;
  int decomposed(const geometry::Decomposition& parts, const std::string& where);
  std::vector<int> decompose(const std::string& path, const Declared& declared, const std::vector<Spread>& spreads,
                             const std::vector<Parts>& parts);
  void define(session::Collection& collection, const Declared& declared, const std::vector<int>& decompositions);

  session::Session& session_;
  std::list<Written> all_;
  std::map<std::string, int> decompositions_;  // by Spread::key
};

}  // namespace thalweg::netcdf
