// The headers that netCDF-C has made in this process, by what they are made of. HDF5 attaches each dimension to each of
// its variables by writing a list anew, so that a header with some hundred variables takes a tenth of a second; the
// files of a series, and the one by which their format is probed, have the same.
#pragma once

#include <list>
#include <memory>
#include <string>

#include "catalog/definition.hpp"
#include "formats/netcdf4/define.hpp"

namespace thalweg::formats::netcdf4 {

class KeptHeaders {
 public:
  // Used by who has the LibraryTurn.
  static KeptHeaders& of_process();

  // As define_netcdf4() makes it.
  std::shared_ptr<const Netcdf4Header> of(const std::string& path, catalog::Definition definition);

 private:
  struct Kept {
    catalog::Definition definition;
    std::shared_ptr<const Netcdf4Header> header;
  };

  void shrink();

  std::list<Kept> kept_;  // newest use first
};

}  // namespace thalweg::formats::netcdf4
