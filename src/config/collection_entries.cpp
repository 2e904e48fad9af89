#include "config/attribute_texts.hpp"
#include "config/draft.hpp"
#include "config/entries.hpp"
#include "config/format_values.hpp"
#include "config/library_values.hpp"
#include "config/templates.hpp"

namespace thalweg::config {
namespace {

Entry variables() {
  Entry entry = entry_of("collections.*.variables", "map of names",
                         "Variables with settings of their own, by the names that the model defines.");
  entry.open = [](const Target& target, const std::string& name) -> Target {
    return {
        .session = target.session, .collection = target.collection, .variable = &target.collection->variables[name]};
  };
  entry.names = [](const Target& target) { return names_in(target.collection->variables); };
  return entry;
}

Values<WhenNotPut> when_not_put() {
  return one_of<WhenNotPut>({{"fill", WhenNotPut::fill}, {"error", WhenNotPut::error}});
}

Values<WhenNotPut> when_not_put_in_records() {
  return one_of<WhenNotPut>({{"fill", WhenNotPut::fill}, {"error", WhenNotPut::error}, {"skip", WhenNotPut::skip}});
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
      value_in(below + "level", compression, &CompressionSettings::level, choice(codec_levels(), "auto", fallback),
               unset("auto"), "How hard the codec tries: " + codec_levels_text() + "."),
      value_in(below + "shuffle", compression, &CompressionSettings::shuffle, choice(truth(), "auto", fallback),
               unset("auto"), "Whether equal bytes of the elements are put side by side first; auto: with a codec."),
      value_in(
          below + "store-noise", compression, &CompressionSettings::store_noise, optional(truth(), unset("true")),
          unset("true"),
          "Whether, behind a shuffle, bytes on which the codec would gain nothing are stored as they are: that saves "
          "most of its time. false: it tries all of them."),
      value_in(below + "keep-digits", compression, &CompressionSettings::keep_digits,
               choice(count_between(1, 15), "all", fallback), unset("all"),
               "Significant decimal digits that are kept (Granular BitRound); the rest is rounded to compress better."),
      value_in(below + "keep-bits", compression, &CompressionSettings::keep_bits,
               choice(count_between(1, 52), "all", fallback), unset("all"),
               "Bits of the significand that are kept (BitRound), instead of `keep-digits`."),
      value_in(below + "checksum", compression, &CompressionSettings::checksum, choice(truth(), "auto", fallback),
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

std::vector<Entry> series_entries() {
  return {
      extends(),
      value("collections.*.file", &CollectionSettings::file, file_template(), "<name>.nc",
            "The file, or the template of the names of the series; where nothing is said, of Zarr `<name>.zarr`.",
            {"filename", "file-name", "file_name"}),
      value("collections.*.every", &CollectionSettings::every, interval_or_on_demand(), "1 step",
            "The interval between records; on-demand: the program closes each record (`thalweg_record`); end: the one "
            "record is that of the last advance (`thalweg_set_end_time`).",
            {"frequency", "output_freq", "output-freq"}),
      value("collections.*.new-file", &CollectionSettings::new_file, interval_or_never(), "never",
            "The interval after which the next file of the series begins.", {"split_freq", "split-freq"}),
      value("collections.*.cycle", &CollectionSettings::cycle, files_or_none(), "none",
            "How many files are written in turn, each of one record and each replaced, as a whole, by the record after "
            "the others: 2 keeps the last two restarts. `%n` in `file` is the number of the file, from 1."),
      value("collections.*.restart-set", &CollectionSettings::restart_set, run_name_or("none"), "none",
            "A word that all collections have whose restarts are only good together, such as an ocean's and its ice's: "
            "`thalweg_restore` without a path takes the newest time of which all of them have a complete file."),
      value("collections.*.initial-record", &CollectionSettings::initial_record, truth(), "false",
            "Whether the state before the first step is a record too; of collections with `difference`, whether "
            "their first one is counted from it."),
      value("collections.*.record-coordinate", &CollectionSettings::record_coordinate, truth(), "true",
            "Whether Thalweg puts the time of each record, where the program defines no variable of the record "
            "dimension's name; false also leaves that dimension out of files without records."),
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

// What is stored where there is none is the name that records have within the session.
Entry shown_as_none(Entry entry) {
  entry.show = [show = entry.show](const Target& target) {
    return target.collection->one_record ? std::string(no_record_dimension) : show(target);
  };
  return entry;
}

std::vector<Entry> writing_entries() {
  return {
      value("collections.*.layout", &CollectionSettings::layout, list_or("auto"), "auto",
            "The number of I/O domains along each decomposed dimension, slowest first. A decomposition with another "
            "number of dimensions than the list is cut along its slowest one, into as many domains in all."),
      value("collections.*.servers", &CollectionSettings::servers, servers_of_node(), "1",
            "Over how many of each node's servers the collection's I/O domains are divided; all: over all of its "
            "group. By itself a server writes whole collections (see `writers.assign`)."),
      value(
          "collections.*.turns", &CollectionSettings::turns,
          one_of<Turns>({{"auto", Turns::automatic}, {"files", Turns::files}, {"collections", Turns::collections}}),
          "auto",
          "What several groups of servers take in turns: the files of the series, so that each goes to the next group, "
          "or whole collections. Files in turns need staging memory for the collection in every group. auto: files, "
          "where `new-file`, a date in `file` or `record-dimension: none` makes a series."),
      value("collections.*.append", &CollectionSettings::append,
            one_of<Append>({{"new", Append::new_file}, {"fail", Append::fail}, {"continue", Append::go_on}}), "new",
            "When a complete file has the name: replace it, fail, or go on with its records as far as the start of the "
            "run. Without this key one that has records from before the start of the run, or is no output of such a "
            "format, is not replaced either."),
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
      shown_as_none(value(
          "collections.*.record-dimension", &CollectionSettings::record_dimension, dimension_name(), "time",
          "The name of the unlimited dimension. none: files have none, and each record is a file of its own, which "
          "`engine: library` does not write.")),
      attributes<CollectionSettings>(
          "collections.*.attributes",
          "Attributes of the files, all of them texts, such as `institution` and `title`. They prevail over those of "
          "the model that have the same names."),
      value("collections.*.records-ahead", &CollectionSettings::records_ahead, count_or_auto(), "auto",
            "How many records the staging memory holds at once; auto: two, more of small ones, and while a burst of "
            "records lasts as many as half of what is left of 'staging' holds."),
      value("collections.*.when-not-put", &CollectionSettings::when_not_put, when_not_put_in_records(), "fill",
            "What becomes of cells that the model did not put for a record: fill value, which the log and the report "
            "say; error: fill value, so that no rank waits for them, and an error of the `advance` that closed the "
            "record, or of `finish`; skip, of operations over intervals: as fill, but where nothing was put of any "
            "field there is no record."),
      value("collections.*.header-reserve", &CollectionSettings::header_reserve, bytes(0), "8 KiB",
            "Room that a file's header may grow into without moving the data."),
      value("collections.*.chunks", &CollectionSettings::chunks, chunk_extents(), "auto",
            "The extents of chunks in formats that have them; auto: 1 to 8 MiB, along the I/O domains. Those of "
            "the defaults are for collections that have the dimensions."),
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
      value("collections.*.variables.*.when-not-put", &VariableSettings::when_not_put,
            optional(when_not_put(), "as the collection"), "as the collection", "As `when-not-put` of the collection."),
      value("collections.*.variables.*.chunks", &VariableSettings::chunks, chunk_extents(), "auto",
            "As `chunks` of the collection, for dimensions where this variable has chunks of its own."),
      attributes<VariableSettings>("collections.*.variables.*.attributes",
                                   "Attributes of the variable, as `attributes` of the collection."),
  };
}

}  // namespace

std::vector<Entry> collection_entries() {
  std::vector<Entry> all = series_entries();
  for (auto& part :
       {writing_entries(), write_behind_entries(),
        compression_entries<CollectionSettings>("collections.*.compression", ""), engine_entries(), field_entries(),
        std::vector<Entry>{variables()}, variable_entries(),
        compression_entries<VariableSettings>("collections.*.variables.*.compression", "as the collection")})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace thalweg::config
