// Rules that concern several keys at once.
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "config/draft.hpp"
#include "config/parse_value.hpp"

namespace thalweg::config {
namespace {

// The calendar's arithmetic gives back the same date only if the date exists.
bool exists(Calendar calendar, const Date& date) {
  const bool has_year_zero = calendar != Calendar::standard && calendar != Calendar::julian;
  if (date.year == 0 && !has_year_zero) return false;
  const Date midnight{.year = date.year, .month = date.month, .day = date.day};
  return date_after(calendar, midnight, 0.0) == midnight;
}

void check_reference_date(Draft& draft) {
  const Settings& settings = draft.settings;
  if (!usable(draft, "calendar") || !usable(draft, "reference-date")) return;
  if (exists(settings.calendar, settings.reference_date)) return;
  draft.faults.add(draft.where.at("reference-date"),
                   fmt::format("reference-date: {} does not exist in the calendar {}",
                               to_string(settings.reference_date), name_of(settings.calendar)));
}

bool has_date_part(const std::string& file) {
  for (std::size_t i = file.find('%'); i < file.size(); i = file.find('%', i + 2))
    if (file[i + 1] != '%') return true;
  return false;
}

// The date at which the index-th file of a series begins.
Date begin_of_file(const Settings& settings, const Interval& interval, std::int64_t index) {
  if (interval.months != 0) return add_months(settings.calendar, settings.reference_date, index * interval.months);
  const double step_s = static_cast<double>(interval.steps) * settings.time_step_s;
  return date_after(settings.calendar, settings.reference_date,
                    static_cast<double>(index) * (interval.seconds + step_s));
}

// The first name that two successive files of the series share; empty if there is none. Steps of unknown length
// cannot be judged.
std::string repeated_name(const Settings& settings, const CollectionSettings& collection) {
  if (collection.new_file.steps != 0 && settings.time_step_s == 0) return "";
  constexpr std::int64_t files_tried = 50;
  std::string last;
  for (std::int64_t i = 0; i < files_tried; ++i) {
    const Date begin = begin_of_file(settings, collection.new_file, i);
    const std::string name = fill_template(collection.file, settings.calendar, begin);
    if (name == last) return name;
    last = name;
  }
  return "";
}

void check_series(Draft& draft, const CollectionSettings& collection) {
  if (collection.new_file == Interval{} || !usable(draft, key_of(collection, "file"))) return;
  if (!usable(draft, key_of(collection, "new-file"))) return;
  const Where where = where_of(draft, collection, "new-file");
  if (!has_date_part(collection.file)) {
    draft.faults.add(where, fmt::format("new-file: the files would overwrite each other: '{}' has no part of the date "
                                        "such as %Y%m%d",
                                        collection.file));
    return;
  }
  for (const char* key : {"calendar", "reference-date"})
    if (!usable(draft, key)) return;
  if (!exists(draft.settings.calendar, draft.settings.reference_date)) return;
  if (const std::string name = repeated_name(draft.settings, collection); !name.empty())
    draft.faults.add(where, fmt::format("new-file: the files would overwrite each other: with '{}' two successive "
                                        "ones are called '{}'",
                                        collection.file, name));
}

void note_what_is_said(Draft& draft) {
  for (auto& [name, collection] : draft.settings.collections)
    collection.append_is_said = draft.where.contains(key_of(collection, "append"));
}

bool is_cdf(Format format) {
  return format == Format::cdf1 || format == Format::cdf2 || format == Format::cdf5;
}

// What is asked for chunks that the format has not, of a collection or of a variable (prefix: its full key and a dot).
class ChunkChecks {
 public:
  ChunkChecks(Draft& draft, const CollectionSettings& collection) : draft_(draft), collection_(collection) {}

  void check(const CompressionSettings& of, const ChunkSettings& chunks, const std::string& prefix) const {
    const std::string key = prefix + "compression.";
    if (!has_chunks(collection_.format)) return check_without_chunks(of, chunks, prefix);
    if (collection_.format == Format::zarr && of.codec == Codec::deflate)
      refuse(key + "codec", "Zarr has no deflate; set codec: zstd");
    if (collection_.format == Format::zarr && of.shuffle == true && codec_of(of) == Codec::none)
      refuse(key + "shuffle", "Zarr shuffles only what it compresses; set codec: zstd, or leave it out");
    if (of.keep_digits && of.keep_bits) refuse(key + "keep-bits", "either keep-digits or keep-bits, not both");
    check_level(of, key);
  }

  void refuse(const std::string& full_key, const std::string& why) const {
    if (const auto set = draft_.where.find(full_key); set != draft_.where.end() && usable(draft_, full_key))
      draft_.faults.add(set->second, fmt::format("{}: {}", full_key.substr(full_key.rfind('.') + 1), why));
  }

 private:
  void check_without_chunks(const CompressionSettings& of, const ChunkSettings& chunks,
                            const std::string& prefix) const {
    const std::string files = collection_.format == Format::fortran ? "Fortran files"
                              : collection_.format == Format::user  ? "the blocks of a procedure"
                                                                    : "CDF files";
    const std::string key = prefix + "compression.";
    constexpr const char* advice = "set format: netcdf4 or zarr";
    if (of.codec.value_or(Codec::none) != Codec::none)
      refuse(key + "codec", fmt::format("{} have no compression; {}", files, advice));
    for (const char* rounding : {"keep-digits", "keep-bits"})
      refuse(key + rounding,
             fmt::format("values are rounded for compression, which {} do not have; {}", files, advice));
    if (of.shuffle == true) refuse(key + "shuffle", fmt::format("{} have no chunks; {}", files, advice));
    if (of.checksum == true) refuse(key + "checksum", fmt::format("{} have no chunks; {}", files, advice));
    if (!chunks.empty()) refuse(prefix + "chunks", fmt::format("{} have no chunks; {}", files, advice));
  }

  Codec codec_of(const CompressionSettings& of) const {
    return of.codec.value_or(collection_.compression.codec.value_or(Codec::none));
  }

  // A variable without a level of its own has the collection's, whose codec may be another.
  void check_level(const CompressionSettings& of, const std::string& key) const {
    constexpr std::int64_t most = 9;  // of deflate
    if (codec_of(of) != Codec::deflate) return;
    if (of.level.value_or(1) > most)
      refuse(key + "level", fmt::format("deflate has levels 1 to {}, this is {}", most, *of.level));
    else if (!of.level && collection_.compression.level.value_or(1) > most)
      refuse(key + "codec", fmt::format("deflate has levels 1 to {}, the collection's is {}; set a level here", most,
                                        *collection_.compression.level));
  }

  Draft& draft_;
  const CollectionSettings& collection_;
};

// What it asks for that netCDF-C does not do itself. What a CDF format refuses has been said.
void check_library_has(const ChunkChecks& checks, const CollectionSettings& collection, const CompressionSettings& of,
                       const std::string& prefix) {
  if (collection.engine != Engine::library || is_cdf(collection.format)) return;
  if (of.codec == Codec::zstd)
    checks.refuse(prefix + "compression.codec",
                  "with engine: library netCDF-C compresses, whose builds may lack zstd without saying so; set codec: "
                  "deflate, or engine: direct");
  for (const char* key : {"keep-digits", "keep-bits"})
    checks.refuse(prefix + "compression." + key,
                  "values are rounded by Thalweg's writer, which engine: library does without; set engine: direct");
}

void check_chunks(Draft& draft, const CollectionSettings& collection) {
  const ChunkChecks checks(draft, collection);
  checks.check(collection.compression, collection.chunks, key_of(collection, ""));
  check_library_has(checks, collection, collection.compression, key_of(collection, ""));
  for (const auto& [name, variable] : collection.variables) {
    const std::string prefix = key_of(collection, "variables." + name + ".");
    checks.check(variable.compression, variable.chunks, prefix);
    check_library_has(checks, collection, variable.compression, prefix);
  }
  if (collection.sharding && collection.format != Format::zarr)
    checks.refuse(key_of(collection, "sharding"), "only Zarr has shards; set format: zarr");
}

// What only has a meaning for files that Thalweg makes.
void check_user_format(Draft& draft, const CollectionSettings& collection) {
  if (collection.format != Format::user) return;
  for (const char* key : {"append", "keep-unfinished", "durability", "header-reserve", "record-checksums"})
    if (const auto set = draft.where.find(key_of(collection, key)); set != draft.where.end())
      draft.faults.add(set->second,
                       fmt::format("{}: with format 'user' the files are made by the model's procedure, and this does "
                                   "nothing; leave it out",
                                   key));
}

// What the attribute `checksum`, as FMS has it, cannot be had for. (docs/formats/checksums.md)
const char* why_no_attributes(const CollectionSettings& collection) {
  if (collection.format == Format::fortran) return "Fortran files have no attributes; set format: netcdf4 or cdf5";
  if (collection.format == Format::user)
    return "with format 'user' the files are made by the model's procedure; set format: netcdf4 or cdf5";
  if (collection.engine == Engine::library)
    return "with engine: library the header is complete before the values are known; set engine: direct";
  if (collection.pattern == Pattern::per_domain || collection.pattern == Pattern::per_rank)
    return "in a set of files FMS's checksum is that of the whole field, which no part of the set knows; set pattern: "
           "shared";
  return nullptr;
}

void check_checksum_attributes(Draft& draft, const CollectionSettings& collection) {
  for (const char* key : {"format", "engine", "pattern", "checksum-attributes"})
    if (!usable(draft, key_of(collection, key))) return;
  if (const char* why = collection.checksum_attributes ? why_no_attributes(collection) : nullptr)
    draft.faults.add(where_of(draft, collection, "checksum-attributes"), fmt::format("checksum-attributes: {}", why));
}

// The name of a format that no library of engine library writes; null: one does.
const char* name_without_library(Format format) {
  if (format == Format::zarr) return "zarr";
  if (format == Format::fortran) return "fortran";
  if (format == Format::user) return "user";
  return nullptr;
}

// What the libraries of engine library cannot do.
void check_library(Draft& draft, const CollectionSettings& collection) {
  for (const char* key : {"format", "engine", "library-calls"})
    if (!usable(draft, key_of(collection, key))) return;
  if (collection.engine != Engine::library || is_cdf(collection.format)) return;
  if (const char* name = name_without_library(collection.format))
    draft.faults.add(where_of(draft, collection, "engine"),
                     fmt::format("engine: library writes by PnetCDF and netCDF-4, which have no format {}; set engine: "
                                 "direct, or format: netcdf4 or cdf5",
                                 name));
  else if (collection.library_calls == LibraryCalls::nonblocking)  // PnetCDF has calls that only announce
    draft.faults.add(where_of(draft, collection, "library-calls"),
                     "library-calls: nonblocking calls exist in PnetCDF only; set format: cdf5 (or cdf1, cdf2), or "
                     "library-calls: collective");
}

// Why there are no sets of files, and what to do; null if there are.
const char* why_no_set(const CollectionSettings& collection) {
  switch (collection.format) {
    case Format::zarr:
      return "a Zarr store is a folder of separate objects already, which any number of writers fill side by side; set "
             "pattern: shared";
    case Format::fortran:
      return "a Fortran file cannot say which part of the whole it holds; set format: netcdf4 or cdf5, or pattern: "
             "shared";
    case Format::user:
      return "with format 'user' it is the model's procedure that makes files, and it gets the blocks of each I/O "
             "domain one by one as it is; set pattern: shared";
    default: break;
  }
  if (collection.engine == Engine::library)
    return "with engine: library all ranks write one file together; set engine: direct, or pattern: shared";
  return nullptr;
}

// What a set of files cannot have.
void check_sets(Draft& draft, const CollectionSettings& collection) {
  if (collection.pattern != Pattern::per_domain && collection.pattern != Pattern::per_rank) return;
  if (!usable(draft, key_of(collection, "pattern"))) return;
  const bool per_rank = collection.pattern == Pattern::per_rank;
  const auto refuse = [&](const std::string& key, const std::string& why) {
    draft.faults.add(where_of(draft, collection, key), fmt::format("{}: {}", key, why));
  };
  const bool is_known = usable(draft, key_of(collection, "format")) && usable(draft, key_of(collection, "engine"));
  if (const char* why = is_known ? why_no_set(collection) : nullptr)
    refuse("pattern", fmt::format("'{}' makes a set of files, but {}", per_rank ? "per-rank" : "per-domain", why));
  if (per_rank && !collection.layout.empty())
    refuse("layout",
           "with pattern 'per-rank' every rank is a domain of its own; leave it out, or set pattern: "
           "per-domain");
}

// One writer cannot be several.
void check_division(Draft& draft, const CollectionSettings& collection) {
  if (collection.servers == 1 || collection.pattern != Pattern::single) return;
  if (!usable(draft, key_of(collection, "servers")) || !usable(draft, key_of(collection, "pattern"))) return;
  draft.faults.add(where_of(draft, collection, "servers"),
                   "servers: pattern 'single' has one writer; set pattern: shared, or leave servers out");
}

// The first key below "writers.<place>." that is set; null: none is.
const std::string* key_for_place(const Draft& draft, const std::string& place) {
  const std::string prefix = "writers." + place + ".";
  const auto found = draft.where.lower_bound(prefix);
  return found != draft.where.end() && found->first.starts_with(prefix) ? &found->first : nullptr;
}

// The numbers of servers say by themselves where they are. A word from the environment prevails over numbers in the
// file.
void settle_place(Draft& draft) {
  const std::string* ranks = key_for_place(draft, "ranks");
  const std::string* nodes = key_for_place(draft, "nodes");
  if (ranks != nullptr && nodes != nullptr) {
    draft.faults.add(draft.where.at(*nodes),
                     "writers: servers are either 'ranks' on the model's nodes or 'nodes' of their own; leave one out");
    return;
  }
  const std::string* numbers = ranks != nullptr ? ranks : nodes;
  if (numbers == nullptr) return;
  const Writers place = ranks != nullptr ? Writers::ranks : Writers::nodes;
  const auto word = draft.where.find("writers.place");
  if (word == draft.where.end()) {
    draft.settings.writers = place;
    draft.where["writers.place"] = draft.where.at(*numbers);
  } else if (draft.settings.writers != place && word->second.place.line > 0) {
    draft.faults.add(word->second, fmt::format("place: there are numbers of '{}' as well; leave one of the two out",
                                               ranks != nullptr ? "ranks" : "nodes"));
  }
}

// Sizes of groups, where they are listed, are those of all servers.
void check_groups(Draft& draft, const std::string& key, const Groups& groups, std::int64_t count, bool count_is_known) {
  if (groups.empty() || !count_is_known || !usable(draft, key)) return;
  std::int64_t sum = 0;
  for (const std::int64_t size : groups) sum += size;
  if (groups.size() == 1 && groups[0] > count)
    draft.faults.add(draft.where.at(key), fmt::format("groups: {} groups need at least {} servers, count is {}",
                                                      groups[0], groups[0], count));
  if (groups.size() > 1 && sum != count)
    draft.faults.add(draft.where.at(key),
                     fmt::format("groups: [{}] are {} together, count is {}", fmt::join(groups, ", "), sum, count));
}

void check_servers(Draft& draft) {
  const Settings& settings = draft.settings;
  settle_place(draft);
  if (settings.writers == Writers::ranks)
    check_groups(draft, "writers.ranks.groups", settings.server_ranks.groups, settings.server_ranks.count,
                 settings.server_ranks.count > 0);
  if (settings.writers == Writers::nodes)
    check_groups(draft, "writers.nodes.groups", settings.server_nodes.groups, settings.server_nodes.count, true);
  if (settings.clients > 0 && !has_servers(settings.writers))
    draft.faults.add(draft.where.at("writers.clients"),
                     "clients: without servers every rank is a client; leave it out, or set ranks or nodes");
  if (!has_servers(settings.writers)) return;
  for (const auto& [name, collection] : settings.collections)
    if (collection.engine == Engine::library)
      draft.faults.add(where_of(draft, collection, "engine"),
                       "engine: library writes by the ranks of the model themselves; set engine: direct, or writers: "
                       "thread");
}

// The name of a collection's file, where nobody says one, tells the format.
void set_default_files(Draft& draft) {
  for (auto& [name, collection] : draft.settings.collections) {
    if (draft.where.find(key_of(collection, "file")) != draft.where.end()) continue;
    const std::size_t ending = collection.file.size() - 3;
    if (collection.format == Format::zarr) collection.file.replace(ending, 3, ".zarr");
    if (collection.format == Format::user) collection.file.erase(ending);
  }
}

// Whoever writes before `advance` returns has no blocks left for later.
void check_sync(Draft& draft) {
  const Settings& settings = draft.settings;
  if (settings.writers != Writers::sync || !usable(draft, "writers.place")) return;
  const auto refuse = [&](const std::string& key, const std::string& what, const std::string& instead) {
    if (!usable(draft, key)) return;
    draft.faults.add(draft.where.at(key),
                     fmt::format("{}: {}, but with 'writers: sync' the ranks write them before `advance` returns; set "
                                 "writers: thread, or {}: {}",
                                 key, what, key, instead));
  };
  if (settings.drain == Drain::on_flush) refuse("drain", "'on-flush' keeps blocks in memory", "eager");
  if (settings.when_full == WhenFull::spill) refuse("when-full", "'spill' moves blocks out of the memory", "wait");
}

}  // namespace

void check_together(Draft& draft) {
  note_what_is_said(draft);
  set_default_files(draft);
  check_servers(draft);
  check_sync(draft);
  check_reference_date(draft);
  for (const auto& [name, collection] : draft.settings.collections) {
    check_series(draft, collection);
    check_library(draft, collection);
    check_chunks(draft, collection);
    check_user_format(draft, collection);
    check_sets(draft, collection);
    check_checksum_attributes(draft, collection);
    check_division(draft, collection);
  }
  check_files_differ(draft);
}

}  // namespace thalweg::config
