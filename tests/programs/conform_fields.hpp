// Variables and the model's arrays of them, in every shape that a put accepts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "conform_cuts.hpp"
#include "conform_values.hpp"

namespace conform {

// How the model holds a field: as it is put, with halo, as every other element of an array with halo, or backwards.
enum class Memory { plain, halo, section, backwards };

struct Variable {
  std::string name;
  std::vector<std::string> dims;  // of the file, without the record dimension
  thalweg_type type = THALWEG_FLOAT64;
  const Cut* cut = nullptr;  // none: replicated
  bool has_record = true;
  thalweg_type memory_type = THALWEG_FLOAT64;
  std::vector<std::string> memory_dims;
  Memory memory = Memory::plain;
};

// Place of a name in a list, or -1.
inline int place_of(const std::string& name, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

struct Array {
  std::vector<std::byte> bytes;
  std::int64_t first = 0;  // offset of what is given to put as the first element
  Indices extent;
  Indices stride;
  bool contiguous = true;
};

// Calls visit(index) for all index vectors below count, last dimension fastest.
template <typename Visit>
void for_each_index(const Indices& count, Visit visit) {
  for (const std::int64_t extent : count)
    if (extent == 0) return;
  Indices index(count.size(), 0);
  for (;;) {
    visit(index);
    std::size_t d = count.size();
    while (d > 0 && ++index[d - 1] == count[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}

// The part of a variable that a box of its decomposition holds, in the file's order; whole in other dimensions.
struct Part {
  Indices shape;
  Indices start;
  Indices count;
  Indices halo_low;
  Indices halo_high;
};

inline Part part_of(const Variable& variable, const Indices& shape, const Box* box) {
  Part part{shape, Indices(shape.size(), 0), shape, Indices(shape.size(), 0), Indices(shape.size(), 0)};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const int place = variable.cut == nullptr ? -1 : place_of(variable.dims[d], variable.cut->dims);
    if (place < 0) continue;
    const auto c = static_cast<std::size_t>(place);
    part.start[d] = box->start[c];
    part.count[d] = box->count[c];
    if (variable.memory != Memory::halo && variable.memory != Memory::section) continue;
    part.halo_low[d] = variable.cut->halo_low[c];
    part.halo_high[d] = variable.cut->halo_high[c];
  }
  return part;
}

// An array full of garbage of the right shape; order[p] is the file's dimension at place p of the array.
inline Array empty_array(const Variable& variable, const Part& part, const std::vector<std::size_t>& order) {
  Array array;
  const std::int64_t every = variable.memory == Memory::section ? 2 : 1;
  const std::int64_t direction = variable.memory == Memory::backwards ? -1 : 1;
  std::int64_t bytes = bytes_of(variable.memory_type);
  array.extent.resize(order.size());
  array.stride.resize(order.size());
  for (std::size_t p = order.size(); p-- > 0;) {
    const std::size_t d = order[p];
    array.extent[p] = part.count[d] + part.halo_low[d] + part.halo_high[d];
    array.stride[p] = direction * every * bytes;
    if (direction < 0) array.first += (array.extent[p] - 1) * bytes;
    bytes *= array.extent[p] * every;
  }
  array.contiguous = every * direction == 1;
  array.bytes.assign(static_cast<std::size_t>(bytes), std::byte{0xa5});
  return array;
}

inline Array array_of(const Variable& variable, const Part& part, std::int64_t step) {
  std::vector<std::size_t> order;
  std::vector<std::string> left = variable.dims;
  for (const std::string& dim : variable.memory_dims) {
    order.push_back(static_cast<std::size_t>(place_of(dim, left)));
    left[order.back()].clear();  // the next one of this name is another one
  }
  Array array = empty_array(variable, part, order);
  const std::uint64_t seed = seed_of(variable.name);
  for_each_index(part.count, [&](const Indices& index) {
    std::int64_t linear = 0;
    for (std::size_t d = 0; d < index.size(); ++d) linear = linear * part.shape[d] + part.start[d] + index[d];
    std::int64_t place = array.first;
    for (std::size_t p = 0; p < order.size(); ++p)
      place += (index[order[p]] + part.halo_low[order[p]]) * array.stride[p];
    store(hash(seed, step, linear), variable.memory_type, array.bytes.data() + place);
  });
  return array;
}

}  // namespace conform
