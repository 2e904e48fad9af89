#include "api/facts.hpp"

#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "api/funnel.hpp"
#include "formats/registry.hpp"
#include "formats/replacing.hpp"
#include "storage/journal.hpp"
#include "storage/part_name.hpp"

using namespace thalweg;
using nlohmann::json;

namespace {

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

json formats_known(const std::string& /*subject*/) {
  json all = json::array();
  for (const formats::FormatRow* row : formats::format_rows()) {
    const config::FormatDescription& of = row->description;
    all.push_back({{"name", of.name},
                   {"magic", hex(of.magic)},
                   {"root", of.root},
                   {"ending", of.ending},
                   {"describes", of.traits.describes && of.traits.makes_files()},
                   {"is_classic", row->limits.is_classic},
                   {"has_length", row->length != nullptr},
                   {"has_virtual", row->create_virtual != nullptr}});
  }
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

json require_replaceable(const std::string& folder) {
  formats::require_replaceable(folder);
  return {};
}

}  // namespace

int thalweg_private_ask(const char* what, const char* subject, char** answer) {
  return api::funnel([&] {
    static const std::map<std::string, json (*)(const std::string&)> known = {{"formats", formats_known},
                                                                              {"part", part_named},
                                                                              {"length", length_of},
                                                                              {"journal", journal_of},
                                                                              {"replaceable", require_replaceable}};
    const auto asked = known.find(api::required_text(what, "what"));
    if (asked == known.end()) fail(THALWEG_ERROR_ARGUMENT, "nothing is known of '{}'", what);
    const json said = asked->second(api::text_or_empty(subject));
    // A name need not be UTF-8.
    *answer = ::strdup(said.dump(-1, ' ', false, json::error_handler_t::replace).c_str());
    if (*answer == nullptr) fail(THALWEG_ERROR_MEMORY, "no memory for the answer on '{}'", what);
  });
}
