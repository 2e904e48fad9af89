#include "loading.hpp"

namespace thalweg::config {
namespace {

class ConfigFaults : public CleanEnvironment {
 protected:
  // The first fault in one key of the collection h, without its place.
  static std::string fault_in_collection(const std::string& key_and_value) {
    const std::string text = fault("collections: {h: {" + key_and_value + "}}");
    const auto end = text.find(": error: ");
    return end == std::string::npos ? text : text.substr(end + 9);
  }
};

TEST_F(ConfigFaults, are_shown_with_place_line_and_caret) {
  EXPECT_EQ(faults("collections:\n h:\n  format: netcdf5\n"),
            "ocean.yaml:3:11: error: format: 'netcdf5' is none of cdf1, cdf2, cdf5, netcdf4, netcdf4-classic, zarr, "
            "fortran, user; did you mean 'netcdf4'?\n"
            "    3 |   format: netcdf5\n"
            "      |           ^");
}

TEST_F(ConfigFaults, carets_stand_below_the_value_after_wide_characters) {
  EXPECT_EQ(faults("collections: {\"océan\": {every: x}}"),
            "ocean.yaml:1:33: error: every: 'x' is no number with one of the units s, min, h, d, month, year, step\n"
            "    1 | collections: {\"océan\": {every: x}}\n"
            "      |                                ^");
}

TEST_F(ConfigFaults, are_all_listed_in_the_order_of_their_places) {
  const std::string all = faults(
      "collections:\n"
      "  history:\n"
      "    file: a.nc\n"
      "    new-file: 1 month\n"
      "    frmat: cdf5\n"
      "staging: 3 XB\n"
      "reference-date: 2000-02-30\n"
      "writers: both\n");
  EXPECT_EQ(
      all,
      "ocean.yaml:4:15: error: new-file: the files would overwrite each other: 'a.nc' has no part of the date such "
      "as %Y%m%d\n"
      "    4 |     new-file: 1 month\n"
      "      |               ^\n"
      "ocean.yaml:5:5: error: unknown key 'frmat'; did you mean 'format'?\n"
      "    5 |     frmat: cdf5\n"
      "      |     ^\n"
      "ocean.yaml:6:10: error: staging: 'XB' in '3 XB' is no unit of bytes; allowed are B, kB, MB, GB, TB, KiB, "
      "MiB, GiB, TiB\n"
      "    6 | staging: 3 XB\n"
      "      |          ^\n"
      "ocean.yaml:7:17: error: reference-date: 2000-02-30 00:00:00 does not exist in the calendar standard\n"
      "    7 | reference-date: 2000-02-30\n"
      "      |                 ^\n"
      "ocean.yaml:8:10: error: writers: 'both' is none of sync, thread, ranks, nodes\n"
      "    8 | writers: both\n"
      "      |          ^");
}

TEST_F(ConfigFaults, of_a_long_line_show_what_is_around_the_caret) {
  const std::string text = faults("{" + std::string(1000, ' ') + "\"océan\": 1," + std::string(1000, ' ') + "b: 2}");
  EXPECT_EQ(text.substr(0, text.find('\n')).substr(0, 46), "ocean.yaml:1:1002: error: unknown key 'océan'");
  EXPECT_LT(text.size(), 1500U);
  const std::size_t line = text.find("    1 | ") + 8, caret = text.find("      | ") + 8;
  EXPECT_EQ(text.substr(line, 4), "… ") << text;
  const std::string above = text.substr(line, text.find('\n', line) - line);
  const std::string below = text.substr(caret, text.find('^', caret) - caret);
  EXPECT_EQ(above.substr(below.size() + 2, 8), "\"océan\"") << text;  // "…" has three bytes, and one blank below it
}

TEST_F(ConfigFaults, are_listed_up_to_a_hundred) {
  std::string yaml = "{";
  for (int i = 0; i < 20'000; ++i) yaml += fmt::format("key{}: 1, ", i);
  const std::string text = faults(yaml + "}");
  EXPECT_NE(text.find("unknown key 'key99'"), std::string::npos);
  EXPECT_EQ(text.find("unknown key 'key100'"), std::string::npos);
  EXPECT_TRUE(text.ends_with("\nthere may be more; correct these first"));
  EXPECT_LT(text.size(), 100'000U);
}

TEST_F(ConfigFaults, unknown_keys_have_the_nearest_ones) {
  EXPECT_EQ(fault("writer: sync"), "ocean.yaml:1:1: error: unknown key 'writer'; did you mean 'writers'?");
  EXPECT_EQ(fault_in_collection("new_file: never"), "unknown key 'new_file'; did you mean 'new-file'?");
  EXPECT_EQ(fault_in_collection("variables: {t: {enable: true}}"), "unknown key 'enable'; did you mean 'enabled'?");
  EXPECT_TRUE(
      fault("velocities: 1").starts_with("ocean.yaml:1:1: error: unknown key 'velocities'; known are: writers, "));
}

TEST_F(ConfigFaults, keys_that_other_systems_call_differently_are_translated) {
  EXPECT_EQ(fault_in_collection("frequency: 6 h"), "unknown key 'frequency'; here it is called 'every'");
  EXPECT_EQ(fault_in_collection("output_freq: 6 h"), "unknown key 'output_freq'; here it is called 'every'");
  EXPECT_EQ(fault_in_collection("filename: a.nc"), "unknown key 'filename'; here it is called 'file'");
  EXPECT_EQ(fault_in_collection("split_freq: 1mo"), "unknown key 'split_freq'; here it is called 'new-file'");
}

TEST_F(ConfigFaults, keys_at_the_wrong_level_are_sent_to_theirs) {
  EXPECT_EQ(fault("format: cdf5"), "ocean.yaml:1:1: error: unknown key 'format' here; it belongs in collections.NAME");
  EXPECT_EQ(fault_in_collection("staging: 1 GiB"), "unknown key 'staging' here; it belongs at the top level");
  EXPECT_EQ(fault_in_collection("enabled: false"),
            "unknown key 'enabled' here; it belongs in collections.NAME.variables.VARIABLE");
}

TEST_F(ConfigFaults, attributes_of_fms_are_refused_where_they_cannot_be_had) {
  const auto why = [](const std::string& more) { return fault_in_collection("checksum-attributes: true, " + more); };
  EXPECT_NE(why("format: fortran").find("checksum-attributes: Fortran files have no attributes"), std::string::npos);
  EXPECT_NE(why("format: user").find("made by the model's procedure"), std::string::npos);
  EXPECT_NE(why("engine: library").find("set engine: direct"), std::string::npos);
  for (const char* pattern : {"pattern: per-domain", "pattern: per-rank"})
    EXPECT_NE(why(pattern).find("that of the whole field"), std::string::npos) << pattern;
  EXPECT_EQ(why("format: cdf5, pattern: shared"), "none");
}

TEST_F(ConfigFaults, patterns_of_the_grammar_are_no_keys) {
  EXPECT_TRUE(
      fault("collections.*.every: 6 h").starts_with("ocean.yaml:1:1: error: unknown key 'collections.*.every'"));
}

TEST_F(ConfigFaults, duplicate_keys_are_refused_at_every_level) {
  EXPECT_EQ(fault("writers: sync\nstaging: 1 GiB\nwriters: thread\n"),
            "ocean.yaml:3:1: error: duplicate key 'writers'; the first one is in line 1");
  EXPECT_EQ(fault("collections:\n  h: {}\n  h: {}\n"),
            "ocean.yaml:3:3: error: duplicate key 'h'; the first one is in line 2");
  EXPECT_EQ(fault_in_collection("every: 1 h, every: 2 h"), "duplicate key 'every'; the first one is in line 1");
}

TEST_F(ConfigFaults, values_of_the_wrong_kind_are_refused) {
  EXPECT_EQ(fault("staging: [1 GiB]"), "ocean.yaml:1:10: error: staging: one value is wanted here, this is a list");
  EXPECT_EQ(fault("staging: {ranks: 2}"),
            "ocean.yaml:1:10: error: staging: one value is wanted here, this is a map of keys");
  EXPECT_EQ(fault("staging:\n"),
            "ocean.yaml:1:1: error: staging: the value is missing; leave the key out for its default");
  EXPECT_EQ(fault_in_collection("layout: 4"), "layout: a list such as [4, 1] is wanted here");
  EXPECT_EQ(fault_in_collection("layout: [[4]]"), "layout: one value is wanted here, this is a list");
  EXPECT_EQ(fault_in_collection("every: [6 h]"), "every: one value is wanted here, this is a list");
}

TEST_F(ConfigFaults, maps_are_wanted_where_names_and_keys_stand) {
  EXPECT_EQ(fault("[a, b]"),
            "ocean.yaml:1:1: error: keys and values such as 'staging: 2 GiB' are wanted here, this is a list");
  EXPECT_EQ(fault("hello"),
            "ocean.yaml:1:1: error: keys and values such as 'staging: 2 GiB' are wanted here, this is a single value");
  EXPECT_EQ(fault("collections: [h]"),
            "ocean.yaml:1:14: error: collections: names, each with its keys below it, are wanted here, this is a list");
  EXPECT_EQ(fault("collections: {h: a.nc}"),
            "ocean.yaml:1:18: error: keys and values such as 'every: 6 h' are wanted here, this is a single value");
  EXPECT_EQ(fault("collections: {'': {}}"), "ocean.yaml:1:15: error: collections: the name is empty");
}

TEST_F(ConfigFaults, words_are_those_of_the_grammar) {
  EXPECT_EQ(fault("writers: Sync"),
            "ocean.yaml:1:10: error: writers: 'Sync' is none of sync, thread, ranks, nodes; did you mean 'sync'?");
  EXPECT_EQ(fault("when-full: drop"), "ocean.yaml:1:12: error: when-full: 'drop' is none of wait, spill, fail");
  EXPECT_EQ(fault("calendar: gregorain"),
            "ocean.yaml:1:11: error: calendar: 'gregorain' is none of standard, gregorian, proleptic_gregorian, "
            "julian, noleap, 365_day, all_leap, 366_day, 360_day; did you mean 'gregorian'?");
  EXPECT_EQ(fault_in_collection("operation: averag"),
            "operation: 'averag' is none of instant, mean, min, max, sum, rms, std, count, difference, diurnal 24, "
            "once; did you mean 'average'?");
  EXPECT_EQ(fault("direct-io: maybe"), "ocean.yaml:1:12: error: direct-io: 'maybe' is none of auto, on, off");
  EXPECT_EQ(fault("report: html"), "ocean.yaml:1:9: error: report: 'html' is none of none, table, pfio");
  EXPECT_EQ(fault("calendar: lunar"),
            "ocean.yaml:1:11: error: calendar: 'lunar' is none of standard, gregorian, proleptic_gregorian, julian, "
            "noleap, 365_day, all_leap, 366_day, 360_day");
  EXPECT_EQ(fault_in_collection("initial-record: perhaps"), "initial-record: 'perhaps' is none of true, false");
  EXPECT_EQ(fault_in_collection("pattern: gather"),
            "pattern: 'gather' is none of auto, single, shared, per-domain, per-rank");
  EXPECT_EQ(fault_in_collection("append: overwrite"), "append: 'overwrite' is none of new, fail, continue");
  EXPECT_EQ(fault_in_collection("durability: always"), "durability: 'always' is none of none, close, record");
  EXPECT_EQ(fault_in_collection("priority: urgent"), "priority: 'urgent' is none of high, normal");
}

TEST_F(ConfigFaults, formats_that_are_not_read_back_cannot_be_continued) {
  EXPECT_EQ(fault_in_collection("append: continue, format: fortran"),
            "append: 'continue': nothing in a Fortran file says when its records were; set format: netcdf4 or cdf5");
  EXPECT_EQ(fault_in_collection("append: continue, format: cdf1"), "none");
  EXPECT_EQ(fault_in_collection("append: continue, format: zarr"), "none");
}

TEST_F(ConfigFaults, files_of_one_record_need_names_of_their_own) {
  const std::string of_its_own = "file: with 'record-dimension: none' every record is a file of its own, and ";
  const std::string advice =
      "; give its name parts of the date such as %Y%m%d%H, or set every: on-demand, and the program names each file "
      "(thalweg_new_file)";
  EXPECT_EQ(fault_in_collection("record-dimension: none, every: 1 d, file: a.nc"),
            of_its_own + "all would be called 'a.nc'" + advice);
  EXPECT_EQ(fault_in_collection("record-dimension: none, every: 1 d, file: a_%m.nc"),
            of_its_own + "two successive ones would be called 'a_01.nc'" + advice);
  EXPECT_EQ(fault_in_collection("record-dimension: None, every: on-demand"),
            "record-dimension: 'None' would be the name of a dimension; did you mean 'none'?");
  EXPECT_EQ(fault_in_collection("record-dimension: none, every: on-demand"), "none");
  EXPECT_EQ(fault_in_collection("record-dimension: none, every: on-demand, engine: library"),
            "engine: with 'record-dimension: none' files are made by Thalweg's own writer; set engine: direct");
}

TEST_F(ConfigFaults, series_that_stay_with_one_group_have_no_files_in_turn) {
  const std::string one = " a series stays with one group of servers; leave turns out, or set ";
  EXPECT_EQ(fault_in_collection("turns: files, append: continue"),
            "turns: with 'append: continue'" + one + "append: new");
  EXPECT_EQ(fault_in_collection("turns: files, engine: library"),
            "turns: with 'engine: library'" + one + "engine: direct");
  EXPECT_EQ(fault_in_collection("turns: files, format: user"), "turns: with 'format: user'" + one + "another format");
  EXPECT_EQ(fault_in_collection("turns: files"), "none");
  EXPECT_EQ(fault_in_collection("turns: collections, append: continue"), "none");
}

TEST_F(ConfigFaults, what_cannot_be_in_sets_of_files_is_refused) {
  EXPECT_EQ(fault_in_collection("pattern: per-domain, format: zarr"),
            "pattern: 'per-domain' makes a set of files, but a Zarr store is a folder of separate objects already, "
            "which any number of writers fill side by side; set pattern: shared");
  EXPECT_EQ(fault_in_collection("pattern: per-rank, format: fortran"),
            "pattern: 'per-rank' makes a set of files, but a Fortran file cannot say which part of the whole it holds; "
            "set format: netcdf4 or cdf5, or pattern: shared");
  EXPECT_EQ(fault_in_collection("pattern: per-domain, format: user"),
            "pattern: 'per-domain' makes a set of files, but with format 'user' it is the model's procedure that makes "
            "files, and it gets the blocks of each I/O domain one by one as it is; set pattern: shared");
  EXPECT_EQ(fault_in_collection("pattern: per-rank, engine: library"),
            "pattern: 'per-rank' makes a set of files, but with engine: library all ranks write one file together; set "
            "engine: direct, or pattern: shared");
  EXPECT_EQ(fault_in_collection("pattern: per-rank, layout: [2, 2]"),
            "layout: with pattern 'per-rank' every rank is a domain of its own; leave it out, or set pattern: "
            "per-domain");
}

TEST_F(ConfigFaults, numbers_are_within_their_bounds) {
  EXPECT_EQ(fault("staging: 100 kB"), "ocean.yaml:1:10: error: staging: '100 kB' must be at least 1 MiB");
  EXPECT_EQ(faults("staging: 1 MiB"), "none");
  EXPECT_EQ(fault("emulate-nodes: 0"), "ocean.yaml:1:16: error: emulate-nodes: '0' must be at least 1");
  EXPECT_EQ(fault("emulate-nodes: two"), "ocean.yaml:1:16: error: emulate-nodes: 'two' is no whole number");
  EXPECT_EQ(fault_in_collection("layout: [2, 0]"), "layout: '0' must be at least 1");
  EXPECT_EQ(fault_in_collection("layout: []"), "layout: the list is empty");
  EXPECT_EQ(fault_in_collection("records-ahead: -1"), "records-ahead: '-1' must be at least 0");
  EXPECT_EQ(fault_in_collection("header-reserve: -1 kB"), "header-reserve: '-1 kB' must be at least 0 B");
}

TEST_F(ConfigFaults, never_and_auto_are_words_of_their_keys_only) {
  EXPECT_EQ(fault_in_collection("every: never"),
            "every: 'never' is no number with one of the units s, min, h, d, month, year, step");
  EXPECT_EQ(fault("deadline: auto"),
            "ocean.yaml:1:11: error: deadline: 'auto' is no number with one of the units ms, s, min, h, d");
}

TEST_F(ConfigFaults, a_word_that_a_quantity_may_be_instead_is_named_where_it_is_near) {
  const std::string no_interval = "is no number with one of the units s, min, h, d, month, year, step; did you mean ";
  EXPECT_EQ(fault_in_collection("every: ondemand"), "every: 'ondemand' " + no_interval + "'on-demand'?");
  EXPECT_EQ(fault_in_collection("every: on_demand"), "every: 'on_demand' " + no_interval + "'on-demand'?");
  EXPECT_EQ(fault_in_collection("every: END"), "every: 'END' " + no_interval + "'end'?");
  EXPECT_EQ(fault_in_collection("new-file: nevr"), "new-file: 'nevr' " + no_interval + "'never'?");
  EXPECT_EQ(fault_in_collection("layout: Auto"), "layout: a list such as [4, 1] is wanted here; did you mean 'auto'?");
  EXPECT_EQ(fault_in_collection("compression: {codec: zstd, level: atuo}"),
            "level: 'atuo' is no whole number; did you mean 'auto'?");
}

TEST_F(ConfigFaults, names_of_dimensions_and_files_are_checked) {
  EXPECT_EQ(fault_in_collection("record-dimension: a/b"),
            "record-dimension: 'a/b' is no name of a netCDF dimension: no '/' and no comma, no blank at its ends");
  EXPECT_EQ(fault_in_collection("record-dimension: ''"), "record-dimension: the text is empty");
  EXPECT_EQ(fault_in_collection("file: ''"), "file: the text is empty");
  EXPECT_EQ(fault_in_collection("file: a_%y.nc"),
            "file: '%y' in the file name 'a_%y.nc' is none of %Y, %m, %d, %H, %M, %S, %j, %n, %v, %%");
  EXPECT_EQ(fault_in_collection("file: a_%v.nc"),
            "file: 'a_%v.nc' has the name of a variable, %v: collections with 'fields' have a file for each, and this "
            "one has none; leave %v out");
}

TEST_F(ConfigFaults, reference_dates_exist_in_their_calendar) {
  const auto of = [](const std::string& calendar, const std::string& date) {
    return fault("calendar: " + calendar + "\nreference-date: " + date);
  };
  EXPECT_EQ(of("360_day", "2000-02-30"), "none");
  EXPECT_EQ(of("all_leap", "2001-02-29"), "none");
  EXPECT_EQ(of("noleap", "0000-01-01"), "none");
  EXPECT_EQ(of("julian", "1582-10-10"), "none");
  const std::string at = "ocean.yaml:2:17: error: reference-date: ";
  EXPECT_EQ(of("360_day", "2000-01-31"), at + "2000-01-31 00:00:00 does not exist in the calendar 360_day");
  EXPECT_EQ(of("noleap", "2000-02-29"), at + "2000-02-29 00:00:00 does not exist in the calendar noleap");
  EXPECT_EQ(of("gregorian", "1582-10-10"), at + "1582-10-10 00:00:00 does not exist in the calendar standard");
  EXPECT_EQ(of("gregorian", "0000-01-01"), at + "0000-01-01 00:00:00 does not exist in the calendar standard");
}

constexpr const char* overwritten = "new-file: the files would overwrite each other: ";

TEST_F(ConfigFaults, new_files_need_names_with_a_date) {
  EXPECT_EQ(fault_in_collection("file: a.nc, new-file: 5 steps"),
            std::string(overwritten) + "'a.nc' has no part of the date such as %Y%m%d");
  EXPECT_EQ(fault_in_collection("new-file: 1 d"),
            std::string(overwritten) + "'h.nc' has no part of the date such as %Y%m%d");
  EXPECT_EQ(fault_in_collection("file: 'a%%Y.nc', new-file: 1 d"),
            std::string(overwritten) + "'a%%Y.nc' has no part of the date such as %Y%m%d");
  EXPECT_EQ(fault_in_collection("file: a.nc, new-file: never"), "none");
  EXPECT_EQ(fault_in_collection("file: a%Y.nc"), "none");
  EXPECT_EQ(fault_in_collection("file: a%j.nc, every: 5 steps, new-file: 1 d"), "none");
}

TEST_F(ConfigFaults, names_change_with_every_new_file) {
  EXPECT_EQ(fault_in_collection("file: a_%Y.nc, new-file: 1 month"),
            std::string(overwritten) + "with 'a_%Y.nc' two successive ones are called 'a_2000.nc'");
  EXPECT_EQ(fault_in_collection("file: a_%Y%m%d%H.nc, new-file: 45 min"),
            std::string(overwritten) + "with 'a_%Y%m%d%H.nc' two successive ones are called 'a_2000010100.nc'");
  EXPECT_EQ(fault_in_collection("file: a_%Y%m%d.nc, new-file: 23 h"),
            std::string(overwritten) + "with 'a_%Y%m%d.nc' two successive ones are called 'a_20000101.nc'");
  for (const char* good :
       {"file: a_%Y%m.nc, new-file: 1 month", "file: a_%m.nc, new-file: 1 month", "file: a_%Y%m%d%H.nc, new-file: 6 h",
        "file: a_%Y.nc, new-file: 2 years", "file: a_%Y.nc, new-file: 5 steps"})
    EXPECT_EQ(fault_in_collection(good), "none");
}

TEST_F(ConfigFaults, new_files_in_steps_are_judged_where_the_step_is_known) {
  EXPECT_EQ(fault("time-step: 1 h\ncollections: {h: {file: 'a_%Y%m%d.nc', new-file: 5 steps}}"),
            std::string("ocean.yaml:2:50: error: ") + overwritten +
                "with 'a_%Y%m%d.nc' two successive ones are called 'a_20000101.nc'");
  EXPECT_EQ(fault("time-step: 1 d\ncollections: {h: {file: 'a_%Y%m%d.nc', new-file: 5 steps}}"), "none");
}

TEST_F(ConfigFaults, records_on_demand_have_no_names_by_their_time) {
  const std::string names =
      "with 'every: on-demand' the time of a record is not known before it ends, and cannot be in names of files; the "
      "program names them (thalweg_new_file)";
  EXPECT_EQ(fault("collections:\n  r: {every: on-demand, file: 'r_%Y.nc'}\n"),
            "ocean.yaml:2:31: error: file: " + names);
  EXPECT_EQ(fault("time-step: 1 h\ncollections:\n  r: {every: on-demand, file: 'r_%Y.nc', new-file: 1 year}\n"),
            "ocean.yaml:3:52: error: new-file: " + names);
  EXPECT_EQ(
      fault("collections:\n  r: {every: on-demand, initial-record: true}\n"),
      "ocean.yaml:2:41: error: initial-record: with 'every: on-demand' the program closes the record of the start "
      "like any other; if nf90_create makes its files, leave 'initial-record' out, which its calls say");
  EXPECT_EQ(fault("collections: {r: {every: on-demand}}"), "none");
}

TEST_F(ConfigFaults, collections_do_not_share_a_file) {
  EXPECT_EQ(fault("collections:\n  b: {file: x.nc}\n  a: {file: x.nc}\n"),
            "ocean.yaml:3:13: error: file: 'x.nc' is the file of the collection 'b' already");
  EXPECT_EQ(fault("collections:\n  a: {file: x.nc}\n  b: {file: ./x.nc}\n"),
            "ocean.yaml:3:13: error: file: './x.nc' is the file of the collection 'a' already");
  EXPECT_EQ(fault("collections:\n  a: {file: b.nc}\n  b:\n"),
            "ocean.yaml:3:3: error: file: 'b.nc' is the file of the collection 'a' already");
  EXPECT_EQ(fault("collections: {a: {file: x.nc}, b: {file: y/x.nc}}"), "none");
}

TEST_F(ConfigFaults, collections_do_not_share_a_file_at_some_date) {
  const std::string meet = "are one name at some date";
  EXPECT_EQ(fault("collections:\n  a: {file: y_%Y.nc, new-file: 1 year}\n  b: {file: y_2000.nc}\n"),
            "ocean.yaml:3:13: error: file: 'y_2000.nc' and 'y_%Y.nc' of the collection 'a' " + meet);
  EXPECT_EQ(fault("collections:\n  a: {file: 120.nc}\n  b: {file: '1%d.nc'}\n"),
            "ocean.yaml:3:13: error: file: '1%d.nc' and '120.nc' of the collection 'a' " + meet);
  EXPECT_EQ(fault("collections:\n  a: {file: '%m%Y.nc'}\n  b: {file: '%Y%m.nc'}\n"),
            "ocean.yaml:3:13: error: file: '%Y%m.nc' and '%m%Y.nc' of the collection 'a' " + meet);
  for (const char* free : {"a: {file: 'y_%Y.nc'}, b: {file: y_20.nc}", "a: {file: 'y_%Y.nc'}, b: {file: y_2ooo.nc}",
                           "a: {file: 'y_%Y.nc'}, b: {file: 'y_%Y%m.nc'}", "a: {file: 'y_%j.nc'}, b: {file: 'y_%m.nc'}",
                           "a: {file: 'y_%%Y.nc'}, b: {file: y_2000.nc}"})
    EXPECT_EQ(fault(fmt::format("collections: {{{}}}", free)), "none");
}

TEST_F(ConfigFaults, collections_have_no_file_beside_that_of_another) {
  for (const char* ending : {".partial", ".lock", ".checksums", ".checksums.new", ".replaced"})
    EXPECT_EQ(
        fault(fmt::format("collections:\n  a: {{file: x.nc}}\n  b: {{file: x.nc{}}}\n", ending)),
        fmt::format("ocean.yaml:3:13: error: file: 'x.nc{}' is or would have beside it a name that belongs to the "
                    "file of the collection 'a'",
                    ending));
}

TEST_F(ConfigFaults, collections_have_no_file_that_is_called_like_a_part_of_a_set) {
  const std::string meets = "is or would have beside it a name that belongs to the file of the collection 'a'";
  EXPECT_EQ(fault("collections:\n  a: {file: x.nc, pattern: per-rank}\n  b: {file: x.nc.0003}\n"),
            "ocean.yaml:3:13: error: file: 'x.nc.0003' " + meets);
  EXPECT_EQ(fault("collections:\n  a: {file: x.nc.12345}\n  b: {file: x.nc, pattern: per-domain}\n"),
            "ocean.yaml:3:13: error: file: 'x.nc' " + meets);
  for (const char* free : {"a: {file: x.nc, pattern: per-rank}, b: {file: x.nc.003}",
                           "a: {file: x.nc}, b: {file: x.nc.0003}", "a: {file: x.nc.0001}, b: {file: x.nc.0003}"})
    EXPECT_EQ(fault(fmt::format("collections: {{{}}}", free)), "none");
}

TEST_F(ConfigFaults, refused_values_cause_no_faults_in_other_keys) {
  const auto count = [](const std::string& yaml) {
    const std::string all = faults(yaml);
    std::size_t errors = 0;
    for (auto at = all.find(": error: "); at != std::string::npos; at = all.find(": error: ", at + 1)) ++errors;
    return errors;
  };
  EXPECT_EQ(count("collections: {h: {file: 'a_%q.nc', new-file: 1 month}}"), 1U);
  EXPECT_EQ(count("calendar: lunar\nreference-date: 2000-02-30\n"), 1U);
  EXPECT_EQ(count("calendar: noleap\nreference-date: 2000-02-30\ncollections: {h: {file: '%Y', new-file: 1 d}}"), 1U);
  EXPECT_EQ(count("collections: {a: {file: ''}, b: {file: ''}}"), 2U);
}

TEST_F(ConfigFaults, syntax_errors_have_a_place) {
  EXPECT_EQ(faults("writers: sync\n\tstaging: 1 GiB\n"),
            "ocean.yaml:2:1: error: the line begins with a tab; YAML is indented by spaces alone\n"
            "    2 | \tstaging: 1 GiB\n"
            "      | ^");
  EXPECT_EQ(fault("a: [1\n"), "ocean.yaml:1:4: error: the '[' is not closed by ']'");
  EXPECT_EQ(fault("a: 1\n---\nb: 1\n"),
            "ocean.yaml:3:1: error: a second YAML document begins; the configuration is one");
}

}  // namespace
}  // namespace thalweg::config
