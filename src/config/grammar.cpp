#include "config/grammar.hpp"

#include "config/dialect_values.hpp"
#include "config/entries.hpp"
#include "config/templates.hpp"
#include "config/text_variables.hpp"

namespace thalweg::config {
namespace {

Entry collections() {
  Entry entry =
      entry_of("collections", "map of names",
               "The series of files, by the names that the model uses. Without any, the model may name them freely.");
  entry.open = [](const Target& target, const std::string& name) -> Target {
    auto& made = target.session->collections.try_emplace(name, target.session->new_collection(name)).first->second;
    return {.session = target.session, .collection = &made};
  };
  entry.names = [](const Target& target) { return names_in(target.session->collections); };
  return entry;
}

Entry defaults() {
  Entry entry =
      entry_of("defaults", "map of keys",
               "Keys of `collections.NAME`, but for `file`: what every collection has that does not say them itself, "
               "those that only the program names included.");
  entry.keys_of = "collections.*.";
  entry.open = [](const Target& target, const std::string& /*name*/) -> Target {
    return {.session = target.session, .collection = &target.session->defaults};
  };
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

std::vector<Entry> writers_entries() {
  constexpr auto ranks = &Settings::server_ranks;
  constexpr auto nodes = &Settings::server_nodes;
  const std::string groups_text =
      "Groups of servers that take turns with files or collections (`turns`): their number, or the servers of each.";
  return {
      section("writers", "place", "Who writes."),
      value("writers.place", &Settings::writers,
            one_of<Writers>({{"sync", Writers::sync},
                             {"thread", Writers::thread},
                             {"ranks", Writers::ranks},
                             {"nodes", Writers::nodes}}),
            "thread",
            "thread: a helper thread in a rank of each node while the model computes; sync: the ranks themselves "
            "before `advance` returns; ranks: servers, ranks of their own on the model's nodes; nodes: servers on "
            "nodes of their own."),
      value("writers.per-node", &Settings::writers_per_node, count_between(1, 1'000'000), "1",
            "Without servers: how many ranks of a node write, the first ones, which take turns with the collections; "
            "of a "
            "node with fewer, all."),
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
      value("writers.assign", &Settings::assign, one_of(words_of(writer_policies())),
            std::string(writer_policies().front()->name),
            fmt::format("Which of its group's nodes owns a collection's files, and which of a node's servers writes "
                        "it{}.",
                        notes_of(writer_policies(), &WriterPolicyDescription::meaning))),
  };
}

std::vector<Entry> session_entries() {
  constexpr std::int64_t mebibyte = std::int64_t{1} << 20;
  return {
      value(
          "staging", &Settings::staging, bytes(mebibyte), "2 GiB",
          "Shared memory of each node for records on their way to the storage. What a session had is kept for the next "
          "one of the process, no more than so many bytes, until the process ends."),
      value("staging-folder", &Settings::staging_folder, path_or("none"), "none",
            "A folder on a disk of the node, in which the shared memory is a file without a name: for records that are "
            "larger than the memory. Pages go to the disk as the system sees fit."),
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
      value("reading", &Settings::reading,
            one_of<Reading>({{"auto", Reading::automatic},
                             {"serial", Reading::serial},
                             {"domain", Reading::domain},
                             {"independent", Reading::independent}}),
            "auto",
            "Who reads inputs: one rank, which sends the others their parts; one of every eight ranks of a node, which "
            "do the same; or each rank what it holds; auto: by size, chunks and ranks (docs/reading.md)."),
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
            "Its length; needed where `every`, `new-file` or `file` speak of time, but not for means of fields."),
      value("command-line", &Settings::command_line, dialect_or_none(), "none",
            fmt::format("Whether options of the program's command line count, over file and environment{}.",
                        notes_on_options())),
  };
}

std::vector<Entry> run_entries() {
  return {
      value("report", &Settings::report, report_names(), "table",
            fmt::format("What is printed at the end of the run{}.", notes_on_reports())),
      value("profile", &Settings::profile, path_or("none"), "none",
            "The file that gets the profile of the run as JSON."),
      value("time-line", &Settings::time_line, path_or("none"), "none",
            "The file that gets what every thread did when, as JSON of trace events, which `thalweg report` and "
            "Perfetto show."),
      value("status", &Settings::status, path_or("none"), "none",
            "The folder where each process that writes keeps a small file that says how far it is, for "
            "`thalweg watch`."),
      value("run-id", &Settings::run_id, run_name_or("auto"), "auto",
            "What tells the files of this run from those of another of the same names: the parts of sets say it in "
            "their attribute `thalweg_run`. auto: drawn anew each time; a name of your own gives the same bytes again, "
            "but parts that a killed run left are then not told from those of the run before."),
      text_variables(),
      collections(),
  };
}

}  // namespace

Entry entry_of(std::string_view path, std::string_view kind, std::string_view text) {
  Entry entry;
  entry.path = path;
  entry.kind = kind;
  entry.text = text;
  return entry;
}

Entry section(std::string_view path, std::string_view word_sets, std::string_view text) {
  Entry entry = entry_of(path, "map of keys", text);
  entry.word_sets = word_sets;
  return entry;
}

const std::vector<Entry>& grammar() {
  static const std::vector<Entry> entries = [] {
    std::vector<Entry> all = writers_entries();
    for (auto& part : {session_entries(), run_entries(), std::vector<Entry>{defaults(), templates()},
                       collection_entries(), forcing_entries()})
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
