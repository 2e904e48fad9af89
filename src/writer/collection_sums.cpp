// CollectionWriter: the checksums of what it wrote, for its own files or for the home.
#include <utility>

#include "writer/collection_writer.hpp"

namespace thalweg::writer {

// Clients took it in their copy. Rounding changes the bits behind that, so that the chunks are summed again, and with
// them what lies behind the variable's edge.
std::uint64_t CollectionWriter::sum_of(const ReadyBlock& ready) const {
  const store::PlannedBlock& block = planned(plan_, ready);
  if (!block.encoding.rounds()) return sum_of_arrivals(plan_, ready) + block.sum_of_holes();
  const std::int64_t cells = block.chunks->chunk.product() * block.map.run_count;
  std::uint64_t sum = static_cast<std::uint64_t>(block.region.cells() - cells) * bits_of(block.fill, block.type);
  for (const EncodedSize& chunk : *sizes_.of(ready)) sum += chunk.sum;
  return sum;
}

void CollectionWriter::add_sum(const ReadyBlock& ready, std::int64_t file) {
  if (!plan_.summed) return;
  const bool fixed = ready.is_fixed();
  const std::int64_t index = fixed ? store::fixed_record : records_.at(ready.record).index_in_file;
  sums_.add({file, planned(plan_, ready).part, index}, planned(plan_, ready).variable, sum_of(ready));
}

void CollectionWriter::other_writer_wrote(const store::OtherWriterWrote& wrote) {
  ++others_wrote_[wrote.record];
  sums_.add({wrote.file, 0, wrote.index_in_file}, wrote.sums);
}

void CollectionWriter::other_writer_closed(const store::OtherWriterClosed& closed) {
  ++others_closed_[closed.file];
  sums_.add({closed.file, 0, store::fixed_record}, closed.sums);
}

// What this writer tells the home: files of sets, which have several parts, have one writer.
store::Sums CollectionWriter::take_sums(std::int64_t file, std::int64_t index_in_file) {
  return sums_.take({file, 0, index_in_file});
}

// True: they were asked for, and the order that closes the file follows from them.
bool CollectionWriter::tells_sums(OpenedFile& file) {
  const store::CloseFile& order = closes_.at(file.order.file);
  if (!order.summed_records) return false;
  if (file.sums) return true;
  file.sums = sums_.take_file(order.file, 0, *order.summed_records);
  book_.tell(store::FileSummed{number_, order.file, *file.sums});
  control_.tell_news();
  return true;
}

std::optional<store::Checksums> CollectionWriter::take_checksums(OpenedFile& file, std::size_t part,
                                                                 std::int64_t records) {
  if (!plan_.summed || !plan_.has_companions) return std::nullopt;
  if (!file.sums) file.sums = sums_.take_file(file.order.file, static_cast<int>(part), records);
  return store::Checksums{plan_.summed, part, *std::exchange(file.sums, std::nullopt)};
}

}  // namespace thalweg::writer
