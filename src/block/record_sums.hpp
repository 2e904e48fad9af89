// The checksums of what a collection's files hold, as long as they are written: for each variable and record the
// wrapping sum of its elements' bits (base/element_bits.hpp), to which every block adds its part. How a record is cut
// into blocks, and who writes them, makes no difference to the sum.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "staging/block_id.hpp"

namespace thalweg::block {

constexpr std::int64_t fixed_record = staging::BlockAddress::fixed;  // stands for variables without record dimension

// The same, as a file has them, where one file's are told from another's.
constexpr std::int64_t fixed_of_file(std::int64_t file) {
  return fixed_record - file;
}
constexpr bool is_fixed(std::int64_t record) {
  return record <= fixed_record;
}

using Sums = std::vector<std::uint64_t>;  // of each variable of a collection; 0: of one that is not there

// Of a complete file.
struct FileSums {
  Sums fixed;                 // of variables without record dimension
  std::vector<Sums> records;  // of the others
};

class RecordSums {
 public:
  // A record of a file, or of a part of it if it is a set.
  struct Place {
    std::int64_t file = 0;
    int part = 0;
    std::int64_t index_in_file = 0;  // fixed_record: the variables without record dimension
    friend auto operator<=>(const Place&, const Place&) = default;
  };

  explicit RecordSums(std::size_t variables) : variables_(variables) {}
  RecordSums(const RecordSums&) = delete;
  RecordSums& operator=(const RecordSums&) = delete;

  void add(const Place& place, int variable, std::uint64_t sum);
  void add(const Place& place, const Sums& sums);

  // What was added there so far.
  Sums look_at(const Place& place) const;
  // What was added there; zeros if that is nothing. It is forgotten here.
  Sums take(const Place& place);

  // The sums of a file, or of a part of it, with so many records. All of it is forgotten here, and with it what was
  // added for records beyond them, which the file does not keep.
  FileSums take_file(std::int64_t file, int part, std::int64_t records);

 private:
  Sums& at(const Place& place);

  std::size_t variables_ = 0;
  std::map<Place, Sums> sums_;
  // Blocks of a record come one after the other, and there may be as many records as the file will have.
  std::map<Place, Sums>::iterator last_ = sums_.end();
};

// Of a file that has no record dimension: those of its record are with the others.
FileSums of_one_record(FileSums sums);

// The same as numbers, all one after another, each with so many variables, and back.
std::vector<std::int64_t> coded(const FileSums& sums);
FileSums decoded(std::span<const std::int64_t> numbers, std::size_t variables);

}  // namespace thalweg::block
