#include "compat/pfio/table.hpp"

#include <gmock/gmock.h>

#include <sstream>

namespace thalweg::compat::pfio {
namespace {

using profile::Report;
using testing::ElementsAre;

std::vector<Report> two_clients_and_two_servers() {
  std::vector<Report> reports(4);
  for (std::size_t r = 0; r < reports.size(); ++r) {
    reports[r].rank = static_cast<int>(r);
    reports[r].collections = {{"history", 1, 1, 1, {}}, {"restart", 1, 1, 1, {}}};
  }
  reports[0].client.copy_s = 1.0;
  reports[1].client.wait_block_s = 3.0;
  for (std::size_t r = 2; r < reports.size(); ++r) {
    const double times = r == 2 ? 1.0 : 2.0;
    reports[r].is_server = true;
    profile::ServerTimes& server = reports[r].server;
    server.other_s = 0.5 * times;
    server.wait_message_s = 4.0 * times;
    server.define_s = 1.0 * times;
    server.clean_up_s = 0.5 * times;
    for (const double seconds : {1.0, 2.0}) server.receive_s.emplace_back("receive") += seconds * times;
    for (const double seconds : {0.25, 0.75}) server.forward_s.emplace_back("forward") += seconds * times;
  }
  return reports;
}

std::vector<std::vector<std::string>> rows_of(const std::string& table) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    rows.push_back({std::istream_iterator<std::string>(words), {}});
    if (rows.back().empty()) rows.pop_back();
  }
  return rows;
}

TEST(PfioTable, has_the_columns_and_rows_of_the_profiler) {
  const auto rows = rows_of(profiler_table(two_clients_and_two_servers()));
  EXPECT_THAT(rows[0], ElementsAre("Name", "Inclusive", "%", "Incl", "Exclusive", "%", "Excl", "Max", "Excl", "Min",
                                   "Excl", "Max", "PE", "Min", "PE"));
  std::vector<std::string> names;
  for (std::size_t r = 1; r < rows.size(); ++r) names.push_back(rows[r][0]);
  EXPECT_THAT(names, ElementsAre("i_server_client", "o_server_front", "--wait_message", "--add_Histcollection",
                                 "--receive_data", "----collection_1", "----collection_2", "--forward_data",
                                 "----collection_1", "----collection_2", "--clean", "Collections:"));
  EXPECT_THAT(rows.back(), ElementsAre("Collections:", "1", "is", "'history',", "2", "is", "'restart'"));
}

TEST(PfioTable, gives_means_percentages_extremes_and_their_ranks) {
  const auto rows = rows_of(profiler_table(two_clients_and_two_servers()));
  EXPECT_THAT(rows[1],
              ElementsAre("i_server_client", "2.000", "100.00", "2.000", "100.00", "3.000", "1.000", "0001", "0000"));
  EXPECT_THAT(rows[2],
              ElementsAre("o_server_front", "15.000", "100.00", "0.750", "5.00", "1.000", "0.500", "0003", "0002"));
  EXPECT_THAT(rows[5],
              ElementsAre("--receive_data", "4.500", "30.00", "0.000", "0.00", "0.000", "0.000", "0003", "0002"));
}

TEST(PfioTable, has_exclusive_times_that_add_up_to_the_inclusive_one_of_the_server) {
  const auto rows = rows_of(profiler_table(two_clients_and_two_servers()));
  double sum_s = 0.0;
  for (std::size_t r = 2; r + 1 < rows.size(); ++r) sum_s += std::stod(rows[r][rows[r].size() - 6]);
  EXPECT_NEAR(sum_s, std::stod(rows[2][1]), 0.01 * sum_s);
}

TEST(PfioTable, is_one_for_each_server) {
  std::vector<Report> reports = two_clients_and_two_servers();
  reports[3].group = 1;
  const auto rows = rows_of(profiler_table(reports));
  ASSERT_EQ(rows.size(), 2U + 2U * 12U + 1U);
  EXPECT_THAT(rows[2], ElementsAre("server", "1", "of", "2"));
  EXPECT_THAT(rows[4],
              ElementsAre("o_server_front", "10.000", "100.00", "0.500", "5.00", "0.500", "0.500", "0002", "0002"));
  EXPECT_THAT(rows[14], ElementsAre("server", "2", "of", "2"));
  EXPECT_EQ(rows[15], rows[0]);
  EXPECT_THAT(rows[16],
              ElementsAre("o_server_front", "20.000", "100.00", "1.000", "5.00", "1.000", "1.000", "0003", "0003"));
}

TEST(PfioTable, has_no_rows_of_servers_where_there_are_none) {
  std::vector<Report> reports = two_clients_and_two_servers();
  reports.resize(2);
  EXPECT_EQ(rows_of(profiler_table(reports)).size(), 2U);
}

}  // namespace
}  // namespace thalweg::compat::pfio
