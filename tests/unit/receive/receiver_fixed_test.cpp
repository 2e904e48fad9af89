// A fixed variable that comes by message, and anew for some files of a series, while their writer is behind or ahead: a
// seed decides what happens when. One process sends to itself.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>

#include "base/clock.hpp"
#include "receive/receiver.hpp"
#include "receive/receiving_rank.hpp"
#include "staging/node.hpp"

namespace thalweg::receive {
namespace {

using staging::SettledFiles;
using staging::SharedMemory;

constexpr int row = 8, row_tag = 71;
constexpr std::int64_t files = 7, row_bytes = row * 8, block_bytes = 4096;

class FixedPlayed {
 public:
  explicit FixedPlayed(std::uint64_t seed) : random_(seed) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    block::PlannedBlock block;
    block.map.bytes = row_bytes;
    block.expected = 1;
    plan_->fixed_blocks.push_back(block);
    staging::BlockRing ring(shape(), states_.data(), data_.data());
    ring.initialise();
    plan_->rings = {{}, ring, staging::BlockId{0}};
    blocks_.parts.push_back({0, 0, true, plan_, staging::ReadyQueue(queue_memory_.data(), 1)});
    blocks_.own = plan_;
    blocks_.settle(0, SettledFiles::By::puts, staging::BlockRing::all_moments);
    block::ReceivePlan plan{0, {0, row_tag, buffers_.data(), row_bytes}, {}};
    plan.pieces.push_back({{{row}, {8}, {8}, Type::int64, Type::int64, false}, {}, 0, {0, 0}, 0, 1, 1});
    rank_.receiver.add(inboxes_, plan, false, comm_);
    sender_.emplace(comm_, 0, row_tag, buffers_.data() + transport::channel_buffers * row_bytes, row_bytes);
    inboxes_.is_open = true;
    for (std::int64_t file = 0; file < files; ++file) {
      const bool is_anew = file == 0 || random_() % 2 == 0;
      version_.push_back(is_anew ? file : version_.back());
    }
  }
  ~FixedPlayed() {
    rank_.receiver.cancel();
    MPI_Comm_free(&comm_);
  }

  void play() {
    const double give_up_s = now_s() + staging::testing::patience_s;
    while ((written_ < files || settled_ < files) && now_s() < give_up_s) switch (random_() % 3) {
        case 0: send(); break;
        case 1: rank_.receiver.take(); break;
        default: write();
      }
    EXPECT_EQ(written_, files);
  }

 private:
  static staging::RingShape shape() { return {1, 1, block_bytes, SettledFiles::ways, 1}; }

  // As put::Sender: values when the channel is idle, and then that the file is settled, which the first needs not be.
  void send() {
    if (settled_ == files) return;
    const auto file = static_cast<std::size_t>(settled_);
    if (!are_sent_ && version_[file] == settled_) {
      if (!sender_->is_idle()) return;
      for (std::int64_t cell = 0; cell < row; ++cell) {
        const std::int64_t value = settled_ * 100 + cell;
        std::memcpy(sender_->buffer(0) + 8 * cell, &value, 8);
      }
      sender_->send_first_buffer(turn_++);
      are_sent_ = true;
    }
    if (settled_ > 0) {
      if (!sender_->is_free(turn_)) return;
      sender_->send_nothing(turn_++);
    }
    are_sent_ = false;
    ++settled_;
  }

  void write() {
    const SettledFiles settled(plan_->rings.fixed());
    if (written_ == files || settled.version_of(0) == 0 || (written_ > 0 && settled.files() <= written_)) return;
    std::uint64_t sum = 0;
    for (std::int64_t cell = 0; cell < row; ++cell) {
      std::int64_t value = 0;
      std::memcpy(&value, plan_->rings.fixed().room_data(0) + 8 * cell, 8);
      EXPECT_EQ(value, version_[static_cast<std::size_t>(written_)] * 100 + cell) << "file " << written_;
      sum += static_cast<std::uint64_t>(value);
    }
    EXPECT_EQ(plan_->rings.state({}).checksum.load(), sum);
    settled.note_in_file(0);
    ++written_;
  }

  std::mt19937_64 random_;
  SharedMemory states_ = SharedMemory::create(shape().state_bytes());
  SharedMemory data_ = SharedMemory::create(shape().data_bytes());
  SharedMemory queue_memory_ = SharedMemory::create(staging::ReadyQueue::bytes_for(1));
  SharedMemory buffers_ = SharedMemory::create(2 * transport::channel_buffers * row_bytes);
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::shared_ptr<block::CollectionPlan> plan_ = std::make_shared<block::CollectionPlan>();
  block::NodeBlocks blocks_;
  catalog::CollectionIdentity identity_{0, "history", "", "", ""};
  Inboxes inboxes_{identity_, blocks_, [](std::int64_t) { return std::nullopt; }};
  ReceivingRank rank_;
  std::optional<transport::SendChannel> sender_;
  std::vector<std::int64_t> version_;  // of each file: the one for which its values were put
  std::int64_t turn_ = 0, settled_ = 0, written_ = 0;
  bool are_sent_ = false;
};

TEST(Receiver, brings_values_that_are_put_anew_to_their_file_and_to_none_before) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    FixedPlayed(seed).play();
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace thalweg::receive
