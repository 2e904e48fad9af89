// Writes netCDF-4 files through netCDF-C, by one process.
#include <fcntl.h>

#include <utility>
#include <vector>

#include "base/error.hpp"
#include "formats/netcdf4/define.hpp"
#include "formats/netcdf4/file.hpp"
#include "formats/netcdf4/library.hpp"
#include "formats/netcdf4/library_turn.hpp"
#include "storage/posix.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

class Netcdf4Result : public ResultFile {
 public:
  Netcdf4Result(const std::string& path, const catalog::Definition& definition) : path_(path), definition_(definition) {
    const LibraryTurn turn(fmt::format("write '{}'", path_));
    id_ = define_netcdf4_on_storage(path, definition);
  }
  ~Netcdf4Result() override {
    const LibraryTurn turn(fmt::format("close '{}'", path_), LibraryTurn::Late::goes_without);
    if (turn && id_ >= 0) nc().close(id_);
  }
  Netcdf4Result(const Netcdf4Result&) = delete;
  Netcdf4Result& operator=(const Netcdf4Result&) = delete;

  void write(int v, std::int64_t record, const Box& box, std::span<std::byte> values) override {
    const catalog::Variable& variable = definition_.variable(v);
    std::vector<std::size_t> start(box.start.begin(), box.start.end());
    std::vector<std::size_t> count(box.count.begin(), box.count.end());
    if (variable.has_record) {
      start.insert(start.begin(), static_cast<std::size_t>(record));
      count.insert(count.begin(), 1);
    }
    const LibraryTurn turn(fmt::format("write '{}'", path_));
    check(nc().put_vara(id_, v, start.data(), count.data(), values.data()),
          fmt::format("write variable '{}' of", variable.name));
  }

  void close() override {
    const LibraryTurn turn(fmt::format("write '{}'", path_));
    check(nc().close(std::exchange(id_, -1)), "close");
    storage::Descriptor file = storage::open_file(path_, O_RDWR);
    storage::sync_data(file, path_);
    file.close(path_);
  }

 private:
  void check(int status, const std::string& action) const {
    if (status != NC_NOERR)
      fail(THALWEG_ERROR_STORAGE, "netCDF cannot {} '{}': {}", action, path_, nc().strerror(status));
  }

  std::string path_;
  catalog::Definition definition_;
  int id_ = -1;
};

}  // namespace

std::unique_ptr<ResultFile> create_result_netcdf4(const std::string& path, const catalog::Definition& definition,
                                                  std::int64_t /*records*/) {
  return std::make_unique<Netcdf4Result>(path, definition);
}

}  // namespace thalweg::formats::netcdf4
