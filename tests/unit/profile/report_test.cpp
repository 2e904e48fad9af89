#include "profile/report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace thalweg::profile {
namespace {

using nlohmann::json;

Report full_report() {
  Report report;
  report.rank = 5;
  report.node = 2;
  report.is_writer = true;
  report.session_s = 12.5;
  report.staging_bytes = std::int64_t{3} << 40;
  report.client.puts = 1;
  report.client.put_bytes = 2;
  report.client.skipped_puts = 3;
  report.client.missing_puts = 4;
  report.client.out_of_range = 10;
  report.client.records = 5;
  report.client.waits = 6;
  report.client.unsent_advances = 8;
  report.client.plans = 7;
  report.client.copy_s = 0.1;
  report.client.wait_block_s = 0.2;
  report.client.wait_send_s = 0.3;
  report.client.wait_commit_s = 0.4;
  report.client.metadata_s = 0.5;
  report.client.ready_s = 0.6;
  report.client.finish_s = 0.7;
  report.client.progress_cpu_s = 0.8;
  report.client.progress_looks = 9;
  report.writer.direct_bytes = 14;
  report.writer.buffered_bytes = 15;
  report.writer.write_calls = 16;
  report.writer.syncs = 17;
  report.writer.write_s = 1.1;
  report.writer.sync_s = 1.2;
  report.writer.blocks = 11;
  report.writer.records = 12;
  report.writer.files = 13;
  report.writer.checksum_files = 10;
  report.writer.commit_s = 1.3;
  report.writer.fill_s = 1.4;
  report.writer.paced_s = 1.5;
  report.writer.spilled_bytes = 18;
  report.writer.spill_s = 1.6;
  report.writer.raw_bytes = 19;
  report.writer.encoded_bytes = 20;
  report.writer.encode_s = 1.7;
  report.inputs = {{"wind", 3, std::int64_t{5} << 20, {}, {}}, {"a \"file\"", 1, 0, {}, {}}};
  report.inputs[0].get_s = 0.5;
  report.inputs[0].wait_read_s = 0.25;
  report.collections = {{"history", 10, 2, 3, {}, {{"temp", 4, 10}}}, {"a \"name\"", 1, 1, 1, {}, {}}};
  report.collections[0].library_files = {{"a.nc",
                                          "PnetCDF",
                                          "collective",
                                          4,
                                          2,
                                          8,
                                          {{"cb_nodes", "2"}},
                                          {{"cb_nodes", "2"}, {"striping_factor", "8"}},
                                          true}};
  return report;
}

// The words of the line of the table that begins with `start`.
std::vector<std::string> line_of(const std::string& table, const std::string& start) {
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  " + start)) continue;
    std::istringstream words(line.substr(2 + start.size()));
    return {std::istream_iterator<std::string>(words), {}};
  }
  return {"no line", start};
}

TEST(Report, comes_back_from_json_with_every_number) {
  const Report report = full_report();
  const Report back = from_json(to_json(report));
  EXPECT_EQ(to_json(back), to_json(report));
  EXPECT_EQ(back.staging_bytes, report.staging_bytes);
  EXPECT_EQ(back.client.finish_s, 0.7);
  EXPECT_EQ(back.writer.fill_s, 1.4);
  ASSERT_EQ(back.collections.size(), 2U);
  EXPECT_EQ(back.collections[1].name, "a \"name\"");
  ASSERT_EQ(back.collections[0].library_files.size(), 1U);
  EXPECT_EQ(back.collections[0].library_files[0].in_force.at("striping_factor"), "8");
  EXPECT_TRUE(back.collections[0].library_files[0].is_repeated);
}

TEST(Report, has_every_counter_in_its_json) {
  const json parsed = json::parse(to_json(full_report()));
  EXPECT_EQ(parsed["client"].size(), 18U);
  EXPECT_EQ(parsed["writer"].size(), 18U);
  for (const auto& [name, value] : parsed["client"].items()) EXPECT_NE(value, 0) << name;
  for (const auto& [name, value] : parsed["writer"].items()) EXPECT_NE(value, 0) << name;
  EXPECT_EQ(parsed["writer"]["direct_bytes"], 14);
  EXPECT_EQ(parsed["client"]["wait_block_s"], 0.2);
  const json wind = {{"name", "wind"}, {"gets", 3}, {"get_bytes", 5 << 20}, {"get_s", 0.5}, {"wait_read_s", 0.25}};
  EXPECT_EQ(parsed["inputs"][0], wind);
}

TEST(Report, of_all_ranks_names_its_version_and_the_settings) {
  Report other = full_report();
  other.rank = 6;
  const json parsed = json::parse(all_to_json({full_report(), other}, {"writers = thread (default)"}));
  EXPECT_EQ(parsed["thalweg_profile"], 1);
  EXPECT_EQ(parsed["settings"], json::array({"writers = thread (default)"}));
  ASSERT_EQ(parsed["ranks"].size(), 2U);
  EXPECT_EQ(parsed["ranks"][1]["rank"], 6);
}

TEST(ReportTable, gives_mean_highest_and_lowest_and_whose_they_are) {
  std::vector<Report> reports(4);
  for (int r = 0; r < 4; ++r) {
    reports[static_cast<std::size_t>(r)].rank = 10 + r;
    reports[static_cast<std::size_t>(r)].client.copy_s = std::vector{2.0, 8.0, 1.0, 5.0}[static_cast<std::size_t>(r)];
  }
  const std::string text = table(reports);
  EXPECT_EQ(line_of(text, "copy into blocks"), (std::vector<std::string>{"4.000", "8.000", "1.000", "11", "12"}))
      << text;
}

TEST(ReportTable, lists_collections_and_writers) {
  std::vector<Report> reports(2);
  reports[0] = full_report();
  reports[0].writer = {};
  reports[0].writer.direct_bytes = std::int64_t{3} << 20;
  reports[0].writer.buffered_bytes = std::int64_t{1} << 20;
  reports[0].writer.write_s = 1.5;
  reports[0].writer.sync_s = 0.5;
  const std::string text = table(reports);
  EXPECT_NE(text.find("collection 'history': 10 records in 2 files, up to 3 records in memory"), std::string::npos)
      << text;
  // node 2, writer 5, MiB, direct, write, commit and sync seconds, MiB/s
  EXPECT_EQ(line_of(text, "2 "), (std::vector<std::string>{"5", "4.0", "75%", "1.500", "0.000", "0.500", "2"})) << text;
}

TEST(ReportTable, says_what_encoding_gained) {
  Report report = full_report();
  report.writer.raw_bytes = std::int64_t{100} << 20;
  report.writer.encoded_bytes = std::int64_t{40} << 20;
  EXPECT_EQ(line_of(table({report}), "  encoded"),
            (std::vector<std::string>{"100.0", "MiB", "to", "40.0", "MiB,", "a", "ratio", "of", "2.50,", "in", "1.700",
                                      "s", "of", "its", "threads"}));
  report.writer.raw_bytes = report.writer.encoded_bytes = 0;
  EXPECT_EQ(table({report}).find("encoded"), std::string::npos);
}

TEST(ReportTable, sums_up_by_variable_what_was_not_put_or_is_out_of_range) {
  std::vector<Report> reports(12);
  for (int r = 0; r < 12; ++r) {
    Report& report = reports[static_cast<std::size_t>(r)];
    report.rank = r;
    report.collections = {{"history", 10, 2, 3, {}, {}}};
    if (r != 1) report.collections[0].doubtful_puts.push_back({"temp", 2, 0});
    if (r == 3) report.collections[0].doubtful_puts.push_back({"salt", 0, 7});
    if (r < 2) report.collections[0].doubtful_puts.push_back({"wind", 0, 0, 1});
  }
  const std::vector<std::string> wanted = {
      "collection 'history', variable 'salt': 7 values are beyond the range of float32, and infinite in the file, on "
      "rank 3",
      "collection 'history', variable 'temp': 22 fields were due and not put, and are filled with the fill value, on "
      "rank 0, 2, 3, 4, 5, 6, 7, 8 and 3 more",
      "collection 'history', variable 'wind': 2 fields were put after the last record was closed, and are in none, on "
      "rank "
      "0, "
      "1"};
  EXPECT_EQ(doubts(reports), wanted);
  for (const std::string& line : wanted) EXPECT_NE(table(reports).find("  " + line + "\n"), std::string::npos);
  EXPECT_EQ(doubts({full_report()}).size(), 2U);
  EXPECT_TRUE(doubts({Report{}}).empty());
}

TEST(ReportTable, says_how_much_of_the_writing_the_model_did_not_wait_for) {
  std::vector<Report> reports(2);
  reports[0].is_writer = true;
  reports[0].writer.write_s = 7.0;
  reports[0].writer.sync_s = 2.0;
  reports[0].writer.commit_s = 1.0;
  reports[1].client.wait_block_s = 1.0;
  reports[1].client.finish_s = 1.5;
  EXPECT_NE(table(reports).find("overlap achieved: 75 %"), std::string::npos) << table(reports);
  reports[1].client.finish_s = 100.0;
  EXPECT_NE(table(reports).find("overlap achieved: 0 %"), std::string::npos);
}

TEST(ReportTable, says_what_was_read_under_each_name_and_how_long_it_was_waited_for) {
  std::vector<Report> reports(3);
  for (Report& report : reports) report.inputs = {{"wind", 4, 0, {}, {}}};
  reports[0].inputs[0].get_bytes = std::int64_t{3} << 20;
  reports[0].inputs[0].wait_read_s = 0.25;
  reports[1].inputs[0].get_bytes = std::int64_t{1} << 19;
  reports[1].inputs[0].wait_read_s = 0.125;
  reports[2].inputs[0].get_s = 0.5;
  reports[2].inputs.push_back({"sst.nc", 1, 0, {}, {}});
  const std::string text = table(reports);
  EXPECT_NE(text.find("  input 'wind': 4 gets in 0.500 s at most, 0.250 s at most of waiting for storage, 3.5 MiB by 2 "
                      "ranks\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  input 'sst.nc': 1 get in"), std::string::npos) << text;
}

TEST(ReportTable, says_nothing_of_overlap_where_nothing_was_written) {
  EXPECT_EQ(table(std::vector<Report>(1)).find("overlap"), std::string::npos);
}

}  // namespace
}  // namespace thalweg::profile
