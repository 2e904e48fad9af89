// The whole of a set, run by run, in bounded memory; and the check that a file is that whole.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sets/set_reader.hpp"

namespace thalweg::sets {

// The sum of the bits of each variable over all its records (base/element_bits.hpp).
using BitSums = std::vector<std::uint64_t>;

// Takes whole records and variables of a set one after the other, in runs of bounded size.
class Joiner {
 public:
  Joiner(FileSet& set, std::int64_t memory_bytes);

  // Gives every run of the whole to `use`, in host order, with fill values where no part has anything. Returns the sums
  // over what the parts have and what was filled. Throws FORMAT, naming the files, where copies of a variable differ.
  using Use = std::function<void(int variable, std::int64_t record, const Box& run, std::span<std::byte> values)>;
  BitSums join(const Use& use);

 private:
  void join_variable(int variable, std::int64_t record, const Use& use);
  void join_run(int variable, std::int64_t record, const Box& run, std::span<std::byte> values);
  std::span<const std::byte> read_piece(int variable, std::int64_t record, const Source& source, const Box& common);
  void read_from(int part, int variable, std::int64_t record, const Box& box, std::span<std::byte> values);
  void compare_copy(int variable, std::int64_t record, const Source& source, int copy, const Box& box);

  FileSet& set_;
  std::int64_t run_bytes_;
  std::vector<std::vector<Source>> sources_;  // of each variable
  std::vector<std::byte> run_, piece_, copy_;
  BitSums sums_;
};

// Throws FORMAT, naming variables and numbers, unless the file is the whole with that many records and those sums.
void verify_result(const std::string& path, const catalog::Definition& whole, std::int64_t records, const BitSums& sums,
                   std::int64_t memory_bytes);

}  // namespace thalweg::sets
