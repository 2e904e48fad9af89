// A file that its format's library writes, called together by the ranks that own its I/O domains. One file of this
// folder implements one library (pnetcdf_file.cpp, netcdf4_file.cpp). By the thread of the model only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/box.hpp"
#include "catalog/definition.hpp"
#include "roles/circle.hpp"

namespace thalweg::mpiio {

// A part of one variable's record, or of a variable without records: row-major, in this machine's byte order.
struct MpiioBlock {
  int variable = 0;
  Box region;                       // without the record dimension
  const std::byte* data = nullptr;  // null: this rank only takes part in the call
};

struct MpiioAccess {
  roles::Circle circle;
  config::LibraryCalls calls = config::LibraryCalls::collective;
  config::Hints hints;
};

class MpiioFile {
 public:
  // One that was not closed stays open for the library: closing is collective, and after a failure nobody may come.
  virtual ~MpiioFile() = default;

  // Writes blocks of one record; the record is ignored for variables without. Collective: the ranks pass blocks of the
  // same variables in the same order. A call that fails on a rank does not keep it from the calls that the others make;
  // the first error is thrown when all are made.
  virtual void write(std::span<const MpiioBlock> blocks, std::int64_t record) = 0;

  virtual void sync() = 0;  // collective: what was written is on stable storage

  // Collective. records: that were written.
  virtual void close(std::int64_t records) = 0;

  const config::Hints& hints_in_force() const { return in_force_; }

 protected:
  MpiioFile(std::string path, const catalog::Definition& definition, const MpiioAccess& access)
      : path_(std::move(path)), definition_(definition), calls_(access.calls), circle_(access.circle) {}

  const catalog::Variable& variable(int number) const { return definition_.variable(number); }
  // Keeps the first status that is bad. Where all is well, both libraries say 0.
  void note(int status) {
    if (status_ == 0) status_ = status;
  }

  std::string path_;
  const catalog::Definition& definition_;
  config::LibraryCalls calls_;
  roles::Circle circle_;
  int status_ = 0;
  config::Hints in_force_;
};

// Where a block lies in its variable, counted in Size as its library does; without data nowhere, and no cell.
template <typename Size>
struct Slab {
  Slab(const MpiioBlock& block, bool has_record, std::int64_t record) {
    if (block.data == nullptr) return;
    std::size_t at = 0;
    if (has_record) {
      start[at] = static_cast<Size>(record);
      count[at++] = 1;
    }
    for (int d = 0; d < block.region.rank(); ++d, ++at) {
      start[at] = static_cast<Size>(block.region.start[d]);
      count[at] = static_cast<Size>(block.region.count[d]);
    }
    cells = static_cast<Size>(block.region.cells());
  }

  std::array<Size, max_rank + 1> start{};
  std::array<Size, max_rank + 1> count{};
  Size cells = 0;
};

// Creates the file at path, which must not exist, with the same header as create() of formats/format_file.hpp.
// Collective. Errors: STORAGE, FORMAT, on all ranks.
std::unique_ptr<MpiioFile> create_mpiio_file(const std::string& path, const catalog::Definition& definition,
                                             const MpiioAccess& access);

// A library in the registry of those that `engine: library` calls.
struct Library {
  std::string_view name;  // as formats call it
  // Opens it on this rank, before a call that others make together. Errors: FORMAT, where it is not there.
  void (*load)() = nullptr;
  std::unique_ptr<MpiioFile> (*create)(const std::string& path, const catalog::Definition& definition,
                                       const MpiioAccess& access) = nullptr;
  bool extends_alone = true;  // else only together: what has records is then written by collective calls
  std::span<const std::pair<const char*, const char*>> hints{};  // without which it is not safe
};

// That of the format; for formats without one the engine is refused (config/check_formats.cpp).
const Library& library_of(config::Format format);

}  // namespace thalweg::mpiio
