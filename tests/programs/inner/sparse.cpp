// sparse FORMAT PATH [open]: a file of many GiB of which only few places are written, as a writer does it: variables of
// more than 2 and (but for cdf2) 4 GiB, two records that are committed, and room for a third one. open: it is left as a
// killed run leaves it. The places are those of tests/conformance/big_test.py.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/error.hpp"
#include "config/settings.hpp"
#include "formats/format_file.hpp"
#include "geometry/chunking.hpp"
#include "storage/journal.hpp"
#include "storage/mover.hpp"

namespace {

using namespace thalweg;
using catalog::Definition;
using catalog::Variable;
using config::Format;

constexpr std::int64_t committed_records = 2;
constexpr std::int64_t edge = 20000;     // rows and columns
constexpr std::int64_t levels = 3;       // 4.8 GB of float32 in a record
constexpr std::int64_t place_cells = 4;  // at each place
constexpr std::int64_t bytes_2_gib = std::int64_t{1} << 31;

Variable variable(const std::string& name, Type type, bool has_record, std::vector<int> dimensions, Index chunk) {
  return {.name = name,
          .type = type,
          .has_record = has_record,
          .dimensions = std::move(dimensions),
          .attributes = {},
          .is_chunked = has_record,
          .chunk = chunk};
}

Definition definition(Format format) {
  Definition result;
  result.format = format;
  result.record_dimension = "time";
  result.dimensions = {{"level", levels}, {"row", edge}, {"column", edge}, {"few", place_cells}};
  result.variables.push_back(variable("mesh", Type::float64, false, {1, 2}, {}));
  if (format->name == "cdf2")
    result.variables.push_back(variable("temp", Type::float64, true, {1, 2}, {}));
  else
    result.variables.push_back(variable("temp", Type::float32, true, {0, 1, 2}, {1, 1000, edge}));
  result.variables.push_back(variable("after", Type::float64, true, {3}, {place_cells}));
  return result;
}

// The first cells, the last ones, and those just before and behind each multiple of 2 GiB; never over the end of a row.
std::vector<std::int64_t> places(std::int64_t cells, std::int64_t element_bytes) {
  std::vector<std::int64_t> first{0};
  for (std::int64_t cell = bytes_2_gib / element_bytes; cell < cells; cell += bytes_2_gib / element_bytes)
    for (const std::int64_t near : {cell - place_cells, cell}) first.push_back(near / place_cells * place_cells);
  if (cells > place_cells) first.push_back(cells - place_cells);
  return first;
}

class Sparse {
 public:
  Sparse(const std::string& path, Format format)
      : definition_(definition(format)),
        traits_(format->traits),
        file_(formats::create(path, definition_)),
        mover_(path, config::DirectIo::off),
        journal_(path) {}

  void write(bool has_record, std::int64_t record) {
    for (std::size_t v = 0; v < definition_.variables.size(); ++v) {
      const Variable& of = definition_.variables[v];
      if (of.has_record != has_record) continue;
      const std::int64_t cells = definition_.shape(of).product();
      for (const std::int64_t first : places(cells, static_cast<std::int64_t>(size_of(of.type))))
        write_place(static_cast<int>(v), record, first);
    }
  }

  void run(bool stays_open) {
    write(false, 0);
    file_->extend(committed_records + 1);
    for (std::int64_t record = 0; record <= committed_records; ++record) write(true, record);
    for (std::int64_t records = 1; records <= committed_records; ++records)
      storage::apply(mover_, file_->commit(records), &journal_, false);
    if (stays_open) return;
    storage::apply(mover_, file_->close(committed_records), &journal_, false);
    journal_.remove();
  }

 private:
  // The value of a cell says variable, record and cell, and fits into a float32.
  double value(int variable, std::int64_t record, std::int64_t cell) const {
    return static_cast<double>(cell % 99991 * 16 + record * 4 + variable);
  }

  std::int64_t offset(int v, std::int64_t record, std::int64_t cell) const {
    const Variable& of = definition_.variables[static_cast<std::size_t>(v)];
    const auto element_bytes = static_cast<std::int64_t>(size_of(of.type));
    if (!traits_.chunked() || !of.is_chunked) return file_->offset(v, record, 0) + cell * element_bytes;
    const std::int64_t chunk_cells = of.chunk.product();  // chunks are contiguous in the variable
    return file_->offset(v, record, cell / chunk_cells) + cell % chunk_cells * element_bytes;
  }

  void write_place(int v, std::int64_t record, std::int64_t first) {
    const std::size_t element_bytes = size_of(definition_.variables[static_cast<std::size_t>(v)].type);
    std::vector<std::byte> bytes(place_cells * element_bytes);
    for (std::int64_t i = 0; i < place_cells; ++i) {
      std::byte* place = bytes.data() + static_cast<std::size_t>(i) * element_bytes;
      const double wide = value(v, record, first + i);
      const auto narrow = static_cast<float>(wide);
      std::memcpy(place, element_bytes == sizeof wide ? static_cast<const void*>(&wide) : &narrow, element_bytes);
      if (traits_.big_endian) std::reverse(place, place + element_bytes);
    }
    mover_.write_bytes(offset(v, record, first), bytes);
  }

  Definition definition_;
  config::FormatTraits traits_;
  std::unique_ptr<formats::FormatFile> file_;
  storage::Mover mover_;
  storage::Journal journal_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return EXIT_FAILURE;
  MPI_Init(&argc, &argv);
  int code = EXIT_SUCCESS;
  try {
    Sparse(argv[2], config::format_named(argv[1])).run(argc > 3);
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    code = error.code();
  }
  MPI_Finalize();
  return code;
}
