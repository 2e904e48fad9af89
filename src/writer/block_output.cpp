#include "writer/block_output.hpp"

#include "writer/block_objects.hpp"

namespace thalweg::writer {

void BlockOutput::put(OpenedFile& file, const ReadyBlock& ready, const BlockPlace& place, RunsOfParts& runs) {
  if (plan_.procedure)
    give_to_procedure(file.first_part(), ready, place);
  else if (plan_.zarr)
    put_objects(file.first_part(), ready, place);
  else
    add_runs(ready, place, runs[static_cast<std::size_t>(planned(plan_, ready).part)]);
}

// Encoding has overwritten the holes, or knows them.
std::byte* BlockOutput::data_of(const ReadyBlock& ready, const BlockPlace& place,
                                const std::vector<transform::EncodedSize>* sizes) {
  return sizes == nullptr ? memory_.data_with_holes(ready, place.index_in_file)
                          : memory_.data(ready, place.index_in_file);
}

void BlockOutput::add_runs(const ReadyBlock& ready, const BlockPlace& place, std::vector<store::DataRun>& runs) {
  const store::PlannedBlock& block = planned(plan_, ready);
  const std::vector<transform::EncodedSize>* sizes = sizes_.of(ready);
  std::byte* data = data_of(ready, place, sizes);
  for (std::int64_t i = 0; i < block.map.run_count; ++i) {
    const store::Run run = run_to_write(block, sizes, i);
    const std::int64_t begin = begin_of_run(block, plan_.chunked(), place, i, ready.is_fixed());
    runs.push_back({begin + run.file_offset, data + run.block_offset, run.bytes});
  }
}

void BlockOutput::put_objects(FileWriter& file, const ReadyBlock& ready, const BlockPlace& place) {
  const store::PlannedBlock& block = planned(plan_, ready);
  const std::vector<transform::EncodedSize>* sizes = sizes_.of(ready);
  const std::byte* data = data_of(ready, place, sizes);
  std::vector<ChunkBytes> chunks;
  for (std::int64_t i = 0; i < block.map.run_count; ++i) {
    const store::Run run = run_to_write(block, sizes, i);
    chunks.emplace_back(data + run.block_offset, static_cast<std::size_t>(run.bytes));
  }
  put_chunks(file, *plan_.zarr, block, {ready.block, place.index_in_file}, chunks);
}

void BlockOutput::give_to_procedure(FileWriter& file, const ReadyBlock& ready, const BlockPlace& place) {
  const std::byte* data = memory_.data_with_holes(ready, place.index_in_file);
  RecordPlace told;
  if (!ready.is_fixed()) told = {ready.record, place.index_in_file, place.time_s};
  file.procedure().block(planned(plan_, ready), told, data, sum_of_arrivals(plan_, ready));
}

}  // namespace thalweg::writer
