// The coordinators of a collection's files on several ranks, without any: ranks are objects here, a seed decides which
// of them goes on, what its writer does and what is delivered when, and every writer notes what it was told.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "files/continued.hpp"
#include "files/file_coordinator.hpp"
#include "sanitized.hpp"
#include "transport/in_process.hpp"
#include "transport/tags.hpp"

namespace thalweg::files {
namespace {

using transport::testing::Network;

const int schedules = sanitized::fewer(10'000);
constexpr int chunks_a_writer = 2;
constexpr int records_a_file = 3;

// What differs between games.
struct Rules {
  int ranks = 2;
  bool encoded = false;
  bool small = false;
  std::int64_t records = 0;
};

// Places chunks one behind the other, encoded ones when their sizes are known. Nobody asks for a place that is none.
class PlayedFile final : public formats::FormatFile {
 public:
  PlayedFile(const Rules& rules, std::int64_t number) : rules_(rules), end_((number + 1) << 32) {}
  void extend(std::int64_t records) override {
    EXPECT_GE(records, records_);
    for (; records_ < records; ++records_)
      for (int chunk = 0; !rules_.encoded && chunk < rules_.ranks * chunks_a_writer; ++chunk)
        give(0, records_, chunk, 8);
    if (!rules_.encoded && records_ <= 1)
      for (int chunk = 0; chunk < rules_.ranks; ++chunk) give(1, 0, chunk, 8);
  }
  std::int64_t offset(int variable, std::int64_t record, std::int64_t chunk) const override {
    if (variable == 1 && !rules_.encoded) return (std::int64_t{1} << 60) + chunk;
    const auto found = offsets_.find({variable, variable == 1 ? 0 : record, chunk});
    if (found == offsets_.end()) fail(THALWEG_ERROR_STATE, "chunk {} of record {} has no place", chunk, record);
    return found->second;
  }
  void store(std::int64_t record, std::span<const formats::EncodedChunk> chunks) override {
    for (const formats::EncodedChunk& chunk : chunks)
      give(chunk.variable, record == block::fixed_record ? 0 : record, chunk.chunk, chunk.bytes);
  }
  block::Transaction commit(std::int64_t records) override {
    EXPECT_LE(records, records_);
    return {.records = records};
  }
  block::Transaction close(std::int64_t records) override { return {.records = records}; }

 private:
  void give(int variable, std::int64_t record, std::int64_t chunk, std::int64_t bytes) {
    EXPECT_TRUE(offsets_.emplace(std::tuple{variable, record, chunk}, end_).second);
    end_ += bytes;
  }
  const Rules& rules_;
  std::int64_t records_ = 0;
  std::int64_t end_;
  std::map<std::tuple<int, std::int64_t, std::int64_t>, std::int64_t> offsets_;
};

class PlayedMaker final : public FileMaker {
 public:
  explicit PlayedMaker(const Rules& rules) : rules_(rules) {}
  std::vector<block::FileNames> names(const std::string& name) const override {
    return {{.partial_path = name + ".partial", .path = name}};
  }
  void prepare(const std::string& /*name*/) override {}
  MadeFiles take(const std::string& name) override {
    MadeFiles made;
    made.files.push_back(std::make_unique<PlayedFile>(rules_, made_++));
    made.names = names(name);
    return made;
  }

 private:
  const Rules& rules_;
  std::int64_t made_ = 0;
};

// What a writer was told of a file, and of a record.
struct ToldFile {
  bool open = false;
  bool has_fixed = false;
  bool closed = false;
};
struct ToldRecord {
  std::int64_t file = -1;
  std::int64_t index = -1;
  std::vector<std::int64_t> offsets;
};

// A rank with its coordinator and its writer.
class PlayedRank {
 public:
  PlayedRank(Network& network, const Rules& rules, int rank)
      : rules_(rules),
        network_(network),
        rank_(rank),
        declaration_(declared(rules)),
        schedule_(settings(), {}),
        messages_(network.messenger(rank, transport::tags::files)),
        plan_(planned()),
        coordinator_(
            {{identity_, *declaration_, schedule_, continued_}, plan_, rank, rank, book_, messages_, counters_},
            std::make_unique<PlayedMaker>(rules)) {}

  // One step of the model, of the writer, or of the messages.
  void go_on() {
    switch (network_.pick(4)) {
      case 0: return model();
      case 1: return writer();
      case 2: return hear();
      default: coordinator_.place_overdue();
    }
  }
  void finish() {
    while (schedule_.closed_records() < rules_.records) model();
    if (!has_finished_) coordinator_.finish();
    has_finished_ = true;
  }
  void work_off() {
    hear();
    coordinator_.place_pending();
    writer();
    while (encode_one()) {
    }
    while (write_one()) {
    }
  }
  void hear() {
    while (const auto message = messages_.receive()) coordinator_.hear(*message);
    for (const block::Result& event : book_.take_results()) coordinator_.hear(event);
  }

  bool owns() const { return rank_ == 0; }
  bool owes() const { return coordinator_.owes(rules_.records); }
  const std::map<std::int64_t, ToldRecord>& records() const { return records_; }
  const std::map<std::int64_t, ToldFile>& files() const { return files_; }
  std::int64_t told_by_others() const { return told_by_others_; }

 private:
  static config::CollectionSettings settings() {
    config::CollectionSettings of;
    of.name = "history";
    of.file = "history.nc";
    of.new_file.steps = records_a_file;
    of.write_behind.interval_s = 1e9;
    return of;
  }
  static std::unique_ptr<catalog::Declaration> declared(const Rules& rules) {
    auto made = std::make_unique<catalog::Declaration>(settings());
    catalog::Declaration& of = *made;
    of.define_dimension("x", std::int64_t{rules.ranks} * chunks_a_writer);
    of.define_dimension("part", rules.ranks);
    of.define_variable("temp", "time,x", Type::float64, nullptr, "");
    of.define_variable("depth", "part", Type::float64, nullptr, "");
    of.finish(Calendar::standard, {});
    for (catalog::Variable& variable : of.definition().variables) {
      variable.chunk = Index::filled(of.definition().shape(variable).rank(), 1);
      variable.is_chunked = true;
      if (rules.encoded && variable.name != "time") variable.encoding.codec = config::codec_named("zstd");
    }
    return made;
  }
  FilePlan planned() const {
    FilePlan plan;
    plan.owner = 0;
    auto blocks = std::make_shared<block::CollectionPlan>();
    blocks->files.chunks = config::format_named("netcdf4")->traits.chunks;
    blocks->files.owned = owns();
    blocks->whole_records = rules_.small;
    blocks->files.sizes_first = blocks->files.fixed_sizes_first = rules_.encoded;
    blocks->rings = {staging::BlockRing({64, 0, 0, 0, 0}, nullptr, nullptr), {}, {}};
    block::PlannedBlock block;
    if (rules_.encoded) block.encoding.codec = config::codec_named("zstd");
    blocks->record_blocks.push_back(block);
    plan.blocks = std::move(blocks);
    for (int writer = 0; writer < rules_.ranks && owns(); ++writer) {
      if (writer != 0) plan.other_writers.push_back(writer);
      plan.chunks_of[writer] = {writer};
      for (int chunk = 0; chunk < chunks_a_writer; ++chunk)
        plan.record_chunks[writer].push_back({0, std::int64_t{writer} * chunks_a_writer + chunk, rules_.encoded, 0});
      if (rules_.encoded) plan.fixed_chunks[writer].push_back({1, writer, true, 0});
    }
    return plan;
  }

  // A record begins, and then is closed.
  void model() {
    if (schedule_.closed_records() >= rules_.records) return;
    const Upcoming upcoming = schedule_.upcoming();
    if (begun_ == upcoming.record) {
      coordinator_.begin_record(upcoming);
      ++begun_;
      return;
    }
    const double time_s = static_cast<double>(++steps_);
    coordinator_.end_record(time_s);
    schedule_.advance(time_s);
  }

  void writer() {
    for (block::Command& order : book_.take_commands()) std::visit([this](auto& of) { obey(of); }, order);
    if (network_.pick(2) == 0) encode_one();
    if (network_.pick(2) == 0) write_one();
  }
  // Blocks of a record are encoded when all clients have put it.
  bool encode_one() {
    if (!rules_.encoded) return false;
    if (fixed_encoded_ < std::ssize(files_)) return tell_sizes(block::fixed_of_file(fixed_encoded_++), 1);
    return encoded_ < schedule_.closed_records() && tell_sizes(encoded_++, chunks_a_writer);
  }
  bool tell_sizes(std::int64_t record, int chunks) {
    block::ChunksEncoded event{0, record, {}};
    for (int chunk = 0; chunk < chunks; ++chunk)
      event.sizes.push_back(block::code_of(1 + network_.pick(100), network_.pick(2) == 0));
    book_.report(event);
    return true;
  }
  bool write_one() {
    const auto placed = records_.find(written_);
    if (owns() || placed == records_.end()) return false;
    book_.report(block::RecordWritten{0, written_++, placed->second.file, placed->second.index, {7}});
    return true;
  }

  void obey(block::OpenFile& of) {
    ASSERT_FALSE(std::exchange(files_[of.file].open, true)) << "opened twice";
    files_[of.file].has_fixed |= !rules_.encoded;
    for (const std::int64_t offset : of.fixed_offsets) ASSERT_EQ(offset == block::unknown_offset, rules_.encoded);
  }
  void obey(block::PlaceRecord& of) {
    // The owner may be ahead of the model of another rank, or behind it, whose writer keeps what it is told.
    const ToldFile& file = files_[of.file];
    ASSERT_TRUE((file.open && !file.closed) || !owns()) << "record " << of.record << " of file " << of.file;
    ASSERT_EQ(std::ssize(of.offsets), chunks_a_writer);
    ASSERT_TRUE(records_.emplace(of.record, ToldRecord{of.file, of.index_in_file, of.offsets}).second);
  }
  void obey(block::PlaceFixed& of) {
    ASSERT_FALSE(std::exchange(files_[of.file].has_fixed, true));
    for (const std::int64_t offset : of.offsets) ASSERT_NE(offset, block::unknown_offset);
  }
  void obey(block::CommitRecords& of) {
    ASSERT_TRUE(owns());
    ASSERT_TRUE(records_.contains(of.last_record)) << "committed before it is placed";
    ASSERT_GE(of.last_record, committed_);
    committed_ = of.last_record + 1;
    ASSERT_EQ(of.transactions.front().records, of.last_record + 1 - of.file * records_a_file);
  }
  void obey(block::CloseFile& of) {
    ASSERT_FALSE(std::exchange(files_[of.file].closed, true));
    if (owns()) ASSERT_GE(committed_, of.end_record);
  }
  void obey(block::OtherWriterWrote& of) {
    ASSERT_TRUE(owns());
    ASSERT_EQ(of.sums, block::Sums{7});
    ++told_by_others_;
  }
  void obey(block::OtherWriterClosed& /*of*/) { FAIL() << "nobody told that"; }
  void obey(block::AddCollection& /*of*/) { FAIL() << "nobody told that"; }
  void obey(block::ExpectSums& /*of*/) { FAIL() << "nobody told that"; }
  void obey(block::NameParts& /*of*/) { FAIL() << "nobody told that"; }
  void obey(block::OtherWriterNamed& /*of*/) { FAIL() << "nobody told that"; }

  const Rules& rules_;
  Network& network_;
  int rank_;
  catalog::CollectionIdentity identity_{0, "history", "", "", ""};
  std::unique_ptr<catalog::Declaration> declaration_;
  RecordSchedule schedule_;
  std::optional<Continued> continued_;
  block::CommandBook book_;
  Messages messages_;
  profile::ClientCounters counters_;
  FilePlan plan_;
  FileCoordinator coordinator_;

  std::int64_t begun_ = 0, steps_ = 0, encoded_ = 0, written_ = 0, committed_ = 0, told_by_others_ = 0;
  std::int64_t fixed_encoded_ = 0;  // for so many files
  bool has_finished_ = false;
  std::map<std::int64_t, ToldRecord> records_;
  std::map<std::int64_t, ToldFile> files_;
};

Rules rules_of(Network& network) {
  return {.ranks = 1 + static_cast<int>(network.pick(4)),
          .encoded = network.pick(2) == 0,
          .small = network.pick(2) == 0,
          .records = network.pick(8)};
}

std::vector<std::unique_ptr<PlayedRank>> play(Network& network, const Rules& rules) {
  std::vector<std::unique_ptr<PlayedRank>> ranks;
  for (int rank = 0; rank < rules.ranks; ++rank) ranks.push_back(std::make_unique<PlayedRank>(network, rules, rank));
  return ranks;
}

void work_off(Network& network, const std::vector<std::unique_ptr<PlayedRank>>& ranks) {
  bool delivers = true;
  for (int calm = 0; calm < 4; calm = delivers ? 0 : calm + 1) {
    delivers = false;
    while (network.deliver_one()) delivers = true;
    for (const auto& rank : ranks) rank->work_off();
  }
}

// Every writer knows of every record where it lies, and no two chunks lie in one place.
void check(const Rules& rules, const std::vector<std::unique_ptr<PlayedRank>>& ranks) {
  std::set<std::int64_t> places;
  for (const auto& rank : ranks) {
    ASSERT_EQ(std::ssize(rank->records()), rules.records);
    for (const auto& [record, told] : rank->records()) {
      ASSERT_EQ(told.file, record / records_a_file);
      ASSERT_EQ(told.index, record % records_a_file);
      for (const std::int64_t place : told.offsets) ASSERT_TRUE(places.insert(place).second) << place;
    }
    ASSERT_EQ(std::ssize(rank->files()),
              std::max<std::int64_t>(1, (rules.records + records_a_file - 1) / records_a_file));
    for (const auto& [number, file] : rank->files()) {
      ASSERT_TRUE(file.open && file.closed);
      ASSERT_TRUE(file.has_fixed);
    }
    ASSERT_FALSE(rank->owes());
  }
  ASSERT_EQ(ranks.front()->told_by_others(), rules.records * (rules.ranks - 1));
}

TEST(Coordinators, agree_on_files_and_places_in_any_order_of_messages) {
  for (std::uint64_t seed = 0; seed < schedules; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Network network(seed);
    const Rules rules = rules_of(network);
    const auto ranks = play(network, rules);
    for (std::int64_t turn = network.pick(200); turn > 0; --turn) {
      if (network.pick(2) == 0) network.deliver_one();
      ranks[static_cast<std::size_t>(network.pick(rules.ranks))]->go_on();
    }
    for (const auto& rank : ranks) rank->finish();
    work_off(network, ranks);
    check(rules, ranks);
    if (testing::Test::HasFailure()) return;
  }
}

// A follower that is killed, at any moment: the owner places what it knows and waits for nobody, and no call hangs.
TEST(Coordinators, wait_in_no_call_for_one_that_is_dead) {
  for (std::uint64_t seed = 0; seed < schedules / 10; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Network network(seed);
    Rules rules = rules_of(network);
    rules.ranks = 3;
    rules.records = 4;
    auto ranks = play(network, rules);
    for (std::int64_t turn = network.pick(60); turn > 0; --turn) {
      if (network.pick(2) == 0) network.deliver_one();
      ranks[static_cast<std::size_t>(network.pick(rules.ranks))]->go_on();
    }
    network.kill(2);
    ranks.pop_back();
    for (const auto& rank : ranks) rank->finish();
    work_off(network, ranks);
    // Without the sizes of the dead one's chunks nobody knows where later ones go.
    ASSERT_EQ(ranks[0]->owes(), std::ssize(ranks[0]->records()) < rules.records);
    ASSERT_TRUE(rules.encoded || !ranks[0]->owes());
    ASSERT_EQ(ranks[1]->records().size(), ranks[0]->records().size());
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace thalweg::files
