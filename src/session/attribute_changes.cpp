#include "session/attribute_changes.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "formats/late_attributes.hpp"
#include "formats/registry.hpp"
#include "sets/virtual_master.hpp"

namespace thalweg::session {
namespace {

std::string owner_text(const std::string& variable) {
  return variable.empty() ? "the file" : fmt::format("variable '{}'", variable);
}

void require_between_files(const Collection& collection, const std::string& name) {
  if (!collection.is_ready())
    fail(THALWEG_ERROR_STATE,
         "collection '{}': attribute '{}' cannot change before definitions have ended; define it with "
         "thalweg_define_text or thalweg_define_attribute, or call thalweg_ready before",
         collection.name, name);
  if (collection.schedule.upcoming().opens_file && collection.has_begun_record())
    fail(THALWEG_ERROR_STATE,
         "collection '{}': attribute '{}' changes for a file that has fields of its first record already; change it "
         "before the first put behind the call that closed the last one",
         collection.name, name);
}

// Where data lie in a CDF file is settled for all files of the collection, so a header must end before them.
std::int64_t header_growth(const Collection& collection, const std::string& variable,
                           const catalog::Attribute& attribute, const std::string& owner) {
  const catalog::Definition& definition = collection.declaration.definition();
  const catalog::Attribute* before = collection.declaration.attributes().find(variable, attribute.name);
  const std::int64_t growth = formats::header_bytes(definition.format, attribute) -
                              (before == nullptr ? 0 : formats::header_bytes(definition.format, *before));
  if (growth > definition.header_reserve)
    fail(THALWEG_ERROR_FORMAT,
         "collection '{}': attribute '{}' of {} makes the header {} bytes longer, but {} are left for that; give "
         "header-reserve at least {} more bytes, or set format: netcdf4",
         collection.name, attribute.name, owner, growth, definition.header_reserve, growth - definition.header_reserve);
  return growth;
}

bool is_of_packing(const std::string& attribute) {
  return attribute == "scale_factor" || attribute == "add_offset";
}

// Values of the open file and of the next one would have to be packed differently, and fixed ones be packed anew.
void leave_packing_to_model(Collection& collection, const std::string& variable) {
  const int number = collection.puts.find(variable);
  if (number >= 0) collection.puts.variables[static_cast<std::size_t>(number)].of.packing.reset();
}

std::int64_t required_open_file(const Collection& collection, const std::string& name) {
  const Collection& next = collection.upcoming_share();
  const std::optional<std::int64_t> file =
      collection.is_ready() ? collection.open_share().schedule.open_file() : std::nullopt;
  if (file && !(next.schedule.upcoming().opens_file && next.has_begun_record())) return *file;
  fail(THALWEG_ERROR_STATE,
       "collection '{}': attribute '{}' is for the file that is open, and none is that has a record; add it behind a "
       "record and before the first put for the next file, or give it to the coming file ({})",
       collection.name, name,
       collection.is_ready() ? "thalweg_change_text, thalweg_change_attribute"
                             : "thalweg_define_text, thalweg_define_attribute");
}

// What the configuration says of files is nothing that a model can know in its last call. Empty: they take it.
std::string reason_against_late(const Collection& collection) {
  if (collection.by_mpiio()) return "with 'engine: library' a file has its attributes from its beginning";
  if (collection.declaration.settings().ends_with_record())
    return "a file of one record ends with that (give it before the record's first put: thalweg_change_text, "
           "thalweg_change_attribute)";
  const bool is_set = collection.file_plan.files_in_set > 0;
  if (is_set && sets::has_virtual_master(collection.declaration.definition().format))
    return "its files are sets whose master has its attributes from its beginning";
  return "";
}

std::optional<catalog::GivenAttribute> added(Collection& collection, const std::string& variable,
                                             const catalog::Attribute& attribute) {
  if (collection.is_ready())
    if (const std::string reason = reason_against_late(collection); !reason.empty())
      fail(THALWEG_ERROR_FORMAT, "collection '{}': attribute '{}' comes too late: {}", collection.name, attribute.name,
           reason);
  const std::int64_t file = required_open_file(collection, attribute.name);
  catalog::Declaration& declaration = collection.open_share().declaration;
  if (declaration.variables().is_disabled(variable)) return std::nullopt;
  const std::string of = owner_text(variable);
  formats::check_late_name(attribute.name, of);
  formats::check_attribute(declaration.definition(), attribute, of);
  declaration.attributes().add(file, variable, attribute,
                               formats::header_bytes(declaration.definition().format, attribute));
  const int owner = variable.empty() ? catalog::GivenAttribute::of_file : declaration.variables().find(variable);
  return catalog::GivenAttribute{owner, attribute};
}

}  // namespace

void change_attribute(Collection& collection, const std::string& variable, const catalog::Attribute& attribute) {
  require_between_files(collection.upcoming_share(), attribute.name);
  catalog::Declaration& declaration = collection.declaration;
  if (declaration.variables().is_disabled(variable)) return;
  const std::string owner = owner_text(variable);
  formats::check_attribute(declaration.definition(), attribute, owner);
  const std::int64_t growth = header_growth(collection, variable, attribute, owner);
  for (Collection* share : collection.shares) {
    share->declaration.attributes().change(variable, attribute, growth);
    if (is_of_packing(attribute.name)) leave_packing_to_model(*share, variable);
  }
}

std::optional<catalog::GivenAttribute> add_attribute(Collection& collection, const std::string& variable,
                                                     const catalog::Attribute& attribute, bool speaks) {
  try {
    return added(collection, variable, attribute);
  } catch (const Error& error) {
    if (error.code() != THALWEG_ERROR_FORMAT) throw;
    if (speaks) log::warning("{}; it is left out", error.what());
    return std::nullopt;
  }
}

}  // namespace thalweg::session
