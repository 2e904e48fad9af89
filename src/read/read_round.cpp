#include "read/read_round.hpp"

#include "base/clock.hpp"
#include "base/element_bits.hpp"
#include "base/error.hpp"
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

RawBytes message_of(const Getting& getting, const Share& share, const WindowValues& window) {
  RawBytes message(static_cast<std::size_t>(getting.bytes_of(share.cells)));
  pack(share, getting.variable->type, window, message);
  return message;
}

// Only what this rank wants is converted: it may be none of its values that its type cannot hold.
void place_own(const Getting& getting, const Round& round, const WindowValues& window, RoundRooms& rooms) {
  if (!round.own->points && getting.conversion.is_plain()) return place_window(*round.own, window, *getting.target);
  const RawBytes own = message_of(getting, *round.own, window);
  place_message(*round.own_array, getting.converted(own, rooms.converted), *getting.target);
}

std::endian read_cells(FileReader& file, const Getting& getting, const Box& cells, RawBytes& values) {
  values.resize(static_cast<std::size_t>(getting.bytes_of(cells.cells())));
  const Selection& selection = getting.variable->selection;
  if (selection.is_all()) return file.read(getting.number, getting.record, cells, values);
  const std::vector<Piece> pieces = pieces_of(selection, cells, getting.most_cells(), getting.most_gap());
  if (pieces.size() == 1 && pieces.front().is_dense())
    return file.read(getting.number, getting.record, pieces.front().in_file, values);
  const Box window = selection.with_all_dimensions(cells);
  RawBytes read;  // wanted cells, and what lies between them
  for (const Piece& piece : pieces) {
    read.resize(static_cast<std::size_t>(getting.bytes_of(piece.in_file.cells())));
    const std::endian order = file.read(getting.number, getting.record, piece.in_file, read);
    place_piece(piece, window, getting.variable->type, order, read.data(), values.data());
  }
  return std::endian::native;
}

}  // namespace

std::endian read_window(FileReader& file, const Getting& getting, const Box& cells, RawBytes& values) {
  try {
    return read_cells(file, getting, cells, values);
  } catch (...) {
    const Error error = error_in_flight();
    if (error.code() != THALWEG_ERROR_MEMORY) throw;
    fail(THALWEG_ERROR_MEMORY, "{}: while {} cells of it were read: {}; get smaller boxes, or let fewer ranks read",
         getting.where, cells.cells(), error.what());
  }
}

ReadRound placed(const Getting& getting, const Round& round, RoundRooms& rooms, std::endian order, double read_s) {
  ReadRound done;
  done.read_s = read_s;
  done.bytes = std::ssize(rooms.window);
  if (getting.is_summed) {
    const std::size_t element_bytes = size_of(getting.variable->type);
    done.sum = order == std::endian::native ? bit_sum(rooms.window, element_bytes)
                                            : bit_sum_of_swapped(rooms.window, element_bytes);
    done.cells = round.window->cells.cells();
  }
  const WindowValues window{rooms.window, order};
  if (round.own && getting.target) place_own(getting, round, window, rooms);
  for (const Share& share : round.outgoing) done.outgoing.push_back(message_of(getting, share, window));
  return done;
}

ReadRound read_round(FileReader& file, const Getting& getting, const Round& round, RoundRooms& rooms) {
  const double begin_s = now_s();
  const std::endian order = read_window(file, getting, round.window->cells, rooms.window);
  return placed(getting, round, rooms, order, now_s() - begin_s);
}

std::endian read_in_time(StorageCalls& storage, const std::shared_ptr<KeptReading>& reading, const Box& cells) {
  return storage.found(reading->getting.where, [reading, cells] {
    return read_window(*reading->file, reading->getting, cells, reading->rooms.window);
  });
}

}  // namespace thalweg::read
