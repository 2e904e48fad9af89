// The table from name to way. driver/ways.py says when each is run.
#include <functional>
#include <map>
#include <stdexcept>

#include "way.hpp"

namespace bench {
namespace {

const std::map<std::string, std::function<std::unique_ptr<Way>()>> factories = {
    {"none", make_none},
    {"copy", make_copy},
    {"floor", make_floor},
    {"raw_buffered", [] { return make_raw(false); }},
    {"raw_direct", [] { return make_raw(true); }},
    {"gather_netcdf4", [] { return make_gather(NetcdfKind::netcdf4); }},
    {"gather_netcdf4_deflate", [] { return make_gather(NetcdfKind::netcdf4_deflate); }},
    {"gather_netcdf4_zstd", [] { return make_gather(NetcdfKind::netcdf4_zstd); }},
    {"gather_cdf5", [] { return make_gather(NetcdfKind::cdf5); }},
    {"parallel_netcdf4", [] { return make_parallel_netcdf4(NetcdfKind::netcdf4); }},
    {"parallel_netcdf4_deflate", [] { return make_parallel_netcdf4(NetcdfKind::netcdf4_deflate); }},
    {"pnetcdf_blocking", [] { return make_pnetcdf(false); }},
    {"pnetcdf_iput", [] { return make_pnetcdf(true); }},
    {"thalweg_sync_cdf5", [] { return make_thalweg({"sync", "cdf5"}); }},
    {"thalweg_thread_cdf5", [] { return make_thalweg({"thread", "cdf5"}); }},
    {"thalweg_sync_netcdf4", [] { return make_thalweg({"sync", "netcdf4"}); }},
    {"thalweg_thread_netcdf4", [] { return make_thalweg({"thread", "netcdf4"}); }},
    {"thalweg_sync_netcdf4_zstd", [] { return make_thalweg({"sync", "netcdf4", "zstd"}); }},
    {"thalweg_thread_netcdf4_zstd", [] { return make_thalweg({"thread", "netcdf4", "zstd"}); }},
    {"thalweg_thread_netcdf4_deflate", [] { return make_thalweg({"thread", "netcdf4", "deflate"}); }},
    {"thalweg_thread_zarr_zstd", [] { return make_thalweg({"thread", "zarr", "zstd"}); }},
    {"idle_thread", [] { return make_thalweg({.writers = "thread", .format = "cdf5", .idle = true}); }},
    {"codec_zstd", [] { return make_codec("zstd"); }},
    {"codec_deflate", [] { return make_codec("deflate"); }},
};

}  // namespace

void Way::serve(const Options&) {
  throw std::runtime_error("this way of output has no servers");
}

std::unique_ptr<Way> make_way(const std::string& name) {
  const auto found = factories.find(name);
  if (found != factories.end()) return found->second();
  std::string text = "no way is called '" + name + "'; there are";
  for (const auto& [known, factory] : factories) text += " " + known;
  throw std::runtime_error(text);
}

}  // namespace bench
