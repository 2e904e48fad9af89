// A small file with every kind of variable, written as a writer does it, and read back with netCDF-C, or as a Fortran
// program does.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netcdf.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "block/block_map.hpp"
#include "block/planned_block.hpp"
#include "formats/format_file.hpp"
#include "sample_folder.hpp"
#include "sample_fortran.hpp"
#include "sample_numbers.hpp"
#include "storage/journal.hpp"
#include "storage/mover.hpp"
#include "transform/chain.hpp"
#include "transform/encode.hpp"

namespace thalweg::formats::sample {

using catalog::Attribute;
using catalog::Definition;
using catalog::Variable;
using config::Format;
using config::format_named;

inline std::vector<Format> formats_named(std::initializer_list<std::string_view> names) {
  std::vector<Format> formats;
  for (const std::string_view name : names) formats.push_back(config::format_named(name));
  return formats;
}

inline Attribute text(const std::string& name, const std::string& value) {
  return {name, std::nullopt, value, {}};
}

template <typename T>
Attribute numbers(const std::string& name, Type type, std::vector<T> values) {
  Attribute attribute{name, type, "", {}};
  attribute.values.resize(values.size() * sizeof(T));
  std::memcpy(attribute.values.data(), values.data(), attribute.values.size());
  return attribute;
}

inline std::vector<Type> types_of(Format format) {
  std::vector<Type> types = {Type::int8, Type::int16, Type::int32, Type::float32, Type::float64, Type::character};
  if (format == format_named("cdf5") || format == format_named("netcdf4") || format == format_named("fortran"))
    types.insert(types.end(), {Type::int64, Type::uint8, Type::uint16, Type::uint32, Type::uint64});
  return types;
}

// Small fields of each type with and without records, a time of its own, and two fields that are worth direct writes
// and whose chunks reach over the edge.
inline Definition definition(Format format) {
  Definition result;
  result.format = format;
  result.record_dimension = "time";
  result.dimensions = {{"y", 5}, {"x", 7}, {"row", 100}, {"column", 512}, {"three", 3}};
  result.attributes = {text("title", "sample"), text("empty", ""), numbers<double>("version", Type::float64, {1.5, 2})};
  Variable time{.name = "time", .has_record = true, .dimensions = {}, .attributes = {}, .chunk = {}};
  time.chunk_records = 4;
  time.attributes = {text("units", "days since 2000-01-01")};
  result.variables.push_back(time);
  for (const Type type : types_of(format)) {
    const std::string name(name_of(type));
    Variable field{.name = name + "_fixed", .type = type, .dimensions = {0, 1}, .attributes = {}, .chunk = {}};
    result.variables.push_back(field);
    field.name = name + "_field";
    field.has_record = true;
    field.chunk = {2, 7};
    result.variables.push_back(field);
  }
  Variable three{
      .name = "three_bytes", .type = Type::int8, .has_record = true, .dimensions = {4}, .attributes = {}, .chunk = {3}};
  three.chunk_records = 3;
  result.variables.push_back(three);
  Variable large{.name = "large",
                 .type = Type::float32,
                 .has_record = true,
                 .dimensions = {2, 3},
                 .attributes = {},
                 .chunk = {40, 512}};
  large.attributes = {numbers<float>("_FillValue", Type::float32, {-999.0F})};
  result.variables.push_back(large);
  result.variables.push_back(
      {.name = "large_fixed", .type = Type::float64, .dimensions = {2, 3}, .attributes = {}, .chunk = {}});
  if (format->traits.chunked())
    for (Variable& variable : result.variables) variable.is_chunked = variable.has_record;
  return result;
}

// The same with every variable in encoded chunks: uneven ones at the edges, and small ones that no codec makes smaller.
inline Definition encoded_definition(Format format, const catalog::Encoding& encoding) {
  Definition result = definition(format);
  for (Variable& variable : result.variables) {
    variable.is_chunked = true;
    variable.chunk_records = 1;
    const Index shape = result.shape(variable);
    if (!variable.has_record)
      for (const std::int64_t extent : shape) variable.chunk.push_back((extent + 1) / 2);
    variable.encoding = encoding;
    if (size_of(variable.type) == 1) variable.encoding.shuffle = false;
    if (variable.type != Type::float32 && variable.type != Type::float64)
      variable.encoding.keep_bits = variable.encoding.keep_digits = 0;
  }
  return result;
}

// What element i of a record is; fits into every type, and into 7 bits of a significand.
inline double value(int variable, std::int64_t record, std::int64_t element) {
  return static_cast<double>((variable * 31 + record * 7 + element * 3) % 120);
}

inline void store_value(double number, Type type, std::byte* place) {
  switch (type) {
    case Type::int8:
    case Type::uint8:
    case Type::character: *place = static_cast<std::byte>(number); return;
    case Type::int16:
    case Type::uint16: {
      const auto v = static_cast<std::int16_t>(number);
      std::memcpy(place, &v, sizeof v);
      return;
    }
    case Type::int32:
    case Type::uint32: {
      const auto v = static_cast<std::int32_t>(number);
      std::memcpy(place, &v, sizeof v);
      return;
    }
    case Type::int64:
    case Type::uint64: {
      const auto v = static_cast<std::int64_t>(number);
      std::memcpy(place, &v, sizeof v);
      return;
    }
    case Type::float32: {
      const auto v = static_cast<float>(number);
      std::memcpy(place, &v, sizeof v);
      return;
    }
    case Type::float64: std::memcpy(place, &number, sizeof number); return;
  }
}

// Memory that agrees with a file offset modulo page_bytes.
class Agreeing {
 public:
  Agreeing(std::int64_t bytes, std::int64_t offset)
      : memory_(static_cast<std::byte*>(
                    std::aligned_alloc(block::page_bytes, (bytes / block::page_bytes + 2) * block::page_bytes)),
                &std::free),
        data_(memory_.get() + offset % block::page_bytes) {}
  std::byte* data() { return data_; }

 private:
  std::unique_ptr<std::byte, decltype(&std::free)> memory_;
  std::byte* data_;
};

class Writer {
 public:
  Writer(std::string path, Definition definition, bool durable = false)
      : path_(std::move(path)),
        definition_(std::move(definition)),
        traits_(definition_.format->traits),
        file_(create(path_, definition_)),
        mover_(path_, config::DirectIo::automatic),
        journal_(path_),
        durable_(durable) {
    write_variables(false, 0);
  }

  // Encoded records: ascending, each after extend() of it and no further.
  void write_data(std::int64_t record) { write_variables(true, record); }
  void commit(std::int64_t records) { storage::apply(mover_, file_->commit(records), &journal_, durable_); }
  void add(std::int64_t record) {
    file_->extend(record + 1);
    write_data(record);
    commit(record + 1);
  }
  void close(std::int64_t records) {
    storage::apply(mover_, file_->close(records), &journal_, durable_);
    file_.reset();
    journal_.remove();
  }
  FormatFile& file() { return *file_; }
  storage::Mover& mover() { return mover_; }
  storage::Journal& journal() { return journal_; }
  const block::FileIdentity& identity() const { return mover_.identity(); }
  int skipped_codecs() const { return skipped_codecs_; }

 private:
  struct Chunk {
    int variable;
    std::int64_t number;
    std::vector<std::byte> bytes;
  };

  const Variable& variable(int v) const { return definition_.variables[static_cast<std::size_t>(v)]; }

  void write_variables(bool has_record, std::int64_t record) {
    std::vector<Chunk> chunks;
    for (int v = 0; v < std::ssize(definition_.variables); ++v) {
      if (variable(v).has_record != has_record) continue;
      if (traits_.chunked() && variable(v).is_chunked)
        add_chunks(v, record, chunks);
      else
        write_array(v, record);
    }
    encode(has_record ? record : -1, chunks);
    for (const Chunk& chunk : chunks) write_at(file_->offset(chunk.variable, record, chunk.number), chunk.bytes);
  }

  void put(std::byte* place, Type type, double number) const {
    store_value(number, type, place);
    if (traits_.big_endian) std::reverse(place, place + size_of(type));
  }

  void write_at(std::int64_t offset, const std::vector<std::byte>& bytes) {
    Agreeing memory(std::ssize(bytes), offset);
    std::ranges::copy(bytes, memory.data());
    storage::DataRun run{offset, memory.data(), std::ssize(bytes)};
    mover_.write(std::span(&run, 1));
  }

  void write_array(int v, std::int64_t record) {
    const std::size_t element_bytes = size_of(variable(v).type);
    const std::int64_t cells = definition_.shape(variable(v)).product();
    std::vector<std::byte> bytes(static_cast<std::size_t>(cells) * element_bytes);
    for (std::int64_t i = 0; i < cells; ++i)
      put(bytes.data() + static_cast<std::size_t>(i) * element_bytes, variable(v).type, value(v, record, i));
    write_at(file_->offset(v, record, 0), bytes);
  }

  // Whole chunks, the parts over the edge included: what is there does not matter.
  void add_chunks(int v, std::int64_t record, std::vector<Chunk>& chunks) const {
    const Index shape = definition_.shape(variable(v));
    const geometry::ChunkGrid grid{shape, variable(v).chunk, whole(shape)};
    const std::size_t element_bytes = size_of(variable(v).type);
    for (std::int64_t number = 0; number < grid.size(); ++number) {
      Chunk chunk{v, number, std::vector<std::byte>(static_cast<std::size_t>(grid.chunk.product()) * element_bytes)};
      const Index start = grid.box(number).start;
      for (std::int64_t i = 0; i < grid.chunk.product(); ++i) {
        std::int64_t in_chunk = i, element = 0, step = 1;
        for (int d = shape.rank() - 1; d >= 0; --d) {
          element += (start[d] + in_chunk % grid.chunk[d]) * step;
          step *= shape[d];
          in_chunk /= grid.chunk[d];
        }
        put(chunk.bytes.data() + static_cast<std::size_t>(i) * element_bytes, variable(v).type,
            value(v, record, element));
      }
      chunks.push_back(std::move(chunk));
    }
  }

  void encode(std::int64_t record, std::vector<Chunk>& chunks) {
    std::vector<EncodedChunk> sizes;
    transform::EncodingTools tools;
    for (Chunk& chunk : chunks) {
      const Variable& of = variable(chunk.variable);
      if (!of.encoding.changes_size() && !of.encoding.rounds()) continue;
      const std::size_t bytes = chunk.bytes.size();
      const std::int64_t spare = transform::spare_bytes(of.encoding, of.type, traits_.chunks, std::ssize(chunk.bytes));
      chunk.bytes.resize(bytes + static_cast<std::size_t>(spare));
      const transform::EncodingTask task{of.encoding, of.type, default_fill(of.type), traits_.chunks,
                                         file_->checksum_comes_first()};
      const transform::EncodedSize size = transform::encode_chunk(task, chunk.bytes, bytes, tools);
      chunk.bytes.resize(static_cast<std::size_t>(size.bytes));
      if (of.encoding.changes_size()) sizes.push_back({chunk.variable, chunk.number, size.bytes, size.codec_skipped});
      skipped_codecs_ += size.codec_skipped ? 1 : 0;
    }
    if (!sizes.empty()) file_->store(record, sizes);
  }

  std::string path_;
  Definition definition_;
  config::FormatTraits traits_;
  std::unique_ptr<FormatFile> file_;
  storage::Mover mover_;
  storage::Journal journal_;
  bool durable_;
  int skipped_codecs_ = 0;
};

inline void expect_values(int file, int v, const Variable& variable, const Index& shape, std::int64_t records) {
  int id = -1;
  ASSERT_EQ(nc_inq_varid(file, variable.name.c_str(), &id), NC_NOERR) << variable.name;
  std::vector<std::size_t> start(static_cast<std::size_t>(shape.rank()) + 1, 0);
  std::vector<std::size_t> count(shape.begin(), shape.end());
  if (variable.has_record) count.insert(count.begin(), 1);
  std::vector<double> got(static_cast<std::size_t>(shape.product()));
  for (std::int64_t r = 0; r < (variable.has_record ? records : 1); ++r) {
    if (variable.has_record) start[0] = static_cast<std::size_t>(r);
    ASSERT_EQ(get_numbers(file, id, variable.type, start.data(), count.data(), got), NC_NOERR) << variable.name;
    for (std::size_t i = 0; i < got.size(); ++i)
      if (const double wanted = value(v, r, static_cast<std::int64_t>(i)); got[i] != wanted)
        FAIL() << variable.name << " record " << r << " at " << i << ": " << got[i] << " in place of " << wanted;
  }
}

inline std::vector<std::byte> bytes_of_file(const std::string& path) {
  const storage::Descriptor file(storage::open_file(path, O_RDONLY));
  std::vector<std::byte> bytes(static_cast<std::size_t>(storage::size_of_file(file, path)));
  storage::read_all(file, path, 0, bytes);
  return bytes;
}

inline void expect_arrays(FortranReader& reader, const Definition& definition, bool of_records, std::int64_t record) {
  for (int v = 0; v < std::ssize(definition.variables); ++v) {
    const Variable& variable = definition.variables[static_cast<std::size_t>(v)];
    if (variable.has_record != of_records) continue;
    const std::int64_t cells = definition.shape(variable).product();
    std::vector<std::byte> wanted(static_cast<std::size_t>(cells) * size_of(variable.type));
    std::byte* place = wanted.data();
    for (std::int64_t i = 0; i < cells; ++i, place += size_of(variable.type))
      store_value(value(v, record, i), variable.type, place);
    const auto array = reader.next();
    ASSERT_TRUE(array) << variable.name << " record " << record;
    ASSERT_EQ(array->size(), wanted.size()) << variable.name << " record " << record;
    ASSERT_EQ(std::memcmp(array->data(), wanted.data(), wanted.size()), 0) << variable.name << " record " << record;
  }
}

// complete: nothing follows; else nothing that a program could read.
inline void expect_fortran_file(const std::string& path, const Definition& definition, std::int64_t records,
                                bool complete) {
  const std::vector<std::byte> bytes = bytes_of_file(path);
  FortranReader reader(bytes);
  expect_arrays(reader, definition, false, 0);
  for (std::int64_t r = 0; r < records && !testing::Test::HasFatalFailure(); ++r)
    expect_arrays(reader, definition, true, r);
  EXPECT_FALSE(reader.next()) << path;
  if (complete) EXPECT_EQ(reader.bytes_left(), 0U) << path;
}

// The file at path holds exactly these records, and every value of them.
inline void expect_file(const std::string& path, const Definition& definition, std::int64_t records) {
  if (definition.format == format_named("fortran")) return expect_fortran_file(path, definition, records, true);
  int file = -1;
  ASSERT_EQ(nc_open(path.c_str(), NC_NOWRITE, &file), NC_NOERR) << path;
  int record = -1;
  std::size_t length = 0;
  EXPECT_EQ(nc_inq_dimid(file, definition.record_dimension.c_str(), &record), NC_NOERR);
  EXPECT_EQ(nc_inq_dimlen(file, record, &length), NC_NOERR);
  EXPECT_EQ(static_cast<std::int64_t>(length), records) << path;
  for (int v = 0; v < std::ssize(definition.variables) && !testing::Test::HasFatalFailure(); ++v) {
    const Variable& variable = definition.variables[static_cast<std::size_t>(v)];
    expect_values(file, v, variable, definition.shape(variable), records);
  }
  EXPECT_EQ(nc_close(file), NC_NOERR);
}

// As expect_file, of a copy, as another program would see the growing file.
inline void expect_copy(const std::string& path, const Definition& definition, std::int64_t records) {
  const std::string copy = path + ".copy";
  std::filesystem::copy_file(path, copy, std::filesystem::copy_options::overwrite_existing);
  if (definition.format == format_named("fortran"))
    expect_fortran_file(copy, definition, records, false);
  else
    expect_file(copy, definition, records);
  std::filesystem::remove(copy);
}

// The error that the action throws: its code, and that its text has a part.
template <typename Action>
void expect_error(thalweg_status code, const std::string& part, Action&& action) {
  try {
    action();
    ADD_FAILURE() << "no error; expected one with \"" << part << '"';
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

}  // namespace thalweg::formats::sample
