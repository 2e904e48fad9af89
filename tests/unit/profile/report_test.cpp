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
  report.memory_bytes = std::int64_t{4} << 40;
  report.staging_bytes = std::int64_t{3} << 40;
  report.burst_bytes = 21;
  for (std::size_t phase = 0; phase < mpi_phases; ++phase) {
    const auto number = static_cast<std::int64_t>(phase);
    report.mpi.of[phase] = {100 + number, 200 + number, 300 + number};
  }
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
  report.client.remap_s = 0.45;
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
  report.collections[0].written.add(
      {"a.nc",
       7,
       {.raw_bytes = 300, .file_bytes = 200, .chunks = 12, .write_s = 1.5, .sync_s = 0.5, .best = {4, 60.0, 0.5}}});
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
  EXPECT_EQ(parsed["client"].size(), 19U);
  EXPECT_EQ(parsed["writer"].size(), 18U);
  for (const auto& [name, value] : parsed["client"].items()) EXPECT_NE(value, 0) << name;
  for (const auto& [name, value] : parsed["writer"].items()) EXPECT_NE(value, 0) << name;
  EXPECT_EQ(parsed["writer"]["direct_bytes"], 14);
  EXPECT_EQ(parsed["client"]["wait_block_s"], 0.2);
  const json wind = {{"name", "wind"}, {"gets", 3}, {"get_bytes", 5 << 20}, {"get_s", 0.5}, {"wait_read_s", 0.25}};
  EXPECT_EQ(parsed["inputs"][0], wind);
}

TEST(Report, has_what_was_written_with_its_rates) {
  const Report back = from_json(to_json(full_report()));
  const json parsed = json::parse(to_json(back))["collections"][0];
  const json best = {{"record", 4}, {"bytes", 60.0}, {"write_s", 0.5}, {"bytes_per_s", 120.0}};
  const json file = {{"file", "a.nc"}, {"records", 7},  {"raw_bytes", 300},     {"file_bytes", 200},  {"chunks", 12},
                     {"write_s", 1.5}, {"sync_s", 0.5}, {"bytes_per_s", 100.0}, {"best_record", best}};
  EXPECT_EQ(parsed["written_files"], json::array({file}));
  EXPECT_EQ(parsed["files_left_out"], 0);
  for (const char* key : {"raw_bytes", "file_bytes", "chunks", "write_s", "sync_s", "bytes_per_s", "best_record"})
    EXPECT_EQ(parsed[key], file[key]) << key;
}

TEST(Report, tells_the_first_files_of_a_series_one_by_one_and_adds_up_all) {
  WrittenFiles half;
  for (int file = 0; file < 100; ++file)
    half.add({std::to_string(file), 1, {.file_bytes = 10, .write_s = 1.0, .best = {file, 10.0, 1.0 + file}}});
  WrittenFiles all = half;
  all += half;
  EXPECT_EQ(std::ssize(half.told), 100);
  EXPECT_EQ(std::ssize(all.told), 128);
  EXPECT_EQ(all.left_out, 72);
  EXPECT_EQ(all.all.file_bytes, 2000);
  EXPECT_EQ(all.all.best.record, 0) << "the quickest";
}

TEST(Report, has_what_was_given_to_mpi_by_phase) {
  const Report report = full_report();
  const Report back = from_json(to_json(report));
  const json parsed = json::parse(to_json(back))["mpi"];
  const json advance = {{"messages", 102}, {"collectives", 202}, {"barriers", 302}};
  EXPECT_EQ(parsed["advance"], advance);
  EXPECT_EQ(parsed.size(), mpi_phases);
  EXPECT_EQ(back.memory_bytes, report.memory_bytes);
}

TEST(Report, of_all_ranks_names_its_version_and_the_settings) {
  Report other = full_report();
  other.rank = 6;
  const json parsed = json::parse(all_to_json({full_report(), other}, {"writers = thread (default)"}));
  EXPECT_EQ(parsed["thalweg_profile"], 2);
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

TEST(ReportTable, says_how_quick_the_storage_took_a_collection) {
  constexpr std::int64_t mebibyte = 1 << 20;
  std::vector<Report> reports(2);
  for (Report& report : reports) report.collections = {{"history", 10, 2, 3, {}, {}}};
  reports[0].collections[0].written.all = {
      .raw_bytes = 300 * mebibyte, .file_bytes = 100 * mebibyte, .chunks = 5, .write_s = 3.0, .sync_s = 1.0};
  reports[1].collections[0].written.all = {
      .raw_bytes = 100 * mebibyte, .file_bytes = 20 * mebibyte, .write_s = 2.0, .best = {7, 5.0 * mebibyte, 0.1}};
  EXPECT_NE(table(reports).find("    400.0 MiB of values, 120.0 MiB in the files by 20.0 MiB/s a writer, at best 50.0 "
                                "(record 7), in 5 chunks\n"),
            std::string::npos)
      << table(reports);
}

TEST(ReportTable, says_what_memory_ranks_and_nodes_have_had_and_what_clients_gave_to_mpi) {
  constexpr std::int64_t mebibyte = 1 << 20;
  std::vector<Report> reports(3);
  for (int r = 0; r < 3; ++r) {
    Report& report = reports[static_cast<std::size_t>(r)];
    report.rank = r;
    report.node = r / 2;
    report.memory_bytes = (100 + r) * mebibyte;
    report.staging_bytes = 60 * mebibyte;
    report.burst_bytes = 4 * mebibyte;
    report.mpi.of[static_cast<std::size_t>(MpiPhase::put)] = {r, 0, 0};
    report.mpi.of[static_cast<std::size_t>(MpiPhase::advance)] = {0, 1, 0};
    report.mpi.of[static_cast<std::size_t>(MpiPhase::finish)] = {50, 50, 50};
  }
  reports[2].is_server = true;
  const std::string text = table(reports);
  EXPECT_NE(text.find("  memory: 102.0 MiB at most (rank 2), 201.0 MiB of the ranks of node 0, whose blocks have 64.0 "
                      "MiB\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  puts and advances of all clients: 1 message, 2 collectives, 0 barriers\n"), std::string::npos)
      << text;
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

TEST(ReportTable, says_of_one_that_it_is_one) {
  std::vector<Report> reports(1);
  reports[0].collections = {{"history", 10, 2, 3, {}, {}}};
  reports[0].collections[0].doubtful_puts = {{"salt", 0, 1}, {"temp", 1, 0}, {"wind", 0, 0, 1}};
  const std::vector<std::string> wanted = {
      "collection 'history', variable 'salt': 1 value is beyond the range of float32, and infinite in the file, on "
      "rank 0",
      "collection 'history', variable 'temp': 1 field was due and not put, and is filled with the fill value, on rank "
      "0",
      "collection 'history', variable 'wind': 1 field was put after the last record was closed, and is in none, on "
      "rank 0"};
  EXPECT_EQ(doubts(reports), wanted);
}

TEST(ReportTable, sums_up_by_variable_what_was_not_put_or_is_out_of_range) {
  std::vector<Report> reports(12);
  for (int r = 0; r < 12; ++r) {
    Report& report = reports[static_cast<std::size_t>(r)];
    report.rank = r;
    report.collections = {{"history", 10, 2, 3, {}, {}}};
    if (r == 2) report.collections[0].doubtful_puts = {{"temp", 1, 0}, {"temp", 1, 0}};  // of two that take turns
    if (r != 1 && r != 2) report.collections[0].doubtful_puts.push_back({"temp", 2, 0});
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
  reports[1].rank = 1;
  reports[0].is_writer = true;
  reports[0].writer.write_s = 7.0;
  reports[0].writer.sync_s = 2.0;
  reports[0].writer.commit_s = 1.0;
  reports[1].client.wait_block_s = 1.0;
  for (Report& report : reports) report.client.finish_s = 1.5;
  EXPECT_NE(table(reports).find("overlap achieved: 75 %"), std::string::npos) << table(reports);
  reports[1].client.finish_s = 100.0;
  EXPECT_NE(table(reports).find("overlap achieved: 75 %"), std::string::npos) << "the other client came late";
  EXPECT_NE(table(reports).find("of it, for other clients    49.250    98.500     0.000       1       0"),
            std::string::npos)
      << table(reports);
  reports[0].client.finish_s = 100.0;
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
