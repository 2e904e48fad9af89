#include "formats/netcdf4/library_turn.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "error_of.hpp"
#include "formats/netcdf4/hdf5_handle.hpp"
#include "formats/patience.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

// A thread that has the turn until it is let go on.
class Holder {
 public:
  explicit Holder(const std::string& what)
      : thread_([this, what] {
          const LibraryTurn turn(what);
          has_it_.set_value();
          goes_on_.get_future().wait();
        }) {
    has_it_.get_future().wait();
  }
  ~Holder() {
    if (thread_.joinable()) let_go_on();
  }
  void let_go_on() {
    goes_on_.set_value();
    thread_.join();
  }

 private:
  std::promise<void> has_it_, goes_on_;
  std::thread thread_;
};

TEST(LibraryTurn, is_waited_for_no_longer_than_the_deadline_by_who_has_patience) {
  Holder holder("read record 3 of 'temp' of 'slow.nc'");
  const Patience patience({0.2, "rank 5"});
  const std::string text = error_of(THALWEG_ERROR_DEADLINE, [] { const LibraryTurn turn("open 'b.nc'"); });
  EXPECT_TRUE(text.starts_with("rank 5: cannot open 'b.nc' yet: HDF5 has one thread at a time")) << text;
  EXPECT_NE(text.find("to read record 3 of 'temp' of 'slow.nc' (deadline: 0.2 s)"), std::string::npos) << text;
  const LibraryTurn without("close 'c.nc'", LibraryTurn::Late::goes_without);
  EXPECT_FALSE(without);
  holder.let_go_on();
  const LibraryTurn turn("open 'b.nc'");
  EXPECT_TRUE(turn);
  const LibraryTurn again("read 'b.nc'");
  EXPECT_TRUE(again);
}

TEST(LibraryTurn, is_waited_for_as_long_as_it_takes_without_patience) {
  Holder holder("read 'slow.nc'");
  {
    const Patience patience({0.1, ""});
  }  // of another call
  auto waits = std::async(std::launch::async, [] { return static_cast<bool>(LibraryTurn("write 'a.nc'")); });
  EXPECT_EQ(waits.wait_for(std::chrono::milliseconds(400)), std::future_status::timeout);
  holder.let_go_on();
  EXPECT_TRUE(waits.get());
}

TEST(LibraryTurn, is_waited_for_no_longer_than_the_deadline_of_the_process_by_who_has_none) {
  const double before_s = Patience::of_process().exchange(0.2);
  {
    const Holder holder("read 'slow.nc'");
    const std::string text = error_of(THALWEG_ERROR_DEADLINE, [] { const LibraryTurn turn("write 'a.nc'"); });
    EXPECT_TRUE(text.starts_with("cannot write 'a.nc' yet")) << text;
    const Quiet quiet("close 'a.nc'", LibraryTurn::Late::goes_without);
    EXPECT_FALSE(quiet);
  }
  Patience::of_process() = before_s;
}

// Many files may be closed while one thread keeps the turn, and each close asks for it.
TEST(LibraryTurn, that_is_overdue_is_hardly_waited_for) {
  const Holder holder("read 'slow.nc'");
  const Patience patience({2.0, ""});
  const auto seconds = [] {
    const double begin_s = now_s();
    EXPECT_FALSE(LibraryTurn("close 'a.nc'", LibraryTurn::Late::goes_without));
    return now_s() - begin_s;
  };
  EXPECT_GT(seconds(), 1.9);
  EXPECT_LT(seconds(), 1.9);
}

// Each turn is shorter than the deadline, and all together are longer.
TEST(LibraryTurn, comes_in_order_and_many_short_ones_are_no_long_one) {
  std::vector<int> order;
  Holder holder("read 'slow.nc'");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&order, i] {
      const Patience patience({1.0, ""});
      const LibraryTurn turn("read");
      std::this_thread::sleep_for(std::chrono::milliseconds(400));
      order.push_back(i);
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // so that it waits before the next one comes
  }
  holder.let_go_on();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(order, (std::vector{0, 1, 2, 3}));
}

}  // namespace
}  // namespace thalweg::formats::netcdf4
