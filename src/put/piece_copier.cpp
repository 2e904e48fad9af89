#include "put/piece_copier.hpp"

#include "base/quiet_arithmetic.hpp"
#include "base/seconds.hpp"
#include "transform/copy.hpp"

namespace thalweg::put {

std::uint64_t PieceCopier::to_block(VariablePuts& of, const block::LocalPut& piece, const CheckedField* from,
                                    bool big_endian, std::byte* origin) {
  return copy(of, piece.copy, from, big_endian, origin + piece.copy.target_offset);
}

void PieceCopier::to_message(VariablePuts& of, const block::RemotePut& piece, const CheckedField* from,
                             std::byte* message) {
  copy(of, piece.copy, from, false, message + piece.copy.target_offset);
}

std::uint64_t PieceCopier::copy(VariablePuts& of, const block::PieceCopy& piece, const CheckedField* from,
                                bool big_endian, std::byte* target) {
  if (from == nullptr)
    return fill_piece(piece.count, piece.target_stride, piece.points, of.of.type, big_endian, of.of.fill, target);
  const Timer timer(counters_.copy_s);
  const transform::BoxCopy copy{piece.count,      from->view.stride, piece.target_stride,
                                from->field.type, of.of.type,        big_endian};
  counters_.put_bytes += copy.count.product() * static_cast<std::int64_t>(size_of(copy.target_type));
  return convert(of, copy, piece.points,
                 from->field.data + from->view.offset + offset_of(piece.first, from->view.stride), target);
}

// What overflows is counted, which costs a second look at such pieces alone.
std::uint64_t PieceCopier::convert(VariablePuts& of, const transform::BoxCopy& copy, const block::PiecePoints& points,
                                   const std::byte* source, std::byte* target) {
  if (copy.source_type != Type::float64 || copy.target_type != Type::float32)
    return copy_piece(copy, points, source, target);
  const OverflowWatch watch;
  const std::uint64_t checksum = copy_piece(copy, points, source, target);
  if (watch.overflowed()) {
    const std::int64_t values = count_out_of_range(copy, points, source);
    of.out_of_range += values;
    counters_.out_of_range += values;
  }
  return checksum;
}

}  // namespace thalweg::put
