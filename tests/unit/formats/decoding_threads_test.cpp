// Chunks that several threads decode.
#include "formats/decoding_threads.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>

#include "base/error.hpp"

namespace thalweg::formats {
namespace {

TEST(DecodingThreads, take_each_chunk_once) {
  for (const std::size_t threads : {1, 3, 8}) {
    std::array<std::atomic<int>, 100> taken{};
    std::atomic<bool> is_numbered = true;
    DecodingThreads::for_each_chunk(taken.size(), threads, [&](std::size_t chunk, std::size_t thread) {
      ++taken.at(chunk);
      if (thread >= threads) is_numbered = false;
    });
    EXPECT_TRUE(std::ranges::all_of(taken, [](const auto& times) { return times == 1; })) << threads;
    EXPECT_TRUE(is_numbered) << threads;
  }
}

TEST(DecodingThreads, work_at_the_same_time) {
  std::atomic<int> here = 0;
  DecodingThreads::for_each_chunk(3, 3, [&](std::size_t, std::size_t) {
    ++here;
    while (here < 3) std::this_thread::yield();
  });
  EXPECT_EQ(here, 3);
}

TEST(DecodingThreads, end_with_the_first_error) {
  std::atomic<int> begun = 0;
  const auto decode = [&](std::size_t chunk, std::size_t) {
    ++begun;
    if (chunk == 5) fail(THALWEG_ERROR_STORAGE, "chunk {} is damaged", chunk);
  };
  for (const std::size_t threads : {1, 4}) {
    begun = 0;
    try {
      DecodingThreads::for_each_chunk(100000, threads, decode);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "chunk 5 is damaged");
    }
    EXPECT_LT(begun, 100000) << threads;
  }
}

TEST(DecodingThreads, are_few_where_there_is_little_to_decode) {
  constexpr std::size_t megabyte = std::size_t{1} << 20;
  EXPECT_EQ(DecodingThreads::worth(100, 16 * megabyte), 1) << "nobody allows more";
  {
    const DecodingThreads allowed(8, {});
    EXPECT_EQ(DecodingThreads::worth(100, 16 * megabyte), 8);
    EXPECT_EQ(DecodingThreads::worth(3, 16 * megabyte), 3);
    EXPECT_EQ(DecodingThreads::worth(100, megabyte), 4);
    EXPECT_EQ(DecodingThreads::worth(100, 0), 1);
    const DecodingThreads within(2, {});
    EXPECT_EQ(DecodingThreads::worth(100, 16 * megabyte), 2);
  }
  EXPECT_EQ(DecodingThreads::worth(100, 16 * megabyte), 1);
}

}  // namespace
}  // namespace thalweg::formats
