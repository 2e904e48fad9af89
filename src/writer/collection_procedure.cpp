// CollectionWriter: blocks that the model's own procedure writes.
#include "writer/collection_writer.hpp"

namespace thalweg::writer {

void CollectionWriter::give_block(FileWriter& file, const ReadyBlock& ready) {
  std::byte* data = block_data(ready);
  fill_holes(ready, data);
  const bool fixed = ready.is_fixed();
  RecordPlace place;
  if (!fixed) place = {ready.record, records_.at(ready.record).index_in_file, records_.at(ready.record).time_s};
  file.procedure().block(planned(plan_, ready), place, data, sum_of_arrivals(plan_, ready));
}

// All blocks of the record were given; false if it is not its file's turn.
bool CollectionWriter::give_record(std::int64_t number) {
  const Record& of = records_.at(number);
  if (!takes_turn(of.file)) return false;
  files_.at(of.file).parts.front()->procedure().record({number, of.index_in_file, of.time_s});
  return true;
}

// Files of a procedure come one after the other, each to its end if it misses no variable without records: such a one
// may come as late as the model likes. Other files have no turns.
bool CollectionWriter::takes_turn(std::int64_t file) {
  if (!plan_.procedure) return true;
  const auto found = files_.find(file);
  for (auto earlier = files_.begin(); earlier != found; ++earlier) {
    if (!has_all_records(earlier->first)) return false;
    if (has_all_fixed(earlier->second)) earlier->second.parts.front()->procedure().end();
  }
  return found != files_.end();
}

}  // namespace thalweg::writer
