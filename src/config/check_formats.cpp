// What a collection asks for and its format has not. What each format has, and why not, its row of the registry says.
#include <fmt/ranges.h>

#include <algorithm>

#include "config/draft.hpp"

namespace thalweg::config {
namespace {

// The words for all formats that have something: "Zarr", "PnetCDF and netCDF-4".
template <typename WordOf>
std::string words_of_formats(const WordOf& word_of) {
  std::vector<std::string_view> words;
  for (const Format format : formats())
    if (const std::string_view word = word_of(*format); !word.empty() && std::ranges::find(words, word) == words.end())
      words.push_back(word);
  return fmt::format("{}", fmt::join(words, " and "));
}

template <typename Wanted>
std::string_view first_codec(const Wanted& is_wanted) {
  for (const Codec codec : codecs())
    if (is_wanted(*codec)) return codec->name;
  return "none";
}

// What is asked for chunks that the format has not, of a collection or of a variable (prefix: its full key and a dot).
class ChunkChecks {
 public:
  ChunkChecks(Draft& draft, const CollectionSettings& collection)
      : draft_(draft), collection_(collection), format_(*collection.format) {}

  void check(const CompressionSettings& of, const ChunkSettings& chunks, const std::string& prefix) const {
    const std::string key = prefix + "compression.";
    if (!format_.traits.chunked()) return check_without_chunks(of, chunks, prefix);
    const auto is_had = [this](const FilterDescription& codec) { return codec.is_in(format_.traits.chunks.filters); };
    if (of.codec && *of.codec && !is_had(**of.codec))
      refuse(key + "codec",
             fmt::format("{} has no {}; set codec: {}", format_.files, (*of.codec)->name, first_codec(is_had)));
    if (of.shuffle == true && !codec_of(of) && !format_.traits.chunks.shuffles_alone)
      refuse(key + "shuffle", fmt::format("{} shuffles only what it compresses; set codec: {}, or leave it out",
                                          format_.files, first_codec(is_had)));
    if (of.keep_digits && of.keep_bits) refuse(key + "keep-bits", "either keep-digits or keep-bits, not both");
    check_level(of, key);
    if (collection_.engine == Engine::library) check_library_has(of, key);
  }

  void refuse(const std::string& full_key, const std::string& why) const {
    if (const auto set = draft_.where.find(full_key); set != draft_.where.end() && usable(draft_, full_key))
      draft_.faults.add(set->second, fmt::format("{}: {}", full_key.substr(full_key.rfind('.') + 1), why));
  }

 private:
  void check_without_chunks(const CompressionSettings& of, const ChunkSettings& chunks,
                            const std::string& prefix) const {
    const std::string_view files = format_.files;
    const std::string key = prefix + "compression.";
    constexpr const char* advice = "set format: netcdf4 or zarr";
    if (of.codec.value_or(Codec())) refuse(key + "codec", fmt::format("{} have no compression; {}", files, advice));
    for (const char* rounding : {"keep-digits", "keep-bits"})
      refuse(key + rounding,
             fmt::format("values are rounded for compression, which {} do not have; {}", files, advice));
    if (of.shuffle == true) refuse(key + "shuffle", fmt::format("{} have no chunks; {}", files, advice));
    if (of.checksum == true) refuse(key + "checksum", fmt::format("{} have no chunks; {}", files, advice));
    if (!chunks.empty()) refuse(prefix + "chunks", fmt::format("{} have no chunks; {}", files, advice));
  }

  Codec codec_of(const CompressionSettings& of) const {
    return of.codec.value_or(collection_.compression.codec.value_or(Codec()));
  }

  // What the grammar lets through is a level of some codec. A variable without a level of its own has the collection's,
  // whose codec may be another.
  void check_level(const CompressionSettings& of, const std::string& key) const {
    const Codec codec = codec_of(of);
    if (!codec) return;
    const Levels& levels = codec->levels;
    const auto is_had = [&](std::int64_t level) { return level >= levels.least && level <= levels.most; };
    const std::string has = fmt::format("{} has levels {} to {}", codec->name, levels.least, levels.most);
    if (of.level) {
      if (!is_had(*of.level)) refuse(key + "level", fmt::format("{}, this is {}", has, *of.level));
    } else if (const auto& all = collection_.compression.level; all && !of.level.is_usual && !is_had(*all)) {
      refuse(key + "codec", fmt::format("{}, the collection's is {}; set a level here", has, *all));
    }
  }

  // What a library that compresses does not do itself.
  void check_library_has(const CompressionSettings& of, const std::string& key) const {
    if (format_.library == nullptr || !format_.library->compresses) return;
    if (of.codec && *of.codec && !(*of.codec)->is_in_hdf5)
      refuse(
          key + "codec",
          fmt::format("with engine: library netCDF-C compresses, whose builds may lack {} without saying so; set "
                      "codec: {}, or engine: direct",
                      (*of.codec)->name, first_codec([](const FilterDescription& codec) { return codec.is_in_hdf5; })));
    for (const char* rounding : {"keep-digits", "keep-bits"})
      refuse(key + rounding,
             "values are rounded by Thalweg's writer, which engine: library does without; set engine: direct");
  }

  Draft& draft_;
  const CollectionSettings& collection_;
  const FormatDescription& format_;
};

void check_chunks(Draft& draft, const CollectionSettings& collection) {
  const ChunkChecks checks(draft, collection);
  checks.check(collection.compression, collection.chunks, key_of(collection, ""));
  for (const auto& [name, variable] : collection.variables)
    checks.check(variable.compression, variable.chunks, key_of(collection, "variables." + name + "."));
  const auto with_shards = [](const FormatDescription& format) { return format.traits.shards ? format.files : ""; };
  const auto named = [](const FormatDescription& format) { return format.traits.shards ? format.name : ""; };
  if (collection.sharding && !collection.format->traits.shards)
    checks.refuse(key_of(collection, "sharding"), fmt::format("only {} has shards; set format: {}",
                                                              words_of_formats(with_shards), words_of_formats(named)));
}

void check_keys(Draft& draft, const CollectionSettings& collection) {
  for (const RefusedKey& refused : collection.format->refused_keys)
    if (const auto set = draft.where.find(key_of(collection, std::string(refused.key))); set != draft.where.end())
      draft.faults.add(set->second, fmt::format("{}: {}", refused.key, refused.why));
}

// What the attribute `checksum`, as FMS has it, cannot be had for; "" if it can. (docs/formats/checksums.md)
std::string_view why_no_attributes(const CollectionSettings& collection) {
  if (!collection.format->no_checksum_attributes.empty()) return collection.format->no_checksum_attributes;
  if (collection.engine == Engine::library)
    return "with engine: library the header is complete before the values are known; set engine: direct";
  if (is_set(collection))
    return "in a set of files FMS's checksum is that of the whole field, which no part of the set knows; set pattern: "
           "shared";
  return "";
}

void check_checksum_attributes(Draft& draft, const CollectionSettings& collection) {
  for (const char* key : {"format", "engine", "pattern", "checksum-attributes"})
    if (!usable(draft, key_of(collection, key))) return;
  if (const std::string_view why = why_no_attributes(collection); collection.checksum_attributes && !why.empty())
    draft.faults.add(where_of(draft, collection, "checksum-attributes"), fmt::format("checksum-attributes: {}", why));
}

void check_continuing(Draft& draft, const CollectionSettings& collection) {
  for (const char* key : {"format", "append"})
    if (!usable(draft, key_of(collection, key))) return;
  if (const std::string_view why = collection.format->no_continuing; collection.append == Append::go_on && !why.empty())
    draft.faults.add(where_of(draft, collection, "append"), fmt::format("append: 'continue': {}", why));
}

// Programs choose a reader by the ending of a name.
void note_ending(Draft& draft, const CollectionSettings& collection) {
  const FormatDescription& own = *collection.format;
  if (!own.traits.makes_files() || !usable(draft, key_of(collection, "file"))) return;
  for (const Format other : formats()) {
    if (other->ending.empty() || other->ending == own.ending || !collection.file.ends_with(other->ending)) continue;
    const Where where = where_of(draft, collection, "file");
    draft.settings.notes.push_back(fmt::format(
        "{}: file: '{}' will have format {}, whose usual ending is '{}'; programs may take it for another one",
        where.label, collection.file, own.name, own.ending));
    return;
  }
}

// What the libraries of engine library cannot do.
void check_library(Draft& draft, const CollectionSettings& collection) {
  for (const char* key : {"format", "engine", "library-calls"})
    if (!usable(draft, key_of(collection, key))) return;
  if (collection.engine != Engine::library) return;
  const auto name_of_library = [](const FormatDescription& format) {
    return format.library == nullptr ? std::string_view() : format.library->name;
  };
  if (collection.format->library == nullptr)
    draft.faults.add(where_of(draft, collection, "engine"),
                     fmt::format("engine: library writes by {}, which have no format {}; set engine: direct, or "
                                 "format: netcdf4 or cdf5",
                                 words_of_formats(name_of_library), collection.format->name));
  else if (const std::string_view why = collection.format->library->not_announced;
           collection.library_calls == LibraryCalls::nonblocking && !why.empty())
    draft.faults.add(where_of(draft, collection, "library-calls"), fmt::format("library-calls: {}", why));
}

// Why there are no sets of files, and what to do; "" if there are.
std::string_view why_no_set(const CollectionSettings& collection) {
  if (!collection.format->no_sets.empty()) return collection.format->no_sets;
  if (collection.engine == Engine::library)
    return "with engine: library all ranks write one file together; set engine: direct, or pattern: shared";
  return "";
}

// What a set of files cannot have.
void check_sets(Draft& draft, const CollectionSettings& collection) {
  if (!is_set(collection) || !usable(draft, key_of(collection, "pattern"))) return;
  const bool per_rank = collection.pattern == Pattern::per_rank;
  const auto refuse = [&](const std::string& key, const std::string& why) {
    draft.faults.add(where_of(draft, collection, key), fmt::format("{}: {}", key, why));
  };
  const bool is_known = usable(draft, key_of(collection, "format")) && usable(draft, key_of(collection, "engine"));
  if (const std::string_view why = is_known ? why_no_set(collection) : ""; !why.empty())
    refuse("pattern", fmt::format("'{}' makes a set of files, but {}", per_rank ? "per-rank" : "per-domain", why));
  if (per_rank && !collection.layout.empty())
    refuse("layout",
           "with pattern 'per-rank' every rank is a domain of its own; leave it out, or set pattern: "
           "per-domain");
}

}  // namespace

void check_format(Draft& draft, const CollectionSettings& collection) {
  check_library(draft, collection);
  check_chunks(draft, collection);
  check_keys(draft, collection);
  check_sets(draft, collection);
  check_checksum_attributes(draft, collection);
  check_continuing(draft, collection);
  note_ending(draft, collection);
}

// The name of a collection's file, where nobody says one, tells the format.
void set_default_file(const Draft& draft, CollectionSettings& collection) {
  if (draft.where.contains(key_of(collection, "file"))) return;
  constexpr std::string_view usual = ".nc";
  collection.file = default_file(collection.name);
  collection.file.replace(collection.file.size() - usual.size(), usual.size(), collection.format->ending);
}

}  // namespace thalweg::config
