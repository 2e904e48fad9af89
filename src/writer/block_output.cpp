#include "writer/block_output.hpp"

namespace thalweg::writer {

// Encoding has overwritten the holes, or knows them.
storage::BlockToWrite BlockOutput::block(const ReadyBlock& ready, const block::PlaceInFile& place) {
  const std::vector<transform::EncodedSize>* sizes = sizes_.of(ready);
  const std::byte* data =
      sizes == nullptr ? memory_.data_with_holes(ready, place.index_in_file) : memory_.data(ready, place.index_in_file);
  return {&planned(plan_, ready), ready.block, place, data, sizes, sum_of_arrivals(plan_, ready)};
}

}  // namespace thalweg::writer
