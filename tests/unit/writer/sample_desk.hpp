// A collection and its writer, stepped by hand: everything happens in the test's own thread but the encoding of chunks.
#pragma once

#include <barrier>
#include <memory>
#include <optional>
#include <variant>

#include "writer/collection_writer.hpp"
#include "writer/sample_collection.hpp"

namespace thalweg::writer::sample {

// One field of float32 in chunks, with records.
inline Definition chunked_field(std::int64_t rows, std::int64_t columns, const Index& chunk) {
  Definition definition;
  definition.record_dimension = "time";
  definition.dimensions = {{"y", rows}, {"x", columns}};
  definition.variables = {{.name = "a",
                           .type = Type::float32,
                           .has_record = true,
                           .dimensions = {0, 1},
                           .attributes = {},
                           .is_chunked = true,
                           .chunk = chunk}};
  return definition;
}

class Desk {
 public:
  explicit Desk(Definition definition, const Options& options = {})
      : node(static_cast<int>(options.pieces)), collection(node, std::move(definition), options) {}

  void start() {
    collection.start();
    obey();
  }
  // Does everything there is to do.
  void work() {
    do {
      obey();
      take_ready();
      writer->learn_assignments();
      wait_for_pool();
      hear();
    } while (writer->take_encoded() | writer->write_some() | writer->finish_some() | hear());
  }
  void take_ready() {
    while (const auto block_id = node.queue.pop()) writer->ready(*block_id);
  }
  void put_place_commit(std::int64_t record, std::int64_t file, std::int64_t index_in_file) {
    collection.place_and_commit(record, file, index_in_file);
    collection.put_all(record, index_in_file);
    work();
  }

  Node node;
  Collection collection;
  profile::WriterCounters counters;
  std::optional<CollectionWriter> writer;
  std::optional<Spill> spill;  // before start()

 private:
  static constexpr int threads = 2;

  // Every thread arrives only when it is through with what came before.
  void wait_for_pool() {
    if (!collection.is_encoded()) return;
    auto arrivals = std::make_shared<std::barrier<>>(threads + 1);
    for (int i = 0; i < threads; ++i)
      pool_.submit([arrivals](transform::EncodingTools&) { arrivals->arrive_and_wait(); });
    arrivals->arrive_and_wait();
  }
  // Events of other kinds stay for the test.
  bool hear() {
    bool heard = false;
    for (block::Result& event : node.book.take_results())
      if (const auto* encoded = std::get_if<block::ChunksEncoded>(&event)) {
        collection.hear(*encoded);
        heard = true;
      } else {
        node.book.report(std::move(event));
      }
    return heard;
  }
  void obey() {
    for (block::Command& order : node.book.take_commands()) std::visit([this](auto& one) { obey(one); }, order);
  }
  void obey(block::AddCollection& add) {
    const Surroundings around{
        node.control->wake_ups, node.control->processes, node.control->failures, node.book, counters, access_};
    writer.emplace(0, add.plan, around, spill ? &*spill : nullptr, pool_);
  }
  void obey(block::OpenFile& open) { writer->files().open(open); }
  void obey(block::PlaceRecord& place) { writer->place_record(place); }
  void obey(block::PlaceFixed& place) { writer->files().place_fixed(place); }
  void obey(block::CommitRecords& commit) { writer->files().order_commit(commit); }
  void obey(block::CloseFile& close) { writer->files().order_close(close); }
  void obey(block::OtherWriterWrote& wrote) { writer->other_writer_wrote(wrote); }
  void obey(block::OtherWriterClosed& closed) { writer->other_writer_closed(closed); }
  void obey(block::NameParts& name) { writer->files().others().ask_for_names(name.file); }
  void obey(block::OtherWriterNamed& named) { writer->files().others().note_named(named.file); }
  void obey(block::ExpectSums& sums) { writer->expect_sums(std::move(sums)); }

  storage::StorageAccess access_{node.control->processes, node.control->failures, counters, 0};
  Pool pool_{threads, {}, [this](const Error& error) {
               node.control->failures.report_writer(error);
             }};  // ends before the writer
};

}  // namespace thalweg::writer::sample
