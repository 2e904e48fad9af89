#include "api/handle_table.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace thalweg::api {
namespace {

struct Pair {
  int number = 7;
  int other = 8;
};

TEST(HandleTable, knows_what_it_made_and_nothing_else) {
  HandleTable<Pair> table;
  Pair local;
  EXPECT_FALSE(table.has(nullptr));
  EXPECT_FALSE(table.has(&local));
  std::vector<Pair*> made;
  for (int i = 0; i < 1000; ++i) made.push_back(&table.make());
  for (const Pair* pair : made) {
    EXPECT_TRUE(table.has(pair));
    EXPECT_EQ(pair->number, 7);
    EXPECT_FALSE(table.has(reinterpret_cast<const Pair*>(&pair->other)));
  }
  EXPECT_FALSE(table.has(made.back() + 1)) << "it is not made yet";
  EXPECT_FALSE(table.has(reinterpret_cast<const Pair*>(~std::uintptr_t{0})));
}

TEST(HandleTable, may_be_looked_at_while_it_grows) {
  HandleTable<Pair> table;
  Pair& first = table.make();
  std::thread maker([&] {
    for (int i = 0; i < 20000; ++i) table.make();
  });
  for (int i = 0; i < 20000; ++i) ASSERT_TRUE(table.has(&first) && !table.has(nullptr));
  maker.join();
}

}  // namespace
}  // namespace thalweg::api
