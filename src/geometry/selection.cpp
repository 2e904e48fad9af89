#include "geometry/selection.hpp"

#include <algorithm>

namespace thalweg::geometry {
namespace {

Index extents_of(std::span<const Selection> selections) {
  Index extents;
  for (const Selection& selection : selections) extents.push_back(selection.count());
  return extents;
}

// Row by row, in a space of those sizes.
std::optional<std::int64_t> place_of_point(std::int64_t point, const Index& sizes,
                                           std::span<const Selection> selections) {
  std::int64_t place = 0, cells = 1;
  for (int d = sizes.rank() - 1; d >= 0; --d) {
    const Selection& selection = selections[static_cast<std::size_t>(d)];
    const std::optional<std::int64_t> along = selection.place_of(point % sizes[d]);
    if (!along) return std::nullopt;
    place += *along * cells;
    cells *= selection.count();
    point /= sizes[d];
  }
  return place;
}

// Goes on with the last of the runs, if it is its neighbour in the list and in the file.
void add_run(std::vector<IndexRun>& runs, const IndexRun& run) {
  if (!runs.empty() && runs.back().stop() == run.global && runs.back().local + runs.back().length == run.local)
    runs.back().length += run.length;
  else
    runs.push_back(run);
}

std::vector<IndexRun> in_file_order(std::vector<IndexRun> some) {
  std::ranges::sort(some, {}, &IndexRun::global);
  std::vector<IndexRun> runs;
  for (const IndexRun& run : some) add_run(runs, run);
  return runs;
}

std::shared_ptr<const IndexList> selected_list(const std::shared_ptr<const IndexList>& list, const Index& sizes,
                                               std::span<const Selection> selections) {
  return list == nullptr ? nullptr : std::make_shared<const IndexList>(selected_of(*list, sizes, selections));
}

}  // namespace

Selection::Selection(std::vector<Progression> progressions) {
  for (const Progression& each : progressions) {
    if (each.count <= 0) continue;
    count_ += each.count;
    progressions_.push_back(each);
    if (each.count == 1) progressions_.back().step = 1;
  }
}

Selection Selection::of(std::span<const std::int64_t> indices) {
  std::vector<Progression> all;
  for (std::size_t i = 0; i < indices.size();) {
    Progression each{indices[i], 1, 1};
    if (i + 1 < indices.size() && indices[i + 1] > indices[i]) each.step = indices[i + 1] - indices[i];
    while (i + static_cast<std::size_t>(each.count) < indices.size() &&
           indices[i + static_cast<std::size_t>(each.count)] == each.first + each.step * each.count)
      ++each.count;
    i += static_cast<std::size_t>(each.count);
    all.push_back(each);
  }
  return Selection(std::move(all));
}

std::int64_t Selection::operator[](std::int64_t place) const {
  for (const Progression& each : progressions_) {
    if (place < each.count) return each.first + each.step * place;
    place -= each.count;
  }
  return -1;
}

std::optional<std::int64_t> Selection::place_of(std::int64_t index) const {
  std::int64_t before = 0;
  for (const Progression& each : progressions_) {
    const std::int64_t from_first = index - each.first, place = from_first / each.step;
    if (from_first >= 0 && from_first % each.step == 0 && place < each.count) return before + place;
    before += each.count;
  }
  return std::nullopt;
}

std::vector<SelectedPart> parts_within(const Selection& selection, std::int64_t start, std::int64_t count) {
  struct Found {
    std::int64_t place;
    std::vector<Progression> within;
    std::int64_t next_place;
  };
  std::vector<Found> found;
  std::int64_t before = 0;
  for (const Progression& each : selection.progressions()) {
    const std::int64_t first =
        std::max<std::int64_t>(0, divide_up(std::max(start - each.first, std::int64_t{0}), each.step));
    const std::int64_t last_index = start + count - 1 - each.first;
    const std::int64_t last = last_index < 0 ? -1 : std::min(each.count - 1, last_index / each.step);
    if (first <= last) {
      const Progression taken{each.first + first * each.step - start, each.step, last - first + 1};
      const std::int64_t place = before + first;
      if (found.empty() || found.back().next_place != place) found.push_back({place, {}, place});
      found.back().within.push_back(taken);
      found.back().next_place += taken.count;
    }
    before += each.count;
  }
  std::vector<SelectedPart> parts;
  for (Found& each : found) parts.push_back({each.place, Selection(std::move(each.within))});
  return parts;
}

std::vector<SelectedBox> selected_of(const Box& box, std::span<const Selection> selections) {
  std::vector<SelectedBox> boxes = {{}};
  for (int d = 0; d < box.rank(); ++d) {
    std::vector<SelectedBox> longer;
    const std::vector<SelectedPart> parts =
        parts_within(selections[static_cast<std::size_t>(d)], box.start[d], box.count[d]);
    for (const SelectedBox& before : boxes)
      for (const SelectedPart& part : parts) {
        SelectedBox& with = longer.emplace_back(before);
        with.box.start.push_back(part.place);
        with.box.count.push_back(part.within.count());
        with.within.push_back(part.within);
      }
    boxes = std::move(longer);
  }
  return boxes;
}

IndexList selected_of(const IndexList& list, const Index& sizes, std::span<const Selection> selections) {
  std::vector<IndexRun> taken;
  for (const IndexRun& run : list.runs)
    for (std::int64_t i = 0; i < run.length; ++i)
      if (const auto place = place_of_point(run.global + i, sizes, selections))
        add_run(taken, {run.local + i, *place, 1});
  return {list.count, in_file_order(std::move(taken))};
}

Decomposition selected_of(const Decomposition& of, std::span<const Selection> selections,
                          const std::vector<std::string>& names) {
  const Index extents = extents_of(selections);
  Decomposition made;
  made.dimensions = names;
  made.masked = of.masked;
  made.has_own_names = true;
  if (of.list == nullptr) {
    made.shape = extents;
    made.halo_low = made.halo_high = Index::filled(extents.rank(), 0);
    for (const Box& box : of.boxes)
      for (SelectedBox& each : selected_of(box, selections)) made.boxes.push_back(std::move(each.box));
    return made;
  }
  made.shape = {extents.product()};
  made.halo_low = made.halo_high = {0};
  made.list = selected_list(of.list, of.sizes(), selections);
  made.listed = selected_list(of.listed, of.sizes(), selections);
  if (of.joined_sizes.rank() > 0) made.joined_sizes = extents;
  const IndexList& all = made.listed == nullptr ? *made.list : *made.listed;
  if (!all.runs.empty()) made.boxes = {{{0}, {all.count}}};
  return made;
}

}  // namespace thalweg::geometry
