// Pieces that come by message while the receiving rank is behind or ahead, and while their blocks are taken: a seed
// decides what happens when. One process sends to itself, so that messages are real and nothing is started.
#include "receive/receiver.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>
#include <set>

#include "base/clock.hpp"
#include "receive/receiving_rank.hpp"
#include "staging/node.hpp"

namespace thalweg::receive {
namespace {

using staging::SharedMemory;
using staging::testing::patience_s;

constexpr int cells = 8, variables = 2, tag = 70;
constexpr std::int64_t depth = 2, moments = 6, slot_bytes = 4096;

std::int64_t value_of(int variable, std::int64_t moment, int cell) {
  return variable * 1000 + moment * 100 + cell;
}

// One rank that receives all pieces of two variables in two messages a moment, and its writer.
class Played {
 public:
  explicit Played(std::uint64_t seed)
      : random_(seed),
        states_(SharedMemory::create(shape().state_bytes())),
        data_(SharedMemory::create(shape().data_bytes())),
        queue_memory_(SharedMemory::create(staging::ReadyQueue::bytes_for(depth * variables))),
        queue_(queue_memory_.data(), depth * variables),
        buffers_(SharedMemory::create(2 * variables * transport::channel_buffers * message_bytes)) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    plan_->name = "history";
    plan_->rings = {staging::BlockRing(shape(), states_.data(), data_.data()), {}, staging::BlockId{5}};
    plan_->rings.moments().initialise_due(staging::BlockRing::all_moments);
    staging::BlockRing(shape(), states_.data(), data_.data()).initialise();
    blocks_.parts.push_back({0, 0, true, plan_, queue_});
    blocks_.own = plan_;
    for (int v = 0; v < variables; ++v) add(v);
    inboxes_.is_open = true;
  }
  ~Played() {
    rank_.receiver.cancel();
    MPI_Comm_free(&comm_);
  }

  // Something that may happen now.
  void go_on() {
    switch (random_() % 4) {
      case 0: return send(static_cast<int>(random_() % variables));
      case 1: return come_to_next();
      case 2: return write_one();
      default: rank_.receiver.take();
    }
  }
  void finish() {
    come_to_ = moments;
    for (const double give_up_s = now_s() + patience_s; written_ < moments * variables && now_s() < give_up_s;) {
      for (int v = 0; v < variables; ++v) send(v);
      rank_.receiver.look_at_early_pieces();
      rank_.receiver.take();
      write_one();
    }
  }
  std::int64_t written() const { return written_; }

 private:
  static constexpr std::int64_t message_bytes = cells * 8;
  static staging::RingShape shape() { return {depth, variables, slot_bytes, 0, 0}; }

  void add(int variable) {
    block::PlannedBlock block;
    block.variable = variable;
    block.map.bytes = message_bytes;
    block.slot_offset = std::int64_t{variable} * message_bytes;
    block.expected = 1;
    plan_->record_blocks.push_back(block);
    block::ReceivePlan receive{variable, {0, tag + variable, buffer(2 * variable), message_bytes}, {}};
    const transform::BoxCopy copy{{cells}, {8}, {8}, Type::int64, Type::int64, false};
    receive.pieces.push_back({copy, {}, 0, {0, variable}, block.slot_offset, 1, 1});
    rank_.receiver.add(inboxes_, receive, true, comm_);
    senders_.emplace_back(comm_, 0, tag + variable, buffer(2 * variable + 1), message_bytes);
  }
  std::byte* buffer(int number) { return buffers_.data() + number * transport::channel_buffers * message_bytes; }

  void send(int variable) {
    std::int64_t& moment = sent_[static_cast<std::size_t>(variable)];
    transport::SendChannel& channel = senders_[static_cast<std::size_t>(variable)];
    if (moment == moments || !channel.is_free(moment)) return;
    for (int cell = 0; cell < cells; ++cell) {
      const std::int64_t value = value_of(variable, moment, cell);
      std::memcpy(channel.buffer(moment) + 8 * cell, &value, 8);
    }
    channel.send(moment++);
  }
  void come_to_next() {
    come_to_ = std::min(moments, come_to_ + 1);
    rank_.receiver.look_at_early_pieces();
  }
  // Blocks are complete once, in a slot that no other moment has, with what was sent for that moment.
  void write_one() {
    const auto id = queue_.pop();
    if (!id) return;
    const staging::BlockAddress of = plan_->rings.address(*id);
    EXPECT_LT(of.moment, come_to_) << "before this rank has come to it";
    EXPECT_TRUE(seen_.insert({of.moment, of.block}).second);
    for (int cell = 0; cell < cells; ++cell) {
      std::int64_t value = 0;
      std::memcpy(&value, plan_->rings.memory(of) + plan_->block(of).slot_offset + 8 * cell, 8);
      EXPECT_EQ(value, value_of(static_cast<int>(of.block), of.moment, cell));
    }
    plan_->rings.release(of);
    ++written_;
  }

  std::mt19937_64 random_;
  SharedMemory states_, data_, queue_memory_;
  staging::ReadyQueue queue_;
  SharedMemory buffers_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::shared_ptr<block::CollectionPlan> plan_ = std::make_shared<block::CollectionPlan>();
  block::NodeBlocks blocks_;
  catalog::CollectionIdentity identity_{0, "history", "", "", ""};
  Inboxes inboxes_{identity_, blocks_, [this](std::int64_t moment) {
                     return moment < come_to_ ? std::optional<std::int64_t>(moment) : std::nullopt;
                   }};
  ReceivingRank rank_;
  std::vector<transport::SendChannel> senders_;
  std::array<std::int64_t, variables> sent_{};
  std::int64_t come_to_ = 0, written_ = 0;
  std::set<std::pair<std::int64_t, std::int64_t>> seen_;
};

TEST(Receiver, brings_every_piece_into_its_block_whatever_comes_first) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Played rank(seed);
    for (int turn = 0; turn < 120; ++turn) rank.go_on();
    rank.finish();
    ASSERT_EQ(rank.written(), moments * variables);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace thalweg::receive
