// Copies pieces of a field into blocks and messages, and counts what that takes.
#pragma once

#include "profile/counters.hpp"
#include "put/puts.hpp"

namespace thalweg::put {

// An array that was checked against a box of its variable.
struct CheckedField {
  const Field& field;
  const FieldView& view;
};

class PieceCopier {
 public:
  explicit PieceCopier(profile::ClientCounters& counters) : counters_(counters) {}

  // from: null: the fill value. origin: of the block at its moment. Gives the checksum of the piece.
  std::uint64_t to_block(VariablePuts& of, const block::LocalPut& piece, const CheckedField* from, bool big_endian,
                         std::byte* origin);
  // Messages carry the file's type in this machine's byte order; the receiver copies them into blocks like any field.
  void to_message(VariablePuts& of, const block::RemotePut& piece, const CheckedField* from, std::byte* message);

 private:
  std::uint64_t copy(VariablePuts& of, const block::PieceCopy& piece, const CheckedField* from, bool big_endian,
                     std::byte* target);
  std::uint64_t convert(VariablePuts& of, const transform::BoxCopy& copy, const block::PiecePoints& points,
                        const std::byte* source, std::byte* target);

  profile::ClientCounters& counters_;
};

}  // namespace thalweg::put
