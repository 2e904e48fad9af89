// The effective settings of a session: what configuration, environment, command line and defaults gave, checked.
// Immutable after loading. The grammar (config/grammar.hpp) says key, type, unit, default and meaning of each.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/calendar.hpp"
#include "config/diagnostic.hpp"
#include "config/dialect.hpp"
#include "config/field_settings.hpp"
#include "config/forcing_settings.hpp"
#include "config/format.hpp"
#include "config/writer_policy.hpp"

namespace thalweg::config {

enum class Writers { sync, thread, ranks, nodes };
constexpr bool has_servers(Writers writers) {
  return writers == Writers::ranks || writers == Writers::nodes;
}
enum class WhenFull { wait, spill, fail };
enum class WhenNotPut { fill, error, skip };

// Where complete blocks go when the staging memory is full, with WhenFull::spill.
struct SpillSettings {
  std::string folder;                           // of the node; empty: $TMPDIR, or /tmp
  std::int64_t limit = std::int64_t{10} << 30;  // bytes of each writer
};

enum class Drain { eager, on_flush };
enum class Progress { call, thread };
enum class Send { fast, wait };
enum class OnServerLoss { stop, go_on };
enum class Reading { automatic, serial, domain, independent };
enum class Owner { error, lowest_rank };
enum class Durability { none, close, record };
enum class DirectIo { automatic, on, off };
enum class Pattern { automatic, single, shared, per_domain, per_rank };
enum class Turns { automatic, files, collections };
enum class Append { new_file, fail, go_on };
enum class Priority { high, normal };
// The table at the end of a run.
struct Report {
  bool prints = true;
  Dialect as;  // none: Thalweg's own
  friend bool operator==(const Report&, const Report&) = default;
};
// Sizes of groups of servers. Empty: one group; one number: that many of equal size; several: the size of each.
using Groups = std::vector<std::int64_t>;

// Ranks on the model's nodes that only write.
struct ServerRanks {
  std::int64_t count = 0;  // of all nodes; 0: one a node
  Groups groups;
};

// Nodes that only write.
struct ServerNodes {
  std::int64_t count = 1;
  std::int64_t backends_per_node = 0;  // that write, the others receive; 0: all do both
  Groups groups;
};

enum class Engine { direct, library };
enum class LibraryCalls { collective, independent, nonblocking };

using Hints = std::map<std::string, std::string>;  // of MPI-IO and of PnetCDF, as MPI takes them

// How a parallel file system spreads a file; 0: as the folder has it.
struct Striping {
  std::int64_t count = 0;
  std::int64_t bytes = 0;
  bool is_set() const { return count != 0 || bytes != 0; }
  friend bool operator==(const Striping&, const Striping&) = default;
};

// A value, or nothing; a variable may also say that it has what is usual, whatever its collection says.
template <typename T>
struct Choice : std::optional<T> {
  using std::optional<T>::optional;
  bool is_usual = false;

  bool is_said() const { return this->has_value() || is_usual; }
};

// What is not said for a variable is as in its collection, and there as the default.
struct CompressionSettings {
  std::optional<Codec> codec;
  Choice<std::int64_t> level;
  Choice<bool> shuffle;
  Choice<std::int64_t> keep_digits;  // significant decimal digits that are kept: Granular BitRound
  Choice<std::int64_t> keep_bits;    // bits of the significand that are kept: BitRound
  std::optional<bool> store_noise;   // bytes on which the codec gains nothing are stored as they are
  Choice<bool> checksum;             // Fletcher32 (netCDF-4), crc32c (Zarr)
};

// Cells of a chunk along dimensions, by their names; dimensions that are not named: auto.
using ChunkSettings = std::map<std::string, std::int64_t>;

// Small records wait in the staging memory for others, to be written and committed together.
struct WriteBehindSettings {
  std::optional<std::int64_t> below;  // bytes of a record; nothing: as the format needs it
  std::int64_t records = 0;           // that wait at most; 0: half of those that the staging memory holds
  double interval_s = 0.1;            // that they wait at most
};

struct VariableSettings {
  bool enabled = true;
  std::optional<WhenNotPut> when_not_put;  // nothing: as in its collection
  CompressionSettings compression;
  ChunkSettings chunks;
  std::string chunks_place{};                     // as in CollectionSettings
  std::map<std::string, std::string> attributes;  // texts
};

// CollectionSettings::keep_unfinished: none is ever removed.
constexpr std::int64_t keep_all = std::numeric_limits<std::int64_t>::max();

// CollectionSettings::servers: as many as a node has.
constexpr std::int64_t all_servers = std::numeric_limits<std::int64_t>::max();

struct CollectionSettings {
  std::string name;
  std::vector<std::string> extends;  // templates whose keys it has
  std::string file;                  // name or template with %Y %m %d %H %M %S %j %n %v; default "<name>.nc"
  Interval every{.steps = 1};        // steps, or model time; all parts 0: on demand
  Interval new_file{};               // all parts 0: never
  bool record_coordinate = true;     // Thalweg's, where the program has none
  bool initial_record = false;       // a record at the reference date itself
  Format format{};
  Pattern pattern = Pattern::automatic;  // automatic: single or shared, see planning/pattern.hpp
  std::vector<std::int64_t> layout;      // domains along each decomposed dimension; empty: auto
  std::int64_t servers = 1;              // of each node, over which its blocks are divided
  Turns turns = Turns::automatic;        // what groups of servers take in turns
  Append append = Append::new_file;
  bool append_is_said = false;              // in the configuration, and not by default
  std::int64_t keep_unfinished = keep_all;  // files of killed runs that are kept aside
  Durability durability = Durability::close;
  bool record_checksums = true;      // a companion of each file
  bool checksum_attributes = false;  // FMS's, in the file itself
  Priority priority = Priority::normal;
  std::string restart_set;  // collections of the same word are restored together; empty: none
  std::string record_dimension = "time";
  bool record_dimension_is_said = false;          // in the configuration, and not by default
  bool one_record = false;                        // each is a file of its own, which has no such dimension
  std::int64_t cycle = 0;                         // files of one record that are written in turn; 0: none
  std::map<std::string, std::string> attributes;  // texts, of its files
  std::int64_t records_ahead = 0;                 // records that staging holds at once; 0: auto
  std::int64_t header_reserve = 8192;             // bytes
  WhenNotPut when_not_put = WhenNotPut::fill;
  WriteBehindSettings write_behind;
  CompressionSettings compression;
  ChunkSettings chunks;
  std::string chunks_place;  // "ocean.yaml:12:3"; empty: the defaults say them, for those that have the dimensions
  bool sharding = false;     // Zarr: one object for the chunks of an I/O domain
  Engine engine = Engine::direct;
  LibraryCalls library_calls = LibraryCalls::collective;
  Hints hints;
  std::int64_t aggregators_per_node = 0;  // 0: auto
  Striping striping;
  std::map<std::string, VariableSettings> variables;
  FieldSettings fields;
  std::string place;             // "ocean.yaml:12:3", for messages; empty if not from a text
  bool from_program = false;     // the configuration has no entry of this name
  bool is_for_variable = false;  // of a collection each variable of which has files of its own

  WhenNotPut when_not_put_of(const std::string& variable) const;

  // Its records are closed by the program, not by the model's clock.
  bool is_on_demand() const { return every == Interval{}; }
  // Calls close its records, the program's or where an interval ends, and not the model's clock.
  bool has_records_by_call() const { return is_on_demand() || has_statistics(); }
  // It has files that follow each other.
  bool makes_series() const;
  // Its records have what was put in intervals of time: who gathers that closes them (src/fields).
  bool has_statistics() const { return fields.have_statistics(); }
  // So does its file.
  bool ends_with_record() const { return one_record || cycle > 0; }
  // Each of its variables has files of its own, and is a collection of its own when fields are chosen.
  bool has_files_of_variables() const { return has_variable_part(file); }
  std::string name_for(const std::string& variable) const;
  CollectionSettings for_variable(const std::string& variable) const;
  // Groups of servers take its files in turns.
  bool takes_turns_by_file() const;
};

// One line of the echo: "staging = 2 GiB (default)", "writers = sync (environment, THALWEG_WRITERS)".
struct Effective {
  std::string key;    // full path, "collections.history.format"
  std::string value;  // canonical text
  // "default", "file ocean.yaml:3:10", "environment THALWEG_WRITERS", "command line --npes_model",
  // "program open_collection_text('history'):1:2"
  std::string origin;
};

struct Settings {
  Writers writers = Writers::thread;
  ServerRanks server_ranks;           // with Writers::ranks
  ServerNodes server_nodes;           // with Writers::nodes
  std::int64_t writers_per_node = 1;  // without servers
  std::int64_t clients = 0;           // ranks of the model, beside servers; 0: all that are no servers
  WriterPolicy assign = writer_policies().front();
  std::int64_t staging = std::int64_t{2} << 30;  // bytes a node
  std::string staging_folder;                    // of a disk of the node; empty: in memory
  WhenFull when_full = WhenFull::wait;
  SpillSettings spill;
  Drain drain = Drain::eager;
  std::int64_t rate_limit = 0;  // bytes a second of each writer; 0: none
  Progress progress = Progress::call;
  Send send = Send::fast;
  OnServerLoss on_server_loss = OnServerLoss::stop;
  Owner owner = Owner::error;
  Reading reading = Reading::automatic;
  double deadline_s = 300.0;
  DirectIo direct_io = DirectIo::automatic;
  std::int64_t writer_threads = 0;          // of a node that compress; 0: as many as its ranks have processors
  std::vector<std::int64_t> emulate_nodes;  // empty: real nodes; one value: number of nodes; several: ranks of each
  Calendar calendar = Calendar::standard;
  Date reference_date{};
  double time_step_s = 0.0;      // 0: not said, which does where all goes by steps
  Dialect command_line;          // whose options of the program's command line count
  std::optional<Launch> launch;  // with such options
  Report report;
  std::string profile;                           // path of the JSON profile; empty: none
  std::string time_line;                         // path of that of all threads; empty: none
  std::string status;                            // folder where those that write tell how far they are; empty: none
  std::map<std::string, std::string> variables;  // texts of ${…} in the configuration
  std::string run_id;      // tells the files of this run from those of another; empty: the next one
  std::string session_id;  // drawn when the session starts: whose locks are whose
  std::string folder;      // in which the run started: relative paths are meant from there, wherever the model goes
  std::string source;      // path of the configuration; empty: none
  CollectionSettings defaults;  // of collections, but for their names
  std::map<std::string, CollectionSettings> collections;
  std::map<std::string, ForcingSettings> forcing;
  std::vector<Effective> effective;
  std::vector<std::string> notes;      // for the log: what is no fault, and perhaps not meant
  std::map<std::string, Where> where;  // what set a key, by its full name; absent: its default

  // Settings of a collection: the configured ones, or defaults where the configuration names no collections at all.
  // Throws NAME with the nearest names otherwise.
  CollectionSettings collection(const std::string& name) const;
  // Of which nothing is configured but the defaults.
  CollectionSettings new_collection(const std::string& name) const;
  // The configuration has defaults, and leaves it to the program which collections there are.
  bool has_defaults_alone() const;
  // Where the configuration sets a key of a collection, such as "compression.codec", by itself or by the defaults;
  // null: it does not.
  const Where* configured(const std::string& collection, const std::string& key) const;
  // What it has for a collection of that name: its own entry, or the defaults.
  const CollectionSettings& configured(const std::string& collection) const;
  // What options of the command line ask for, once it is known which ranks there are. Throws CONFIG for a launch that
  // does not fit.
  void complete_launch(const LaunchedRanks& ranks);
  // Programs that only serve have been started with the model: servers write, whatever else 'writers' says. Throws
  // CONFIG for a collection that servers cannot write.
  void write_by_server_programs();
  // All that is said of collections, as others have it.
  void take_collections(Settings&& from);
};

// Why servers cannot write a collection, and what to set; empty if they can.
std::string problem_with_servers(const CollectionSettings& collection);

// Load, check everything, and throw one CONFIG error that lists every fault with its place. path "" : defaults and
// environment only. origin names the text in messages.
Settings load_file(const std::string& path, std::vector<std::string> arguments = {});
Settings load_text(const std::string& yaml, const std::string& origin);

// Adds what the program says of a collection: the keys of one, as they stand below its name in a configuration. What
// the configuration says of it prevails, key by key. Throws one CONFIG error that lists every fault, and leaves the
// settings as they were then. Notes are about the collection alone. like: the text was made of netCDF's calls, and of
// each of its lines a comment says by which (config/program_collection.cpp); the configured keys of the collection of
// this name hold for `name` too, where the configuration has none of that one.
void add_collection(Settings& settings, const std::string& name, const std::string& yaml, const std::string& like = "");

}  // namespace thalweg::config
