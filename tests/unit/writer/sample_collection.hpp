// A collection on one node as the model's side prepares it, without MPI: the plan by hand from a small definition, the
// node's memory, clients that put values, and the orders that the leader gives.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "staging/block_ring.hpp"
#include "staging/node.hpp"
#include "staging/ready_queue.hpp"
#include "store/orders.hpp"
#include "store/sample_file.hpp"
#include "store/slot_layout.hpp"
#include "writer/collection_writer.hpp"

namespace thalweg::writer::sample {

using catalog::Definition;
using staging::SharedMemory;
using staging::testing::NodeControl;
using staging::testing::patience_s;
using store::sample::Folder;

// What the collections of a node share.
struct Node {
  static constexpr std::int64_t most_blocks = 4096;
  explicit Node(int clients)
      : control(clients),
        queue_memory(SharedMemory::create(staging::ReadyQueue::bytes_for(most_blocks))),
        queue(queue_memory.data(), most_blocks) {}
  NodeControl control;
  store::OrderBook book;
  SharedMemory queue_memory;
  staging::ReadyQueue queue;
  Folder folder;
  std::uint32_t tokens = 0;
  int collections = 0;
};

struct Options {
  std::int64_t depth = 2;
  std::uint32_t pieces = 1;  // of each block: one a client
  bool owns_files = true;
  int other_nodes = 0;
  config::Priority priority = config::Priority::normal;
  std::string name = "history";
};

class Collection {
 public:
  Collection(Node& node, Definition definition, const Options& options)
      : node_(node), definition_(std::move(definition)), options_(options), number_(node.collections++) {
    plan_.name = options.name;
    plan_.chunked = store::traits_of(definition_.format).chunked;
    plan_.big_endian = store::traits_of(definition_.format).big_endian;
    plan_.owns_files = options.owns_files;
    plan_.other_nodes = options.other_nodes;
    plan_.priority = options.priority;
    plan_.durability = config::Durability::none;
    ask_file();
    for (int v = 0; v < std::ssize(definition_.variables); ++v) add_blocks(v);
  }

  // Between construction and start(): for blocks that differ from the usual.
  store::CollectionPlan& plan() { return plan_; }
  const Definition& definition() const { return definition_; }
  int number() const { return number_; }

  // Makes memory and hands the collection to the writer.
  void start() {
    const std::int64_t record_bytes = lay_out(plan_.record_blocks);
    const std::int64_t fixed_bytes = lay_out(plan_.fixed_blocks);
    make_ring(plan_.record_ring, {options_.depth, std::ssize(plan_.record_blocks), record_bytes, 1, 1});
    make_ring(plan_.fixed_ring, {1, std::ssize(plan_.fixed_blocks), fixed_bytes, 1, 1});
    plan_.first_token = node_.tokens;
    node_.tokens +=
        static_cast<std::uint32_t>(options_.depth * std::ssize(plan_.record_blocks) + std::ssize(plan_.fixed_blocks));
    node_.book.order(store::AddCollection{plan_});
  }

  // ---- clients; any thread, each with its piece

  bool is_open(std::int64_t record, std::int64_t block) const { return plan_.record_ring.is_open(record, block); }

  // Every so-many-th element of a block, from `piece` on.
  void put(std::int64_t record, std::int64_t index_in_file, std::int64_t block, std::uint32_t piece) const {
    const store::PlannedBlock& of = plan_.record_blocks[static_cast<std::size_t>(block)];
    fill(of, block_data(record, index_in_file, of), index_in_file, piece);
    const auto& ring = plan_.record_ring;
    if (ring.arrive(record, block, 1, of.expected, 0)) push(ring.slot_of(record) * ring.shape().blocks + block);
  }

  void put_fixed(std::int64_t block, std::uint32_t piece) const {
    const store::PlannedBlock& of = plan_.fixed_blocks[static_cast<std::size_t>(block)];
    fill(of, plan_.fixed_ring.slot_data(0) + of.slot_offset, 0, piece);
    const auto& records = plan_.record_ring.shape();
    if (plan_.fixed_ring.arrive(0, block, 1, of.expected, 0)) push(records.depth * records.blocks + block);
  }

  // Everything, by one thread that need not wait.
  void put_all(std::int64_t record, std::int64_t index_in_file) const {
    for (std::int64_t b = 0; b < std::ssize(plan_.record_blocks); ++b)
      for (std::uint32_t piece = 0; piece < plan_.record_blocks[static_cast<std::size_t>(b)].expected; ++piece)
        put(record, index_in_file, b, piece);
  }
  void put_all_fixed() const {
    for (std::int64_t b = 0; b < std::ssize(plan_.fixed_blocks); ++b)
      for (std::uint32_t piece = 0; piece < options_.pieces; ++piece) put_fixed(b, piece);
  }

  // ---- the leader

  std::string path(std::int64_t file) const { return node_.folder / (options_.name + std::to_string(file) + ".nc"); }
  std::string partial_path(std::int64_t file) const { return path(file) + ".partial"; }

  void open(std::int64_t file) {
    file_ = store::create(partial_path(file), definition_);
    store::OpenFile order{number_, file, partial_path(file), path(file), {}};
    if (plan_.chunked)
      for (int v = 0; v < std::ssize(definition_.variables); ++v)
        order.fixed_offsets.push_back(variable(v).has_record ? -1 : file_->offset(v, 0, 0));
    node_.book.order(std::move(order));
  }
  void place(std::int64_t record, std::int64_t file, std::int64_t index_in_file) {
    file_->extend(index_in_file + 1);
    store::PlaceRecord order{number_, record, file, index_in_file, {}};
    if (plan_.chunked)
      for (const store::PlannedBlock& block : plan_.record_blocks)
        order.offsets.push_back(file_->offset(block.variable, index_in_file, block.chunk));
    node_.book.order(std::move(order));
  }
  void commit(std::int64_t record, std::int64_t file, std::int64_t records_in_file) {
    node_.book.order(store::CommitRecords{number_, file, record, file_->commit(records_in_file)});
  }
  void close(std::int64_t file, std::int64_t end_record, std::int64_t records_in_file) {
    node_.book.order(store::CloseFile{number_, file, end_record, file_->close(records_in_file)});
    file_.reset();
  }
  void place_and_commit(std::int64_t record, std::int64_t file, std::int64_t index_in_file) {
    place(record, file, index_in_file);
    commit(record, file, index_in_file + 1);
  }

  std::int64_t records_done() const { return plan_.record_ring.progress().records.load(std::memory_order_acquire); }
  std::int64_t files_done() const { return plan_.record_ring.progress().files.load(std::memory_order_acquire); }

  // Where a block of a record lies in memory.
  std::byte* block_data(std::int64_t record, std::int64_t index_in_file, const store::PlannedBlock& block) const {
    const auto& ring = plan_.record_ring;
    const std::int64_t number = &block - plan_.record_blocks.data();
    return ring.slot_data(ring.slot_of(record)) + plan_.phase(number, index_in_file) + block.slot_offset;
  }

 private:
  const catalog::Variable& variable(int v) const { return definition_.variables[static_cast<std::size_t>(v)]; }

  void ask_file() {
    if (plan_.chunked) return;
    const std::string path = node_.folder / "probe";
    const auto made = store::create(path, definition_);
    for (int v = 0; v < std::ssize(definition_.variables); ++v) {
      plan_.begin.push_back(made->offset(v, 0, 0));
      if (variable(v).has_record) plan_.record_bytes = made->offset(v, 1, 0) - plan_.begin.back();
    }
    std::filesystem::remove(path);
  }

  // One block for each chunk, in CDF files too.
  void add_blocks(int v) {
    const catalog::Variable& of = variable(v);
    const Index shape = definition_.shape(of);
    const Index extent = of.has_record ? of.chunk : shape;
    Index grid = Index::filled(shape.rank(), 1);
    for (int d = 0; d < shape.rank(); ++d) grid[d] = (shape[d] + extent[d] - 1) / extent[d];
    for (std::int64_t number = 0; number < grid.product(); ++number) {
      Box region = whole(shape);
      std::int64_t rest = number;
      for (int d = shape.rank() - 1; d >= 0; --d) {
        region.start[d] = rest % grid[d] * extent[d];
        region.count[d] = std::min(extent[d], shape[d] - region.start[d]);
        rest /= grid[d];
      }
      add_block(v, number, region);
    }
  }

  void add_block(int v, std::int64_t number, const Box& region) {
    const catalog::Variable& of = variable(v);
    const auto element_bytes = static_cast<std::int64_t>(size_of(of.type));
    store::PlannedBlock block;
    block.variable = v;
    block.chunk = number;
    block.map = plan_.chunked && of.has_record ? store::map_chunk(of.chunk, region, element_bytes)
                                               : store::map_array(definition_.shape(of), region, element_bytes);
    block.type = of.type;
    block.fill = default_fill(of.type);
    block.expected = options_.pieces;
    regions_[{v, number}] = region;
    (of.has_record ? plan_.record_blocks : plan_.fixed_blocks).push_back(std::move(block));
  }

  std::int64_t lay_out(std::vector<store::PlannedBlock>& blocks) const {
    std::vector<store::SlotBlock> slot;
    for (const store::PlannedBlock& block : blocks) {
      const std::int64_t begin = plan_.chunked ? 0 : plan_.begin[static_cast<std::size_t>(block.variable)];
      slot.push_back({begin + block.map.first_offset, &block.map});
    }
    const store::SlotLayout layout = store::lay_out_slot(slot);
    for (std::size_t b = 0; b < blocks.size(); ++b) blocks[b].slot_offset = layout.offset[b];
    return layout.bytes;
  }

  void make_ring(staging::BlockRing& ring, const staging::RingShape& shape) {
    memories_.push_back(SharedMemory::create(shape.state_bytes()));
    std::byte* states = memories_.back().data();
    memories_.push_back(SharedMemory::create(shape.data_bytes()));
    ring = staging::BlockRing(shape, states, memories_.back().data());
    ring.initialise();
  }

  bool is_in_hole(const store::PlannedBlock& block, std::int64_t offset) const {
    for (const store::HoleFill& hole : block.holes)
      for (std::int64_t i = 0; i < hole.count.product(); ++i)
        if (hole.offset + offset_of(i, hole.count, block.map.stride) == offset) return true;
    return false;
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

  void fill(const store::PlannedBlock& block, std::byte* data, std::int64_t record_in_file, std::uint32_t piece) const {
    const Box& region = regions_.at({block.variable, block.chunk});
    const Index shape = definition_.shape(variable(block.variable));
    const Index in_variable = contiguous_strides(shape, 1);
    const std::int64_t first = dot(region.start, in_variable);
    const std::size_t bytes = size_of(block.type);
    for (std::int64_t i = piece; i < region.cells(); i += options_.pieces) {
      const std::int64_t offset = offset_of(i, region.count, block.map.stride);
      if (is_in_hole(block, offset)) continue;
      const std::int64_t element = first + offset_of(i, region.count, in_variable);
      store::sample::store_value(store::sample::value(block.variable, record_in_file, element), block.type,
                                 data + offset);
      if (plan_.big_endian) std::reverse(data + offset, data + offset + bytes);
    }
  }
  static std::int64_t dot(const Index& a, const Index& b) {
    std::int64_t sum = 0;
    for (int d = 0; d < a.rank(); ++d) sum += a[d] * b[d];
    return sum;
  }

  void push(std::int64_t place) const {
    node_.queue.push(plan_.first_token + static_cast<std::uint32_t>(place));
    node_.control->ring();
  }

  Node& node_;
  Definition definition_;
  Options options_;
  int number_;
  store::CollectionPlan plan_;
  std::map<std::pair<int, std::int64_t>, Box> regions_;
  std::deque<SharedMemory> memories_;
  std::unique_ptr<store::FormatFile> file_;
};

// One collection and its writer, stepped by hand.
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
      while (const auto token = node.queue.pop()) writer->ready(*token);
    } while (writer->write_some() | writer->finish_some());
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

 private:
  void obey() {
    for (store::Order& order : node.book.take_orders()) std::visit([this](auto& one) { obey(one); }, order);
  }
  void obey(store::AddCollection& add) { writer.emplace(0, add.plan, *node.control, node.book, counters); }
  void obey(store::OpenFile& open) { writer->open_file(open); }
  void obey(store::PlaceRecord& place) { writer->place_record(place); }
  void obey(store::CommitRecords& commit) { writer->order_commit(commit); }
  void obey(store::CloseFile& close) { writer->order_close(close); }
  void obey(store::OtherNodeWrote& wrote) { writer->other_node_wrote(wrote.record); }
  void obey(store::OtherNodeClosed& closed) { writer->other_node_closed(closed.file); }
};

}  // namespace thalweg::writer::sample
