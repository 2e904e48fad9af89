// thalweg-facts: answers the tools what the core knows of formats, of names, and of what lies in files, so that nothing
// is known twice. A line of JSON asks, a line of JSON answers, until the questions end.
#include <fmt/format.h>

#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.hpp"
#include "command.hpp"
#include "config/grammar.hpp"
#include "formats/registry.hpp"
#include "formats/replacing.hpp"
#include "storage/journal.hpp"
#include "storage/name_lock.hpp"
#include "storage/part_name.hpp"

using namespace thalweg;
using nlohmann::json;

namespace {

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

std::string from_hex(const std::string& digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return bytes;
}

json codecs_of(const config::FormatDescription& format) {
  json names = json::array();
  for (const config::Codec codec : config::codecs())
    if (codec->is_in(format.traits.chunks.filters)) names.push_back(codec->name);
  return names;
}

json formats_known(const std::string& /*subject*/) {
  json all = json::array();
  for (const formats::FormatRow* row : formats::format_rows()) {
    const config::FormatDescription& of = row->description;
    if (of.traits.is_placed()) continue;  // no configuration names it
    all.push_back({{"name", of.name},
                   {"magic", hex(of.magic)},
                   {"root", of.root},
                   {"ending", of.ending},
                   {"codecs", codecs_of(of)},
                   {"describes", of.traits.describes && of.traits.makes_files()},
                   {"is_classic", row->limits.is_classic},
                   {"has_length", row->length != nullptr},
                   {"has_virtual", row->create_virtual != nullptr}});
  }
  return all;
}

json keys_known(const std::string& /*subject*/) {
  json all = json::array();
  for (const config::ReferenceRow& row : config::reference())
    all.push_back({{"key", row.key}, {"values", row.values}, {"default", row.fallback}, {"meaning", row.meaning}});
  return all;
}

json part_named(const std::string& name) {
  const auto part = storage::parse_part_name(name);
  return part ? json{{"set_bytes", part->set.size()}, {"number", part->number}} : json();
}

json length_of(const std::string& path) {
  const formats::FormatRow* row = formats::row_at(path);
  if (row == nullptr || row->length == nullptr)
    fail(THALWEG_ERROR_FORMAT, "'{}' is of no format whose header says how long a file is", path);
  const formats::FileLength length = row->length(path);
  return {{"bytes", length.bytes},
          {"records", length.records},
          {"record_begin", length.record_begin},
          {"record_bytes", length.record_bytes}};
}

json journal_of(const std::string& path) {
  const auto found = storage::find_journal(path, storage::JournaledFile::lengthened_before);
  if (!found) return {};
  json writes = json::array();
  for (const block::MetadataWrite& write : found->transaction.writes)
    writes.push_back({write.offset, hex({reinterpret_cast<const char*>(write.bytes.data()), write.bytes.size()})});
  return {{"sequence", found->sequence},
          {"records", found->transaction.records},
          {"file_bytes", found->transaction.file_bytes},
          {"writes", std::move(writes)}};
}

json owner_of(const std::string& path) {
  return storage::living_owner(path);
}

json require_replaceable(const std::string& folder) {
  formats::require_replaceable(folder);
  return {};
}

// The subject comes as hexadecimal digits: a name need not be UTF-8.
json answer_to(const json& question) {
  static const std::map<std::string, json (*)(const std::string&)> known = {{"formats", formats_known},
                                                                            {"keys", keys_known},
                                                                            {"part", part_named},
                                                                            {"length", length_of},
                                                                            {"journal", journal_of},
                                                                            {"owner", owner_of},
                                                                            {"replaceable", require_replaceable}};
  const std::string what = question.at("what");
  const auto asked = known.find(what);
  if (asked == known.end()) fail(THALWEG_ERROR_ARGUMENT, "nothing is known of '{}'", what);
  return asked->second(from_hex(question.at("subject")));
}

json said_of(const std::string& line) {
  try {
    return {{"answer", answer_to(json::parse(line))}};
  } catch (const std::exception& error) {
    return {{"error", error.what()}};
  }
}

}  // namespace

int main(int argc, char** argv) {
  Command command("thalweg-facts",
                  "Answers the tools of this version what the library knows: a line of JSON on the input asks, "
                  "{\"what\": ..., \"subject\": hexadecimal digits of a name}, a line answers.",
                  "what: formats, keys (of the configuration), part (of a set, by its name), length (by its header), "
                  "journal (of a file that grows), "
                  "owner (who writes the name now), replaceable (a folder).");
  if (const auto code = command.read(argc, argv)) return *code;
  for (std::string line; std::getline(std::cin, line);)
    std::cout << said_of(line).dump(-1, ' ', false, json::error_handler_t::replace) << '\n' << std::flush;
  return 0;
}
