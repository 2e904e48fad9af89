#include "profile/record_rates.hpp"

#include <gtest/gtest.h>

namespace thalweg::profile {
namespace {

TEST(RecordRates, know_the_quickest_record_of_all_its_batches) {
  RecordRates rates;
  EXPECT_EQ(rates.best().record, -1);
  rates.add({{0, 100}}, 100, 1.0);
  rates.add({{1, 100}}, 100, 0.1);
  rates.add({{1, 100}}, 100, 0.4);  // the rest of it
  rates.add({{2, 100}}, 100, 0.6);
  const BestRecord best = rates.best();
  EXPECT_EQ(best.record, 1);
  EXPECT_DOUBLE_EQ(best.bytes, 200.0);
  EXPECT_DOUBLE_EQ(best.write_s, 0.5);
  EXPECT_DOUBLE_EQ(best.bytes_per_s(), 400.0);
}

TEST(RecordRates, share_a_batch_of_several_records_by_their_bytes) {
  RecordRates rates;
  rates.add({{3, 300}, {4, 100}}, 200, 2.0);
  EXPECT_DOUBLE_EQ(rates.best().bytes_per_s(), 100.0);
  rates.add({{4, 100}}, 100, 0.1);
  EXPECT_EQ(rates.best().record, 4);
  EXPECT_DOUBLE_EQ(rates.best().bytes, 50.0 + 100.0);
}

TEST(RecordRates, keep_the_quickest_of_more_than_are_under_way) {
  RecordRates rates;
  for (std::int64_t record = 0; record < 500; ++record) rates.add({{record, 10}}, 10, record == 77 ? 0.5 : 1.0);
  EXPECT_EQ(rates.best().record, 77);
}

TEST(RecordRates, are_unknown_where_nothing_took_time) {
  RecordRates rates;
  rates.add({}, 0, 1.0);
  rates.add({{0, 0}}, 0, 1.0);
  EXPECT_EQ(rates.best().record, -1);
  EXPECT_EQ(BestRecord{}.bytes_per_s(), 0.0);
}

}  // namespace
}  // namespace thalweg::profile
