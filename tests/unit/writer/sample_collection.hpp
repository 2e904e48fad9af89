// A collection on one node as the model's side prepares it, without MPI: the plan by hand from a small definition, the
// node's memory, clients that put values, and the orders that the leader gives.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "block/slot_layout.hpp"
#include "formats/replacing.hpp"
#include "formats/sample_file.hpp"
#include "formats/zarr/store.hpp"
#include "staging/block_ring.hpp"
#include "staging/settled_files.hpp"
#include "storage/publishing.hpp"
#include "writer/sample_node.hpp"

namespace thalweg::writer::sample {

using catalog::Definition;
using staging::testing::patience_s;

constexpr std::int64_t rows = 6, columns = 37;  // of the fields that tests define

struct Options {
  std::int64_t depth = 2;
  std::uint32_t pieces = 1;  // of each block: one a client
  bool owns_files = true;
  int other_writers = 0;
  std::int64_t chunks_along = 1;  // of a block along each dimension
  config::Priority priority = config::Priority::normal;
  std::string name = "history";
  std::uint64_t piece_sum = 0;                         // the checksum that clients say with each piece
  std::shared_ptr<const block::SetPublication> set{};  // whose parts are written
  int set_writers_elsewhere = 0;
  bool tells_home = false;
};

class Collection {
 public:
  Collection(Node& node, Definition definition, const Options& options)
      : node_(node), definition_(std::move(definition)), options_(options), number_(node.collections++) {
    plan_.name = options.name;
    for (const catalog::Variable& variable : definition_.variables) plan_.variables.push_back(variable.name);
    plan_.files.chunks = definition_.format->traits.chunks;
    plan_.files.big_endian = definition_.format->traits.big_endian;
    if (definition_.format->traits.objects)
      plan_.files.objects = std::make_shared<const formats::zarr::ZarrFile>(definition_);
    plan_.files.owned = options.owns_files;
    plan_.files.other_writers = options.other_writers;
    plan_.files.priority = options.priority;
    plan_.files.durability = config::Durability::none;
    ask_file();
    for (int v = 0; v < std::ssize(definition_.variables); ++v) add_blocks(v);
  }

  // Between construction and start(): for blocks that differ from the usual.
  block::CollectionPlan& plan() { return plan_; }
  const block::CollectionPlan& plan() const { return plan_; }
  const Definition& definition() const { return definition_; }
  int number() const { return number_; }
  bool is_encoded() const {
    return std::ranges::any_of(definition_.variables, [](const catalog::Variable& v) {
      return v.encoding.changes_size() || v.encoding.rounds();
    });
  }

  // Makes memory and hands the collection to the writer.
  void start() {
    const std::int64_t record_bytes = lay_out(plan_.record_blocks);
    const std::int64_t fixed_bytes = lay_out(plan_.fixed_blocks);
    plan_.rings = {make_ring({options_.depth, std::ssize(plan_.record_blocks), record_bytes, 1, 1}),
                   make_ring({2, std::ssize(plan_.fixed_blocks), fixed_bytes, staging::SettledFiles::ways, 1}),
                   node_.next_block};
    for (const auto by : {staging::SettledFiles::By::puts, staging::SettledFiles::By::receipts})
      staging::SettledFiles(plan_.rings.fixed()).settle(0, by, staging::BlockRing::all_moments);
    node_.next_block = node_.next_block + plan_.rings.size();
    node_.book.send(block::AddCollection{plan_});
  }

  // ---- clients; any thread, each with its piece

  bool takes_pieces(std::int64_t record, std::int64_t block) const { return plan_.rings.takes_pieces({record, block}); }
  bool is_open(std::int64_t record, std::int64_t block) const { return plan_.rings.is_open({record, block}); }

  // Every so-many-th element of a block, from `piece` on.
  void put(std::int64_t record, std::int64_t index_in_file, std::int64_t block, std::uint32_t piece) const {
    const auto b = static_cast<std::size_t>(block);
    const block::PlannedBlock& of = plan_.record_blocks[b];
    ASSERT_TRUE(takes_pieces(record, block));
    fill(of, record_regions_[b], block_data(record, index_in_file, of), index_in_file, piece);
    arrive({record, block}, of);
  }

  void put_fixed(std::int64_t block, std::uint32_t piece) const {
    const auto b = static_cast<std::size_t>(block);
    const block::PlannedBlock& of = plan_.fixed_blocks[b];
    fill(of, fixed_regions_[b], plan_.rings.fixed().room_data(0) + of.slot_offset, 0, piece);
    arrive({staging::BlockAddress::fixed, block}, of);
  }

  // Everything, by one thread that need not wait.
  void put_all(std::int64_t record, std::int64_t index_in_file) const {
    for (std::int64_t b = 0; b < std::ssize(plan_.record_blocks); ++b)
      for (std::uint32_t piece = 0; piece < plan_.record_blocks[static_cast<std::size_t>(b)].expected; ++piece)
        put(record, index_in_file, b, piece);
  }
  void put_all_fixed() const {
    for (std::int64_t b = 0; b < std::ssize(plan_.fixed_blocks); ++b)
      for (std::uint32_t piece = 0; piece < plan_.fixed_blocks[static_cast<std::size_t>(b)].expected; ++piece)
        put_fixed(b, piece);
  }

  // ---- the leader

  std::string path(std::int64_t file) const { return node_.folder / (options_.name + std::to_string(file) + ".nc"); }
  std::string partial_path(std::int64_t file) const { return path(file) + ".partial"; }

  // What follows is done at once, or, where it needs the sizes of encoded chunks, when hear() has told them.

  void open(std::int64_t file) {
    const storage::NameRules rules{.collection = options_.name, .check_folder = formats::require_replaceable};
    const config::Publishing publishing = definition_.format->traits.publishing;
    const auto output = storage::claim(publishing, rules, path(file));
    const std::string growing = storage::growing_path(publishing, path(file));
    files_[file] = {formats::create(growing, definition_)};
    block::OpenFile order;
    order.collection = number_;
    order.file = file;
    order.parts = {{growing, path(file), output}};
    order.set = options_.set;
    order.set_writers_elsewhere = options_.set_writers_elsewhere;
    order.tells_home = options_.tells_home;
    if (plan_.files.chunked()) order.fixed_offsets = fixed_offsets(file, !plan_.files.fixed_sizes_first);
    node_.book.send(std::move(order));
    place_fixed();
  }
  void place(std::int64_t record, std::int64_t file, std::int64_t index_in_file) {
    later([=, this] {
      const auto sizes = sizes_.find(record);
      if (plan_.files.sizes_first && sizes == sizes_.end()) return false;
      formats::FormatFile& made = *files_.at(file).made;
      made.extend(index_in_file + 1);
      if (plan_.files.sizes_first) made.store(index_in_file, encoded_chunks(plan_.record_blocks, sizes->second));
      block::PlaceRecord order{number_, record, file, index_in_file, {}};
      if (plan_.files.chunked())
        for (const block::PlannedBlock& block : plan_.record_blocks)
          for (std::int64_t k = 0; k < block.chunks->size(); ++k)
            order.offsets.push_back(made.offset(block.variable, index_in_file, block.chunks->number(k)));
      node_.book.send(std::move(order));
      return true;
    });
  }
  void commit(std::int64_t record, std::int64_t file, std::int64_t records_in_file) {
    later([=, this] {
      node_.book.send(block::CommitRecords{number_, file, record, {files_.at(file).made->commit(records_in_file)}});
      return true;
    });
  }
  void close(std::int64_t file, std::int64_t end_record, std::int64_t records_in_file) {
    later([=, this] {
      if (plan_.files.fixed_sizes_first && !files_.at(file).fixed_placed) return false;
      node_.book.send(block::CloseFile{number_, file, end_record, {files_.at(file).made->close(records_in_file)}});
      files_.erase(file);
      return true;
    });
  }
  void hear(const block::ChunksEncoded& event) {
    ASSERT_TRUE(sizes_.emplace(event.record, event.sizes).second) << "told twice of record " << event.record;
    place_fixed();
    do_what_can_be_done();
  }
  void place_and_commit(std::int64_t record, std::int64_t file, std::int64_t index_in_file) {
    place(record, file, index_in_file);
    commit(record, file, index_in_file + 1);
  }

  std::int64_t records_done() const { return plan_.rings.moments().progress().moments(); }
  std::int64_t files_done() const { return plan_.rings.moments().progress().files(); }

  // Where a block of a record lies in memory.
  std::byte* block_data(std::int64_t record, std::int64_t index_in_file, const block::PlannedBlock& block) const {
    const std::int64_t number = &block - plan_.record_blocks.data();
    return plan_.rings.memory({record, number}) + plan_.page_shift(number, index_in_file) + block.slot_offset;
  }

 private:
  const catalog::Variable& variable(int v) const { return definition_.variables[static_cast<std::size_t>(v)]; }

  void ask_file() {
    const std::string path = node_.folder / "probe";
    const auto made = formats::create(path, definition_);
    plan_.files.checksum_first = made->checksum_comes_first();
    for (int v = 0; v < std::ssize(definition_.variables); ++v) {
      if (variable(v).encoding.changes_size())
        (variable(v).has_record ? plan_.files.sizes_first : plan_.files.fixed_sizes_first) = true;
      if (plan_.files.chunked()) continue;
      begin_.push_back(made->offset(v, 0, 0));
      if (variable(v).has_record) record_bytes_ = made->offset(v, 1, 0) - begin_.back();
    }
    std::filesystem::remove_all(path);
  }

  // One block for each chunk or more of them, in CDF files too.
  void add_blocks(int v) {
    const catalog::Variable& of = variable(v);
    const Index shape = definition_.shape(of);
    Index extent = of.is_chunked ? of.chunk : shape;
    for (int d = 0; d < shape.rank(); ++d) extent[d] = std::min(shape[d], extent[d] * options_.chunks_along);
    const geometry::ChunkGrid domains{shape, extent, whole(shape)};
    for (std::int64_t number = 0; number < domains.size(); ++number) add_block(v, domains.box(number));
  }

  void add_block(int v, const Box& region) {
    const catalog::Variable& of = variable(v);
    const auto element_bytes = static_cast<std::int64_t>(size_of(of.type));
    const Index shape = definition_.shape(of);
    auto& blocks = of.has_record ? plan_.record_blocks : plan_.fixed_blocks;
    block::PlannedBlock block;
    block.variable = v;
    block.region = region;
    if (!plan_.files.chunked()) block.place.begin = begin_[static_cast<std::size_t>(v)];
    block.place.record_bytes = record_bytes_;
    if (plan_.files.chunked() && of.is_chunked) block.chunks = geometry::ChunkGrid{shape, of.chunk, region};
    if (block.chunks) block.encoding = of.encoding;
    const std::int64_t spare_bytes = transform::spare_bytes(block.encoding, block.type, plan_.files.chunks, 0);
    block.map = block.chunks ? block::map_chunks(*block.chunks, element_bytes, spare_bytes)
                             : block::map_array(shape, region, element_bytes);
    block.type = of.type;
    block.fill = default_fill(of.type);
    block.expected = options_.pieces;
    if (block.chunks) block::add_padding(block);
    if (of.has_record && !blocks.empty() && plan_.files.chunked())
      block.place.first = blocks.back().place.first + blocks.back().chunks->size();
    if (!of.has_record)
      for (int before = 0; before < v; ++before)
        block.place.first += block::fixed_places(variable(before), definition_.shape(variable(before)));
    (of.has_record ? record_regions_ : fixed_regions_).push_back(region);
    blocks.push_back(std::move(block));
  }

  // ---- the leader's work

  struct File {
    std::unique_ptr<formats::FormatFile> made;
    bool fixed_placed = false;
  };

  void later(std::function<bool()> step) {
    steps_.push_back(std::move(step));
    do_what_can_be_done();
  }
  void do_what_can_be_done() {
    while (!steps_.empty() && steps_.front()()) steps_.pop_front();
  }

  void place_fixed() {
    if (!plan_.files.fixed_sizes_first) return;
    for (auto& [number, file] : files_) {
      const auto sizes = sizes_.find(block::fixed_of_file(number));
      if (sizes == sizes_.end() || std::exchange(file.fixed_placed, true)) continue;
      file.made->store(block::fixed_record, encoded_chunks(plan_.fixed_blocks, sizes->second));
      node_.book.send(block::PlaceFixed{number_, number, fixed_offsets(number, true)});
    }
  }

  std::vector<std::int64_t> fixed_offsets(std::int64_t file, bool has_encoded) const {
    std::vector<std::int64_t> offsets;
    for (int v = 0; v < std::ssize(definition_.variables); ++v) {
      const bool is_placed = has_encoded || !variable(v).encoding.changes_size();
      for (std::int64_t chunk = 0; chunk < block::fixed_places(variable(v), definition_.shape(variable(v))); ++chunk)
        offsets.push_back(is_placed ? files_.at(file).made->offset(v, 0, chunk) : block::unknown_offset);
    }
    return offsets;
  }

  static std::vector<formats::EncodedChunk> encoded_chunks(const std::vector<block::PlannedBlock>& blocks,
                                                           const std::vector<std::int64_t>& codes) {
    std::vector<formats::EncodedChunk> chunks;
    auto code = codes.begin();
    for (const block::PlannedBlock& block : blocks) {
      if (!block.encoding.changes_size()) continue;
      for (std::int64_t k = 0; k < block.chunks->size(); ++k, ++code)
        chunks.push_back(
            {block.variable, block.chunks->number(k), block::bytes_of_code(*code), block::codec_skipped_in(*code)});
    }
    EXPECT_EQ(code, codes.end());
    return chunks;
  }

  // ---- memory

  std::int64_t lay_out(std::vector<block::PlannedBlock>& blocks) const {
    std::vector<block::SlotBlock> slot;
    for (const block::PlannedBlock& block : blocks) {
      slot.push_back({block.place.begin + block.map.first_offset, &block.map});
    }
    const block::SlotLayout layout = block::lay_out_slot(slot);
    for (std::size_t b = 0; b < blocks.size(); ++b) blocks[b].slot_offset = layout.offset[b];
    return layout.bytes;
  }

  staging::BlockRing make_ring(const staging::RingShape& shape) {
    memories_.push_back(SharedMemory::create(shape.state_bytes()));
    std::byte* states = memories_.back().data();
    memories_.push_back(SharedMemory::create(shape.data_bytes()));
    staging::BlockRing ring(shape, states, memories_.back().data());
    ring.initialise();
    return ring;
  }

  // Byte offset of element i of a box.
  static std::int64_t offset_of(std::int64_t i, const Index& count, const Index& stride) {
    std::int64_t offset = 0;
    for (int d = count.rank() - 1; d >= 0; --d) {
      offset += i % count[d] * stride[d];
      i /= count[d];
    }
    return offset;
  }

  void fill(const block::PlannedBlock& block, const Box& region, std::byte* data, std::int64_t record_in_file,
            std::uint32_t piece) const {
    std::set<std::int64_t> holes;
    for (const block::HoleFill& hole : block.holes)
      for (std::int64_t i = 0; i < hole.count.product(); ++i)
        holes.insert(hole.offset + offset_of(i, hole.count, block.map.stride));
    const Index in_variable = contiguous_strides(definition_.shape(variable(block.variable)), 1);
    const auto fill_box = [&](const Box& box, std::int64_t box_offset) {
      const std::int64_t first = dot(box.start, in_variable);
      const int last = box.count.rank() - 1;
      const std::int64_t length = last < 0 ? 1 : box.count[last], step = last < 0 ? 0 : block.map.stride[last];
      // By rows, in which places go on evenly: under a sanitizer their arithmetic takes longer than what is tested.
      for (std::int64_t i = 0; i < box.cells(); i += length) {
        std::int64_t offset = box_offset + offset_of(i, box.count, block.map.stride);
        const std::int64_t element = first + offset_of(i, box.count, in_variable);
        for (std::int64_t j = 0; j < length; ++j, offset += step)
          if ((element + j) % options_.pieces == piece && (holes.empty() || !holes.contains(offset)))
            put_value(block, data + offset, formats::sample::value(block.variable, record_in_file, element + j));
      }
    };
    if (!block.chunks) return fill_box(region, 0);
    for (std::int64_t k = 0; k < block.chunks->size(); ++k)
      fill_box(block.chunks->box(k), k * block.map.run_block_stride[0]);
  }
  void put_value(const block::PlannedBlock& block, std::byte* place, double number) const {
    formats::sample::store_value(number, block.type, place);
    if (plan_.files.big_endian) std::reverse(place, place + size_of(block.type));
  }
  static std::int64_t dot(const Index& a, const Index& b) {
    std::int64_t sum = 0;
    for (int d = 0; d < a.rank(); ++d) sum += a[d] * b[d];
    return sum;
  }

  void arrive(const staging::BlockAddress& address, const block::PlannedBlock& of) const {
    if (!plan_.rings.arrive(address, 1, of.expected, options_.piece_sum)) return;
    node_.queue.push(plan_.rings.id(address));
    node_.control->wake_ups.ring();
  }

  Node& node_;
  Definition definition_;
  Options options_;
  int number_;
  block::CollectionPlan plan_;
  std::vector<std::int64_t> begin_;  // of each variable, unless chunked
  std::int64_t record_bytes_ = 0;
  std::vector<Box> record_regions_;  // of blocks
  std::vector<Box> fixed_regions_;
  std::deque<SharedMemory> memories_;
  std::map<std::int64_t, File> files_;
  std::map<std::int64_t, std::vector<std::int64_t>> sizes_;  // told, by record
  std::deque<std::function<bool()>> steps_;                  // true: done
};

}  // namespace thalweg::writer::sample
