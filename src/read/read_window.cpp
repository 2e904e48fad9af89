#include "read/read_window.hpp"

#include "transform/copy.hpp"

namespace thalweg::read {
namespace {

// The cells of a piece, in this machine's order, which are among those that were read of its box.
void place_piece(const Piece& piece, const Box& window, Type type, std::endian order, const std::byte* read,
                 std::byte* values) {
  const auto element_bytes = static_cast<std::int64_t>(size_of(type));
  const Index target_stride = contiguous_strides(window.count, element_bytes);
  Index source_stride = contiguous_strides(piece.in_file.count, element_bytes);
  for (int d = 0; d < source_stride.rank(); ++d) source_stride[d] *= piece.step[d];
  transform::copy_box({.count = piece.in_window.count,
                       .source_stride = source_stride,
                       .target_stride = target_stride,
                       .source_type = type,
                       .target_type = type,
                       .big_endian = order == std::endian::big},
                      read, values + offset_of(piece.in_window.start, target_stride));
}

}  // namespace

std::endian read_window(FileReader& file, const Getting& getting, const Box& cells, const WindowRoom& into) {
  const Selection& selection = getting.variable->selection;
  if (selection.is_all()) return file.read(getting.number, getting.record, cells, into.values);
  const std::vector<Piece> pieces = pieces_of(selection, cells, getting.most_cells(), getting.most_gap());
  if (pieces.size() == 1 && pieces.front().is_dense())
    return file.read(getting.number, getting.record, pieces.front().in_file, into.values);
  const Box window = selection.with_all_dimensions(cells);
  for (const Piece& piece : pieces) {
    into.room.resize(static_cast<std::size_t>(getting.bytes_of(piece.in_file.cells())));
    const std::endian order = file.read(getting.number, getting.record, piece.in_file, into.room);
    place_piece(piece, window, getting.variable->type, order, into.room.data(), into.values.data());
  }
  return std::endian::native;
}

}  // namespace thalweg::read
