#include "read/selection.hpp"

#include <algorithm>
#include <utility>

#include "read/windows.hpp"

namespace thalweg::read {
namespace {

// Along each dimension one stretch, with places in the window.
using Block = std::vector<Stretch>;

bool is_dense(const Stretch& stretch) {
  return stretch.step == 1 || stretch.count == 1;
}

std::int64_t covered(const Stretch& stretch) {
  return (stretch.count - 1) * stretch.step + 1;
}

std::vector<Block> blocks_of(const std::vector<Along>& along) {
  std::vector<Block> blocks{{}};
  for (const Along& stretches : along) {
    std::vector<Block> longer;
    for (const Block& block : blocks)
      for (const Stretch& stretch : stretches) {
        longer.push_back(block);
        longer.back().push_back(stretch);
      }
    blocks = std::move(longer);
  }
  return blocks;
}

// The cells of a stretch one by one, where more lies between them than is worth reading.
std::vector<Along> without_gaps(const Block& block, const Index& chunk, std::int64_t most_gap) {
  std::vector<Along> along(block.size());
  std::int64_t behind = 1;  // cells that lie between neighbours along a dimension
  for (std::size_t d = block.size(); d-- > 0;) {
    const Stretch& stretch = block[d];
    const bool is_wide = (stretch.step - 1) * behind > most_gap && stretch.step >= chunk[static_cast<int>(d)];
    behind *= covered(stretch);
    if (is_dense(stretch) || !is_wide)
      along[d] = {stretch};
    else
      for (std::int64_t i = 0; i < stretch.count; ++i)
        along[d].push_back({stretch.at + i, stretch.first + i * stretch.step, 1, 1});
  }
  return along;
}

Box covering_box(const Block& block) {
  Box box;
  for (const Stretch& stretch : block) {
    box.start.push_back(stretch.first);
    box.count.push_back(covered(stretch));
  }
  return box;
}

// The cells of a block that lie in a box of the file; an empty one: there are none.
Piece piece_in(const Block& block, const Box& in_file) {
  Piece piece;
  for (int d = 0; d < in_file.rank(); ++d) {
    const Stretch& stretch = block[static_cast<std::size_t>(d)];
    const std::int64_t step = stretch.step;
    const std::int64_t begin = divide_up(in_file.start[d] - stretch.first, step);
    const std::int64_t count = divide_up(in_file.stop(d) - stretch.first, step) - begin;
    piece.in_file.start.push_back(stretch.first + begin * step);
    piece.in_file.count.push_back(count > 0 ? (count - 1) * step + 1 : 0);
    piece.step.push_back(step);
    piece.in_window.start.push_back(stretch.at + begin);
    piece.in_window.count.push_back(count);
  }
  return piece;
}

void add_pieces(const Selection& selection, const Block& block, std::int64_t most_cells, std::vector<Piece>& pieces) {
  const Box covering = covering_box(block);
  if (std::ranges::all_of(block, [](const Stretch& stretch) { return is_dense(stretch); })) {
    pieces.push_back(piece_in(block, covering));  // a window is small enough
    return;
  }
  for (const Window& window : windows_within(covering, {selection.shape, selection.chunk}, most_cells))
    if (Piece piece = piece_in(block, window.cells); !piece.in_window.empty()) pieces.push_back(std::move(piece));
}

}  // namespace

Along clipped(const Along& along, std::int64_t start, std::int64_t stop) {
  Along parts;
  for (const Stretch& stretch : along) {
    const std::int64_t begin = std::max(stretch.at, start);
    const std::int64_t end = std::min(stretch.stop(), stop);
    if (begin < end)
      parts.push_back({begin, stretch.first + (begin - stretch.at) * stretch.step, end - begin, stretch.step});
  }
  return parts;
}

Along along_cells(std::int64_t start, std::int64_t count, std::int64_t step, std::int64_t extent) {
  const std::int64_t before_end = std::min(count, extent - start);
  Along along{{0, start, divide_up(before_end, step), step}};
  const std::int64_t beyond = along.front().count * step;  // of the count, the first one behind the end
  if (beyond < count)
    along.push_back({along.front().count, start + beyond - extent, divide_up(count - beyond, step), step});
  return along;
}

Selection Selection::of_all(const Index& shape, const Index& chunk) {
  Selection selection{shape, chunk, {}, std::vector<bool>(static_cast<std::size_t>(shape.rank()), true)};
  for (const std::int64_t extent : shape) selection.along.push_back({{0, 0, extent, 1}});
  return selection;
}

std::vector<Along> Selection::kept() const {
  std::vector<Along> kept;
  for (std::size_t d = 0; d < along.size(); ++d)
    if (is_kept[d]) kept.push_back(along[d]);
  return kept;
}

Index Selection::kept_of(const Index& in_file) const {
  Index kept;
  for (int d = 0; d < in_file.rank(); ++d)
    if (is_kept[static_cast<std::size_t>(d)]) kept.push_back(in_file[d]);
  return kept;
}

Index Selection::part_shape() const {
  Index shape_of_part;
  for (const Along& stretches : kept()) shape_of_part.push_back(stretches.back().stop());
  return shape_of_part;
}

Box Selection::with_all_dimensions(const Box& part) const {
  Box box;
  int next = 0;
  for (const bool keeps : is_kept) {
    box.start.push_back(keeps ? part.start[next] : 0);
    box.count.push_back(keeps ? part.count[next] : 1);
    if (keeps) ++next;
  }
  return box;
}

std::string to_string(const std::vector<Along>& along) {
  std::string text;
  for (const Along& stretches : along) {
    text += "(";
    for (const Stretch& stretch : stretches)
      text += fmt::format("{}+{}:{}:{}", stretch.at, stretch.first, stretch.count, stretch.step);
    text += ")";
  }
  return text;
}

bool Piece::is_dense() const {
  for (int d = 0; d < step.rank(); ++d)
    if (in_file.count[d] != in_window.count[d]) return false;
  return true;
}

std::vector<Piece> pieces_of(const Selection& selection, const Box& cells, std::int64_t most_cells,
                             std::int64_t most_gap) {
  const Box window = selection.with_all_dimensions(cells);
  std::vector<Along> along;
  for (int d = 0; d < window.rank(); ++d) {
    along.push_back(clipped(selection.along[static_cast<std::size_t>(d)], window.start[d], window.stop(d)));
    for (Stretch& stretch : along.back()) stretch.at -= window.start[d];
  }
  std::vector<Piece> pieces;
  for (const Block& block : blocks_of(along))
    for (const Block& part : blocks_of(without_gaps(block, selection.chunk, most_gap)))
      add_pieces(selection, part, most_cells, pieces);
  return pieces;
}

}  // namespace thalweg::read
