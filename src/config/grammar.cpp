#include "config/grammar.hpp"

#include <utility>

#include "config/dialect_values.hpp"
#include "config/format_values.hpp"
#include "config/library_values.hpp"
#include "config/values.hpp"

namespace thalweg::config {
namespace {

Settings& in(const Target& target, Settings* /*owner*/) {
  return *target.session;
}
CollectionSettings& in(const Target& target, CollectionSettings* /*owner*/) {
  return *target.collection;
}
VariableSettings& in(const Target& target, VariableSettings* /*owner*/) {
  return *target.variable;
}

// A key whose value is stored where `place` says, in the settings that are the target.
template <typename T, typename Place>
Entry value_at(const std::string& path, Place place, const Values<T>& codec, const std::string& default_text,
               const std::string& text) {
  Entry entry;
  entry.path = path;
  entry.kind = codec.kind;
  entry.allowed = codec.allowed;
  entry.default_text = default_text;
  entry.text = text;
  entry.accept = [place, parse = codec.parse](const Target& target, const Node& node) { place(target) = parse(node); };
  entry.show = [place, format = codec.format](const Target& target) { return format(place(target)); };
  return entry;
}

// In a member of the settings.
template <typename Owner, typename T>
Entry value(const std::string& path, T Owner::* member, const Values<T>& codec, const std::string& default_text,
            const std::string& text, std::vector<std::string> renamed = {}) {
  const auto place = [member](const Target& target) -> T& { return in(target, static_cast<Owner*>(nullptr)).*member; };
  Entry entry = value_at(path, place, codec, default_text, text);
  entry.renamed = std::move(renamed);
  return entry;
}

// In a member of one of the settings' members: a key of a section.
template <typename Owner, typename Section, typename T>
Entry value_in(const std::string& path, Section Owner::* section, T Section::* member, const Values<T>& codec,
               const std::string& default_text, const std::string& text) {
  const auto place = [section, member](const Target& target) -> T& {
    return (in(target, static_cast<Owner*>(nullptr)).*section).*member;
  };
  return value_at(path, place, codec, default_text, text);
}

template <typename Map>
std::vector<std::string> names_in(const Map& map) {
  std::vector<std::string> names;
  for (const auto& [name, item] : map) names.push_back(name);
  return names;
}

Entry collections() {
  Entry entry;
  entry.path = "collections";
  entry.kind = "map of names";
  entry.text = "The series of files, by the names that the model uses. Without any, the model may name them freely.";
  entry.open = [](const Target& target, const std::string& name) -> Target {
    auto& made = target.session->collections.try_emplace(name, default_collection(name)).first->second;
    return {.session = target.session, .collection = &made};
  };
  entry.names = [](const Target& target) { return names_in(target.session->collections); };
  return entry;
}

Entry variables() {
  Entry entry;
  entry.path = "collections.*.variables";
  entry.kind = "map of names";
  entry.text = "Variables with settings of their own, by the names that the model defines.";
  entry.open = [](const Target& target, const std::string& name) -> Target {
    return {
        .session = target.session, .collection = target.collection, .variable = &target.collection->variables[name]};
  };
  entry.names = [](const Target& target) { return names_in(target.collection->variables); };
  return entry;
}

Values<Calendar> calendars() {
  return one_of<Calendar>({{"standard", Calendar::standard},
                           {"gregorian", Calendar::standard},
                           {"proleptic_gregorian", Calendar::proleptic_gregorian},
                           {"julian", Calendar::julian},
                           {"noleap", Calendar::noleap},
                           {"365_day", Calendar::noleap},
                           {"all_leap", Calendar::all_leap},
                           {"366_day", Calendar::all_leap},
                           {"360_day", Calendar::day360}});
}

Entry section(const std::string& path, const std::string& word_sets, const std::string& text) {
  Entry entry;
  entry.path = path;
  entry.kind = "map of keys";
  entry.text = text;
  entry.word_sets = word_sets;
  return entry;
}

// The keys of `compression` in a collection or, overriding them, in a variable.
template <typename Owner>
std::vector<Entry> compression_entries(const std::string& path, const std::string& fallback) {
  constexpr auto compression = &Owner::compression;
  const std::string below = path + ".";
  const auto unset = [&](const std::string& of_collection) { return fallback.empty() ? of_collection : fallback; };
  return {
      section(path, "codec", "How chunks are made smaller, in formats that have chunks."),
      value_in(below + "codec", compression, &CompressionSettings::codec, optional(codec_names(), unset("none")),
               unset("none"), "The codec. Readers of netCDF-4 need " + codec_plugins() + "."),
      value_in(below + "level", compression, &CompressionSettings::level, optional(codec_levels(), unset("auto")),
               unset("auto"), "How hard the codec tries: " + codec_levels_text() + "."),
      value_in(below + "shuffle", compression, &CompressionSettings::shuffle, optional(truth(), unset("auto")),
               unset("auto"), "Whether equal bytes of the elements are put side by side first; auto: with a codec."),
      value_in(
          below + "store-noise", compression, &CompressionSettings::store_noise, optional(truth(), unset("true")),
          unset("true"),
          "Whether, behind a shuffle, bytes on which the codec would gain nothing are stored as they are: that saves "
          "most of its time. false: it tries all of them."),
      value_in(below + "keep-digits", compression, &CompressionSettings::keep_digits,
               optional(count_between(1, 15), unset("all")), unset("all"),
               "Significant decimal digits that are kept (Granular BitRound); the rest is rounded to compress better."),
      value_in(below + "keep-bits", compression, &CompressionSettings::keep_bits,
               optional(count_between(1, 52), unset("all")), unset("all"),
               "Bits of the significand that are kept (BitRound), instead of `keep-digits`."),
      value_in(below + "checksum", compression, &CompressionSettings::checksum, optional(truth(), unset("auto")),
               unset("auto"),
               "Whether chunks carry a checksum: Fletcher32 in netCDF-4 (auto: no), crc32c in Zarr (auto: yes)."),
  };
}

std::vector<Entry> write_behind_entries() {
  constexpr auto write_behind = &CollectionSettings::write_behind;
  return {
      section("collections.*.write-behind", "below",
              "How small records are gathered in the staging memory, to be written and committed together."),
      value_in("collections.*.write-behind.below", write_behind, &WriteBehindSettings::below,
               optional(bytes(0), "auto"), "auto",
               "Records of fewer bytes are gathered; auto: 1 MiB in formats where each commit costs much (netCDF-4, "
               "Zarr), else 0 B."),
      value_in("collections.*.write-behind.records", write_behind, &WriteBehindSettings::records, count_or_auto(),
               "auto", "How many wait at most; auto: half of those that the staging memory holds."),
      value_in("collections.*.write-behind.interval", write_behind, &WriteBehindSettings::interval_s, duration(),
               "0.1 s", "How long they wait at most."),
  };
}

std::vector<Entry> writers_entries() {
  constexpr auto ranks = &Settings::server_ranks;
  constexpr auto nodes = &Settings::server_nodes;
  const std::string groups_text =
      "Groups of servers that take turns with the collections: their number, or the servers of each.";
  return {
      section("writers", "place", "Who writes."),
      value("writers.place", &Settings::writers,
            one_of<Writers>({{"sync", Writers::sync},
                             {"thread", Writers::thread},
                             {"ranks", Writers::ranks},
                             {"nodes", Writers::nodes}}),
            "thread",
            "thread: a helper thread in one rank of each node while the model computes; sync: the ranks themselves "
            "before `advance` returns; ranks: servers, ranks of their own on the model's nodes; nodes: servers on "
            "nodes of their own."),
      section("writers.ranks", "count", "Servers on the model's nodes."),
      value_in("writers.ranks.count", ranks, &ServerRanks::count, count_or_auto(), "auto",
               "How many, spread evenly over the nodes; auto: one a node. The last ranks of each node."),
      value_in("writers.ranks.groups", ranks, &ServerRanks::groups, count_or_list_or("1"), "1", groups_text),
      section("writers.nodes", "count", "Nodes of servers."),
      value_in("writers.nodes.count", nodes, &ServerNodes::count, count_between(1, 1'000'000), "1",
               "How many. The last nodes."),
      value_in("writers.nodes.backends-per-node", nodes, &ServerNodes::backends_per_node, count_or_auto(), "auto",
               "Servers of each node that only write, while the others only receive; auto: all do both."),
      value_in("writers.nodes.groups", nodes, &ServerNodes::groups, count_or_list_or("1"), "1",
               "As `writers.ranks.groups`, in nodes."),
      value("writers.clients", &Settings::clients, count_or_auto(), "auto",
            "Ranks of the model, the first ones; auto: all that are no servers. What is left over idles."),
      value("writers.assign", &Settings::assign,
            one_of<Assign>(
                {{"least-loaded", Assign::least_loaded}, {"in-turn", Assign::in_turn}, {"idle", Assign::idle}}),
            "least-loaded",
            "Which of its group's nodes owns a collection's files, and which of a node's servers writes it: the one "
            "with the fewest bytes a step to write of the collections before, or each in turn. idle: as "
            "least-loaded, but each record goes to the server that has the least to write when the record begins."),
  };
}

std::vector<Entry> session_entries() {
  constexpr std::int64_t mebibyte = std::int64_t{1} << 20;
  return {
      value(
          "staging", &Settings::staging, bytes(mebibyte), "2 GiB",
          "Shared memory of each node for records on their way to the storage. What a session had is kept for the next "
          "one of the process, no more than so many bytes, until the process ends."),
      value("when-full", &Settings::when_full,
            one_of<WhenFull>({{"wait", WhenFull::wait}, {"spill", WhenFull::spill}, {"fail", WhenFull::fail}}), "wait",
            "What a put does when the staging memory is full: wait; wait until complete blocks are moved to a file of "
            "the node, from which they are written later; or fail."),
      section("spill", "folder", "Where blocks go with `when-full: spill`."),
      value_in("spill.folder", &Settings::spill, &SpillSettings::folder, path_or("auto"), "auto",
               "A folder on a disk of the node; auto: `$TMPDIR`, or `/tmp`. The file has no name and is gone with the "
               "process."),
      value_in("spill.limit", &Settings::spill, &SpillSettings::limit, bytes(0), "10 GiB",
               "How much each writer keeps there at most."),
      value(
          "drain", &Settings::drain, one_of<Drain>({{"eager", Drain::eager}, {"on-flush", Drain::on_flush}}), "eager",
          "When complete blocks go from the staging memory to the files: as soon as they can, or when the model calls "
          "`flush`, `wait` or `finish`, and when a put finds no free block."),
      value("rate-limit", &Settings::rate_limit, rate_or_none(), "none",
            "How fast each writer writes at most, to spare a file system that others use too. It holds while the model "
            "waits as well."),
      value("progress", &Settings::progress, one_of<Progress>({{"call", Progress::call}, {"thread", Progress::thread}}),
            "call",
            "When messages between nodes move: while the model is in a call of Thalweg or MPI, or, by a helper thread "
            "of each rank that has some under way, also while it computes; that needs MPI_THREAD_MULTIPLE."),
      value("send", &Settings::send, one_of<Send>({{"fast", Send::fast}, {"wait", Send::wait}}), "fast",
            "Whether `advance` returns while messages with this rank's fields are under way, of which there is a copy, "
            "or waits until all have left."),
      value("on-server-loss", &Settings::on_server_loss,
            one_of<OnServerLoss>({{"stop", OnServerLoss::stop}, {"continue", OnServerLoss::go_on}}), "stop",
            "With several groups of servers, one of which fails: the output of all ends with its error, or only the "
            "collections of this group are given up, which `wait` and `finish` report."),
      value("owner", &Settings::owner, one_of<Owner>({{"error", Owner::error}, {"lowest-rank", Owner::lowest_rank}}),
            "error",
            "Two ranks list the same point of an index list: an error, or the lowest rank's value is written."),
      value("deadline", &Settings::deadline_s, duration(), "5 min",
            "The longest wait for other ranks, or for storage that does not get on; then the call fails and says "
            "who waits for whom."),
      value("direct-io", &Settings::direct_io,
            one_of<DirectIo>({{"auto", DirectIo::automatic}, {"on", DirectIo::on}, {"off", DirectIo::off}},
                             {{"true", DirectIo::on}, {"false", DirectIo::off}}),
            "auto", "Whether writes bypass the page cache: where the file system allows it, always, or never."),
      value("emulate-nodes", &Settings::emulate_nodes, count_or_list_or("none"), "none",
            "For tests on one machine: the number of nodes to act as, or the ranks of each."),
      value("writer-threads", &Settings::writer_threads, count_or_auto(), "auto",
            "Threads of a node that compress chunks; auto: as many as its ranks have processors."),
      value("calendar", &Settings::calendar, calendars(), "standard", "The CF calendar of the model time."),
      value("reference-date", &Settings::reference_date, date(), "2000-01-01 00:00:00",
            "The date of model time 0; files count their time from it."),
      value("time-step", &Settings::time_step_s, duration_or_auto(), "auto",
            "The model's time step; needed where `every`, `new-file` or `file` speak of model time, `auto` elsewhere."),
      value("command-line", &Settings::command_line, dialect_or_none(), "none",
            fmt::format("Whether options of the program's command line count, over file and environment{}.",
                        notes_on_options())),
      value("report", &Settings::report, report_names(), "table",
            fmt::format("What is printed at the end of the run{}.", notes_on_reports())),
      value("profile", &Settings::profile, path_or("none"), "none",
            "The file that gets the profile of the run as JSON."),
      value(
          "run-id", &Settings::run_id, run_name_or("auto"), "auto",
          "What tells the files of this run from those of another of the same names: the parts of sets say it in "
          "their attribute `thalweg_run`. auto: drawn anew each time; a name of your own gives the same bytes again."),
      collections(),
  };
}

std::vector<Entry> series_entries() {
  return {
      value("collections.*.file", &CollectionSettings::file, file_template(), "<name>.nc",
            "The file, or the template of the names of the series; where nothing is said, of Zarr `<name>.zarr`.",
            {"filename", "file-name", "file_name"}),
      value("collections.*.every", &CollectionSettings::every, interval(), "1 step", "The interval between records.",
            {"frequency", "output_freq", "output-freq"}),
      value("collections.*.new-file", &CollectionSettings::new_file, interval_or_never(), "never",
            "The interval after which the next file of the series begins.", {"split_freq", "split-freq"}),
      value("collections.*.initial-record", &CollectionSettings::initial_record, truth(), "false",
            "Whether the state before the first step is a record too."),
      value("collections.*.format", &CollectionSettings::format, format_names(), std::string(default_format),
            "The format of the files" + notes_on_formats() + "."),
      value("collections.*.pattern", &CollectionSettings::pattern,
            one_of<Pattern>({{"auto", Pattern::automatic},
                             {"single", Pattern::single},
                             {"shared", Pattern::shared},
                             {"per-domain", Pattern::per_domain},
                             {"per-rank", Pattern::per_rank}}),
            "auto",
            "One writer a file, several writers in one file, or a set of files: one an I/O domain or one a rank. auto: "
            "single on one node and for small records, shared on several nodes."),
  };
}

std::vector<Entry> writing_entries() {
  return {
      value("collections.*.layout", &CollectionSettings::layout, list_or("auto"), "auto",
            "The number of I/O domains along each decomposed dimension, slowest first."),
      value("collections.*.servers", &CollectionSettings::servers, servers_of_node(), "1",
            "Over how many of each node's servers the collection's I/O domains are divided; all: over all of its "
            "group. By itself a server writes whole collections (see `writers.assign`)."),
      value("collections.*.append", &CollectionSettings::append,
            one_of<Append>({{"new", Append::new_file}, {"fail", Append::fail}}), "new",
            "When a complete file has the name: replace it, or fail. Without this key one that has records from before "
            "the start of the run, or is no output of such a format, is not replaced either."),
      value("collections.*.keep-unfinished", &CollectionSettings::keep_unfinished, count_or_all(), "all",
            "How many files of killed runs are kept (`NAME.old.nc.partial`, …): the oldest are removed at publishing."),
      value("collections.*.durability", &CollectionSettings::durability,
            one_of<Durability>(
                {{"none", Durability::none}, {"close", Durability::close}, {"record", Durability::record}}),
            "close", "When data is forced to the disk: never, when a file is complete, or with every record."),
      value(
          "collections.*.record-checksums", &CollectionSettings::record_checksums, truth(), "true",
          "Whether each complete file gets a companion `NAME.checksums` with a checksum of each variable's record, by "
          "which `thalweg verify` finds changed values in any format."),
      value("collections.*.checksum-attributes", &CollectionSettings::checksum_attributes, truth(), "false",
            "Whether variables of a restart get the attribute `checksum` that FMS compares when it reads. For files of "
            "one record, with fields of float64 or int64."),
      value("collections.*.priority", &CollectionSettings::priority,
            one_of<Priority>({{"high", Priority::high}, {"normal", Priority::normal}}), "normal",
            "Collections of high priority, such as restarts, are written first."),
      value("collections.*.record-dimension", &CollectionSettings::record_dimension, dimension_name(), "time",
            "The name of the unlimited dimension."),
      value("collections.*.records-ahead", &CollectionSettings::records_ahead, count_or_auto(), "auto",
            "How many records the staging memory holds at once."),
      value("collections.*.header-reserve", &CollectionSettings::header_reserve, bytes(0), "8 KiB",
            "Room that a file's header may grow into without moving the data."),
      value("collections.*.chunks", &CollectionSettings::chunks, chunk_extents(), "auto",
            "The extents of chunks in formats that have them; auto: 1 to 8 MiB, along the I/O domains."),
      value("collections.*.sharding", &CollectionSettings::sharding, truth(), "false",
            "Zarr: whether the chunks of an I/O domain are kept in one object."),
  };
}

std::vector<Entry> engine_entries() {
  return {
      value("collections.*.engine", &CollectionSettings::engine,
            one_of<Engine>({{"direct", Engine::direct}, {"library", Engine::library}}), "direct",
            "Who puts the bytes into the file: Thalweg itself, or PnetCDF and parallel netCDF-4 by MPI-IO before "
            "`advance` returns, one rank for each I/O domain."),
      value("collections.*.library-calls", &CollectionSettings::library_calls,
            one_of<LibraryCalls>({{"collective", LibraryCalls::collective},
                                  {"independent", LibraryCalls::independent},
                                  {"nonblocking", LibraryCalls::nonblocking}}),
            "collective",
            "Engine library: a collective call for each variable, a call of each rank for itself, or one collective "
            "call for all variables of a record (CDF formats)."),
      value("collections.*.hints", &CollectionSettings::hints, hints_or_none(), "none",
            "Engine library: hints to MPI-IO and PnetCDF, such as `cb_nodes` and `cb_buffer_size`."),
      value("collections.*.aggregators-per-node", &CollectionSettings::aggregators_per_node, count_or_auto(), "auto",
            "Engine library: ranks of each node that MPI-IO lets write; sets `cb_config_list` and `cb_nodes`."),
      value("collections.*.striping", &CollectionSettings::striping, striping_or_none(), "none",
            "How Lustre spreads each file over its storage targets; elsewhere it has no effect."),
  };
}

std::vector<Entry> variable_entries() {
  return {
      value("collections.*.variables.*.enabled", &VariableSettings::enabled, truth(), "true",
            "Whether the variable is written; puts of one that is not cost nothing."),
      value("collections.*.variables.*.chunks", &VariableSettings::chunks, chunk_extents(), "auto",
            "As `chunks` of the collection, for dimensions where this variable has chunks of its own."),
  };
}

}  // namespace

const std::vector<Entry>& grammar() {
  static const std::vector<Entry> entries = [] {
    std::vector<Entry> all = writers_entries();
    for (auto& part :
         {session_entries(), series_entries(), writing_entries(), write_behind_entries(),
          compression_entries<CollectionSettings>("collections.*.compression", ""), engine_entries(),
          std::vector<Entry>{variables()}, variable_entries(),
          compression_entries<VariableSettings>("collections.*.variables.*.compression", "as the collection")})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return entries;
}

std::vector<const Entry*> entries_below(const std::string& parent) {
  std::vector<const Entry*> below;
  for (const Entry& entry : grammar())
    if (entry.parent() == parent) below.push_back(&entry);
  return below;
}

const Entry* find_entry(const std::string& parent, const std::string& key) {
  for (const Entry* entry : entries_below(parent))
    if (entry->key() == key) return entry;
  return nullptr;
}

}  // namespace thalweg::config
