// What happens when a piece is in its block: it is counted, and the last one hands the block to the writer that it goes
// to. Of records that any of a node's writers may write, each goes to the one that has the least to write when somebody
// has the first piece of it (staging/record_claims.hpp).
#pragma once

#include <cstdint>

#include "client/collection.hpp"
#include "staging/control.hpp"

namespace thalweg::client {

// A block, as who has a piece of it says: of a variable without records, record is 0.
struct BlockOf {
  const Collection& collection;
  int variable;
  const BlockPlace& place;
  std::int64_t record;
  staging::BlockAddress address() const { return collection.address_of(variable, place, record); }
};

// The first byte of the block's data in staging memory. index_in_file: of the record.
std::byte* block_address(const Collection& collection, int variable, const BlockPlace& place, std::int64_t record,
                         std::int64_t index_in_file);

class PieceArrival {
 public:
  explicit PieceArrival(staging::Control& control) : control_(control) {}

  // Whether a piece of the record may be copied into its block now. Gives the record to a writer if it can have any.
  bool is_open(const Collection& collection, const BlockPlace& place, std::int64_t record) const;
  // Gives the record to a writer, if it has none. False: a record before it in the same slot is not complete yet.
  bool claim(const Collection& collection, std::int64_t record) const;

  // pieces, of the expected, are in the block; checksum: of their bits.
  void count(const BlockOf& block, std::uint32_t pieces, std::uint32_t expected, std::uint64_t checksum) const;

 private:
  void hand_over(const Collection& collection, const BlockPlace& place, const staging::BlockAddress& of) const;
  void give_to_write(const Share& share, std::int64_t bytes) const;

  staging::Control& control_;
};

}  // namespace thalweg::client
