// The values of a chunk from the bytes that HDF5's filters made of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/raw_bytes.hpp"
#include "formats/netcdf4/stored_dataset.hpp"

namespace thalweg::formats::netcdf4 {

class ChunkDecoder {
 public:
  // stored: of a chunk that has gone through these filters but those that it skipped, bit by bit; values: all of it.
  // Errors: STORAGE for damaged bytes; MEMORY.
  void decode(std::span<const ChunkFilter> filters, std::uint32_t skipped, std::span<const std::byte> stored,
              std::span<std::byte> values);

 private:
  std::array<RawBytes, 2> rooms_;  // between one filter and the next, in turn
};

}  // namespace thalweg::formats::netcdf4
