#include "transport/agreement.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/error.hpp"
#include "transport/collective.hpp"
#include "transport/same_build.hpp"
#include "world.hpp"

namespace thalweg::transport {
namespace {

struct Failure {
  thalweg_status code = THALWEG_OK;
  std::string text;
  friend bool operator==(const Failure&, const Failure&) = default;
};
Failure failure_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  return {};
}

// ---- builds

TEST(SameBuild, goes_on_where_all_ranks_have_the_same) {
  EXPECT_EQ(failure_of([] { check_same_build(MPI_COMM_WORLD, {"1.2.3", 77}); }), Failure{});
}

TEST(SameBuild, names_both_builds_on_all_ranks) {
  if (ranks() < 2) GTEST_SKIP() << "needs two ranks: one differs from nobody";
  const auto start = [](const Build& common, const Build& of_rank_1) {
    return failure_of([&] { check_same_build(MPI_COMM_WORLD, own_rank() == 1 ? of_rank_1 : common); });
  };
  const std::string advice =
      "; build the model and thalweg-server with the same one, or start the thalweg-server of the model's installation";
  const std::string what = "the programs of this launch have different builds of Thalweg: ";
  EXPECT_EQ(start({"1.2.3", 77}, {"1.2.4", 77}),
            (Failure{THALWEG_ERROR_AGREEMENT, what +
                                                  "rank 0 has 1.2.3, layout 000000000000004d, rank 1 has 1.2.4, "
                                                  "layout 000000000000004d" +
                                                  advice}));
  EXPECT_EQ(start({"1.2.3", 77}, {"1.2.3", 78}).code, THALWEG_ERROR_AGREEMENT);
}

// ---- together

TEST(Together, goes_on_everywhere_when_all_succeed) {
  int done = 0;
  together(MPI_COMM_WORLD, [&] { ++done; });
  EXPECT_EQ(done, 1);
}

TEST(Together, fails_everywhere_with_the_error_of_the_only_rank_that_fails) {
  for (int culprit = 0; culprit < ranks(); ++culprit) {
    const Failure failure = failure_of([&] {
      together(MPI_COMM_WORLD, [&] {
        if (own_rank() == culprit) fail(THALWEG_ERROR_STORAGE, "rank {} has no disk", culprit);
      });
    });
    EXPECT_EQ(failure, (Failure{THALWEG_ERROR_STORAGE, fmt::format("rank {} has no disk", culprit)}));
  }
}

TEST(Together, speaks_with_the_voice_of_the_lowest_rank_that_fails) {
  const int lowest = ranks() > 1 ? 1 : 0;
  const Failure failure = failure_of([&] {
    together(MPI_COMM_WORLD, [&] {
      if (own_rank() >= lowest)
        fail(own_rank() == lowest ? THALWEG_ERROR_NAME : THALWEG_ERROR_SHAPE, "{}", std::string(3000, 'x') + "!");
    });
  });
  EXPECT_EQ(failure, (Failure{THALWEG_ERROR_NAME, std::string(3000, 'x') + "!"}));
}

TEST(Together, calls_any_other_exception_a_fault_of_its_own) {
  const Failure failure = failure_of([&] {
    together(MPI_COMM_WORLD, [&] {
      if (own_rank() == ranks() - 1) throw std::runtime_error("unexpected");
    });
  });
  EXPECT_EQ(failure, (Failure{THALWEG_ERROR_INTERNAL, "fault of Thalweg: unexpected"}));
}

TEST(Together, tells_all_what_one_rank_has_waited_for_of_the_storage) {
  const Failure failure = failure_of([] {
    together(MPI_COMM_WORLD, [] {
      if (own_rank() == ranks() - 1) throw Error::of_storage("the storage is late");
    });
  });
  EXPECT_EQ(failure, (Failure{THALWEG_ERROR_DEADLINE, "the storage is late"}));
}

// ---- check_same

TEST(CheckSame, accepts_equal_descriptions) {
  EXPECT_NO_THROW(check_same(MPI_COMM_WORLD, "settings", "a = 1\nb = 2\n"));
  EXPECT_NO_THROW(check_same(MPI_COMM_WORLD, "settings", ""));
}

TEST(CheckSame, shows_both_sides_of_the_first_difference_of_the_lowest_differing_rank) {
  if (ranks() < 2) GTEST_SKIP() << "needs two ranks";
  const std::string own =
      own_rank() == 0 ? "a = 1\nb = 2\nc = 3\n" : fmt::format("a = 1\nb = rank {}\nc = 4\n", own_rank());
  const Failure failure = failure_of([&] { check_same(MPI_COMM_WORLD, "definitions of collection 'history'", own); });
  EXPECT_EQ(failure.code, THALWEG_ERROR_AGREEMENT);
  for (const char* part :
       {"definitions of collection 'history' differ between ranks", "rank 1 has: b = rank 1", "rank 0 has: b = 2"})
    EXPECT_NE(failure.text.find(part), std::string::npos) << part << "\nin: " << failure.text;
  EXPECT_EQ(failure.text.find("c = "), std::string::npos) << failure.text;
}

TEST(CheckSame, says_nothing_where_one_side_has_less) {
  if (ranks() < 2) GTEST_SKIP() << "needs two ranks";
  const bool is_last = own_rank() == ranks() - 1;
  const Failure failure =
      failure_of([&] { check_same(MPI_COMM_WORLD, "settings", is_last ? "a = 1\n" : "a = 1\nb = 2\n"); });
  EXPECT_EQ(failure.code, THALWEG_ERROR_AGREEMENT);
  EXPECT_NE(failure.text.find(fmt::format("rank {} has: nothing", ranks() - 1)), std::string::npos) << failure.text;
  EXPECT_NE(failure.text.find("rank 0 has: b = 2"), std::string::npos) << failure.text;
}

TEST(CheckSame, names_the_first_of_several_that_differs) {
  if (ranks() < 2) GTEST_SKIP() << "needs two ranks";
  const std::string own = fmt::format("rank {}\n", own_rank());
  std::vector<Described> all = {{"names", "a\nb\n"}, {"settings", own}, {"definitions", own}};
  const Failure failure = failure_of([&] { check_same(MPI_COMM_WORLD, all); });
  EXPECT_EQ(failure.code, THALWEG_ERROR_AGREEMENT);
  EXPECT_EQ(failure.text.find("settings differ between ranks"), 0U) << failure.text;
  all = {{"names", "a\n"}, {"settings", "b\n"}};
  EXPECT_NO_THROW(check_same(MPI_COMM_WORLD, all));
}

TEST(CheckSame, finds_a_line_that_is_in_another_description) {
  if (ranks() < 2) GTEST_SKIP() << "needs two ranks";
  const bool is_first = own_rank() == 0;
  const std::vector<Described> all = {{"names", is_first ? "a\nb\n" : "a\n"}, {"settings", is_first ? "" : "b\n"}};
  EXPECT_EQ(failure_of([&] { check_same(MPI_COMM_WORLD, all); }).code, THALWEG_ERROR_AGREEMENT);
}

// ---- exchange_sparsely

// What `from` sends to `to` in a round; every rank can tell, so that each knows what has to come.
Bytes message(int round, int from, int to) {
  std::mt19937 random(static_cast<unsigned>(round * 10'007 + from * 101 + to));
  if (random() % 3 == 0) return {};
  Bytes bytes(1 + random() % (random() % 8 == 0 ? 100'000 : 50));
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

TEST(ExchangeSparsely, brings_every_message_to_the_rank_that_did_not_expect_it) {
  for (int round = 0; round < 200; ++round) {
    std::map<int, Bytes> to;
    std::map<int, Bytes> expected;
    for (int peer = 0; peer < ranks(); ++peer) {
      if (Bytes bytes = message(round, own_rank(), peer); !bytes.empty()) to[peer] = std::move(bytes);
      if (Bytes bytes = message(round, peer, own_rank()); !bytes.empty()) expected[peer] = std::move(bytes);
    }
    const std::size_t most_bytes = round % 2 == 0 ? roles::part_bytes : 700;
    ASSERT_EQ(exchange_sparsely(MPI_COMM_WORLD, to, most_bytes), expected) << "round " << round;
  }
}

TEST(ExchangeSparsely, ends_where_nobody_sends_anything) {
  EXPECT_TRUE(exchange_sparsely(MPI_COMM_WORLD, {}).empty());
}

TEST(ExchangeSparsely, delivers_messages_without_content) {
  const std::map<int, Bytes> received = exchange_sparsely(MPI_COMM_WORLD, {{(own_rank() + 1) % ranks(), Bytes{}}});
  EXPECT_EQ(received, (std::map<int, Bytes>{{(own_rank() + ranks() - 1) % ranks(), Bytes{}}}));
}

// ---- the small ones

TEST(Broadcast, gives_everyone_the_bytes_of_the_root) {
  for (int root = 0; root < ranks(); ++root) {
    const Bytes of_root(static_cast<std::size_t>(root) * 1000, std::byte{7});
    EXPECT_EQ(broadcast(MPI_COMM_WORLD, root, own_rank() == root ? of_root : Bytes(3)), of_root);
    EXPECT_EQ(broadcast(MPI_COMM_WORLD, root, own_rank() == root ? of_root : Bytes(3), 300), of_root);
  }
}

TEST(Count, that_mpi_has_no_number_for_is_refused) {
  EXPECT_EQ(roles::count_of(2'147'483'647, "bytes"), 2'147'483'647);
  EXPECT_EQ(failure_of([] { roles::count_of(std::int64_t{2'147'483'648}, "bytes"); }).code, THALWEG_ERROR_SHAPE);
}

TEST(Packer, gives_back_what_was_put_in_the_same_order) {
  const Bytes bytes = Packer().put(std::int64_t{-5}).put('c').put(2.5).put(true).take();
  Unpacker unpacker(bytes);
  EXPECT_EQ(unpacker.get<std::int64_t>(), -5);
  EXPECT_EQ(unpacker.get<char>(), 'c');
  EXPECT_EQ(unpacker.get<double>(), 2.5);
  EXPECT_FALSE(unpacker.done());
  EXPECT_TRUE(unpacker.get<bool>());
  EXPECT_TRUE(unpacker.done());
}

TEST(OffsetInOrder, lays_the_parts_of_the_ranks_one_after_another) {
  const std::int64_t offset = offset_in_order(MPI_COMM_WORLD, 10 + own_rank());
  EXPECT_EQ(offset, 10 * own_rank() + own_rank() * (own_rank() - 1) / 2);
}

TEST(GatherTexts, brings_the_texts_to_rank_0_in_order_of_ranks) {
  const auto text_of = [](std::size_t rank) { return std::string(rank == 1 ? 4096 : rank * 4000, 'x'); };
  const auto texts = gather_texts(MPI_COMM_WORLD, text_of(static_cast<std::size_t>(own_rank())));
  ASSERT_EQ(static_cast<int>(texts.size()), own_rank() == 0 ? ranks() : 0);
  for (std::size_t r = 0; r < texts.size(); ++r) EXPECT_EQ(texts[r], text_of(r));
}

TEST(ShareMemory, gives_the_ranks_of_a_node_one_memory_and_other_nodes_another) {
  const roles::Roles roles(MPI_COMM_WORLD, ranks() >= 4 ? std::vector<std::int64_t>{2} : std::vector<std::int64_t>{});
  const staging::SharedMemory memory = share_memory(roles, 4096);
  auto* number = reinterpret_cast<std::int32_t*>(memory.data());
  if (roles.leads_node()) *number = 100 + roles.node;
  transport::barrier(roles.world);
  EXPECT_EQ(*number, 100 + roles.node);
  transport::barrier(roles.world);
}

}  // namespace
}  // namespace thalweg::transport
