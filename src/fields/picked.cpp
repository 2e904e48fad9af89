#include "fields/picked.hpp"

#include <cstring>
#include <memory>

namespace thalweg::fields {
namespace {

bool is_view(const PickedBox& picked) {
  return std::ranges::all_of(picked.within,
                             [](const geometry::Selection& along) { return along.progressions().size() <= 1; });
}

// Along a dimension, where each index of a box is among those that are picked; -1: nowhere.
std::vector<std::int64_t> places_along(std::int64_t extent, const geometry::Selection& within) {
  std::vector<std::int64_t> places(static_cast<std::size_t>(extent), -1);
  for (std::int64_t place = 0; place < within.count(); ++place) places[static_cast<std::size_t>(within[place])] = place;
  return places;
}

// Which cell of those that are picked a cell of the box is, both counted in the order of memory.
class PickedPlaces {
 public:
  explicit PickedPlaces(const PickedBox& picked) : box_(picked.box), stride_(contiguous_strides(picked.extent(), 1)) {
    for (int d = 0; d < box_.rank(); ++d)
      along_.push_back(places_along(box_[d], picked.within[static_cast<std::size_t>(d)]));
  }

  // Calls use(i, cell of those that are picked) for those among `cells` cells of the box from `first` on.
  template <typename Use>
  void for_each(std::int64_t first, std::int64_t cells, const Use& use) const {
    if (box_.rank() == 0) return use(std::int64_t{0}, std::int64_t{0});
    const std::vector<std::int64_t>& fastest = along_.back();
    for (std::int64_t done = 0; done < cells;) {
      const std::int64_t at = (first + done) % std::ssize(fastest);
      const std::int64_t run = std::min(cells - done, std::ssize(fastest) - at);
      const std::int64_t row = row_of((first + done) / std::ssize(fastest));
      for (std::int64_t i = 0; row >= 0 && i < run; ++i)
        if (const std::int64_t place = fastest[static_cast<std::size_t>(at + i)]; place >= 0)
          use(done + i, row + place);
      done += run;
    }
  }

 private:
  // The first cell of the row; -1: it has none that is picked.
  std::int64_t row_of(std::int64_t row) const {
    std::int64_t cell = 0;
    for (int d = box_.rank() - 2; d >= 0; --d) {
      const std::int64_t place = along_[static_cast<std::size_t>(d)][static_cast<std::size_t>(row % box_[d])];
      if (place < 0) return -1;
      cell += place * stride_[d];
      row /= box_[d];
    }
    return cell;
  }

  Index box_;
  Index stride_;
  std::vector<std::vector<std::int64_t>> along_;
};

}  // namespace

Index PickedBox::extent() const {
  Index extent;
  for (const geometry::Selection& along : within) extent.push_back(along.count());
  return extent;
}

PickedArray::PickedArray(const put::Field& array, const PickedBox& picked) : field_(array) {
  field_.extent = picked.extent();
  if (!is_view(picked)) {
    copy(array, picked);
    return;
  }
  for (int d = 0; d < field_.extent.rank(); ++d) {
    const std::vector<geometry::Progression>& along = picked.within[static_cast<std::size_t>(d)].progressions();
    if (along.empty()) continue;
    field_.data += along.front().first * array.stride[d];
    field_.stride[d] = along.front().step * array.stride[d];
  }
}

// Row by row; of the fastest dimension, element by element.
void PickedArray::copy(const put::Field& array, const PickedBox& picked) {
  const auto element_bytes = static_cast<std::int64_t>(size_of(array.type));
  const int rank = field_.extent.rank();
  field_.stride = contiguous_strides(field_.extent, element_bytes);
  copied_.resize(static_cast<std::size_t>(field_.extent.product() * element_bytes));
  field_.data = copied_.data();
  std::vector<std::vector<std::int64_t>> offsets(picked.within.size());
  for (int d = 0; d < rank; ++d)
    for (std::int64_t place = 0; place < field_.extent[d]; ++place)
      offsets[static_cast<std::size_t>(d)].push_back(picked.within[static_cast<std::size_t>(d)][place] *
                                                     array.stride[d]);
  std::byte* to = copied_.data();
  const std::int64_t length = field_.extent[rank - 1];
  for (std::int64_t row = 0; row < field_.extent.product() / length; ++row) {
    const std::byte* from = array.data;
    std::int64_t rest = row;
    for (int d = rank - 2; d >= 0; --d) {
      from += offsets[static_cast<std::size_t>(d)][static_cast<std::size_t>(rest % field_.extent[d])];
      rest /= field_.extent[d];
    }
    for (const std::int64_t offset : offsets.back()) {
      std::memcpy(to, from + offset, static_cast<std::size_t>(element_bytes));
      to += element_bytes;
    }
  }
}

// Of some cells of a box, in runs of those that were put.
class PickedSample::Cells : public Strips {
 public:
  explicit Cells(std::int64_t cells)
      : values_(static_cast<std::size_t>(cells)), is_put_(static_cast<std::size_t>(cells)) {}

  void take(std::int64_t cell, double value) {
    values_[static_cast<std::size_t>(cell)] = value;
    is_put_[static_cast<std::size_t>(cell)] = true;
  }

  void for_each_strip(const Use& use) const override {
    const std::span values(values_);
    for_each_put_run(
        values.size(), [this](std::size_t cell) { return is_put_[cell]; },
        [&](std::size_t cell, std::size_t cells) {
          use(static_cast<std::int64_t>(cell), values.subspan(cell, cells));
        });
  }

 private:
  std::vector<double> values_;
  std::vector<bool> is_put_;
};

PickedSample::PickedSample(const PutSample& of, const PickedBox& picked) : of_(of) {
  if (of.array == nullptr) {
    take(picked);
    return;
  }
  array_.emplace(of.array->array(), picked);
  sample_.emplace(array_->field());
  if (of.holding.empty()) return;
  holding_.resize(static_cast<std::size_t>(sample_->cells()));
  PickedPlaces(picked).for_each(0, picked.box.product(), [&](std::int64_t i, std::int64_t cell) {
    holding_[static_cast<std::size_t>(cell)] = of.holding[static_cast<std::size_t>(i)];
  });
}

void PickedSample::take(const PickedBox& picked) {
  const std::int64_t all = picked.extent().product();
  auto cells = std::make_unique<Cells>(all);
  const PickedPlaces places(picked);
  of_.for_each_run([&](std::int64_t first, std::span<const double> values, std::span<const std::uint8_t> holding) {
    if (!holding.empty() && holding_.empty()) holding_.assign(static_cast<std::size_t>(all), 1);
    places.for_each(first, std::ssize(values), [&](std::int64_t i, std::int64_t cell) {
      cells->take(cell, values[static_cast<std::size_t>(i)]);
      if (!holding.empty()) holding_[static_cast<std::size_t>(cell)] = holding[static_cast<std::size_t>(i)];
    });
  });
  strips_ = std::move(cells);
}

PutSample PickedSample::put() const {
  const Strips& strips = sample_ ? static_cast<const Strips&>(*sample_) : *strips_;
  return {.sample = strips,
          .holding = holding_,
          .part = nullptr,
          .is_single = of_.is_single,
          .weight = of_.weight,
          .is_whole = of_.is_whole,
          .array = sample_ ? &*sample_ : nullptr,
          .is_joined = of_.is_joined};
}

}  // namespace thalweg::fields
