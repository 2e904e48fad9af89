// Session: attributes that change from file to file. Each rank changes its own declaration; which file is the first
// with the change follows from the order of calls alone, so nobody is asked. That all ranks changed the same is seen at
// the end.
#include "base/error.hpp"
#include "client/session.hpp"
#include "store/cdf_header.hpp"
#include "transport/agreement.hpp"

namespace thalweg::client {
namespace {

void require_between_files(const Collection& collection, const std::string& name) {
  if (!collection.is_ready)
    fail(THALWEG_ERROR_STATE,
         "collection '{}': attribute '{}' cannot change before definitions have ended; define it with "
         "thalweg_define_text or thalweg_define_attribute, or call thalweg_ready before",
         collection.name, name);
  if (collection.schedule.upcoming().opens_file && collection.has_begun_record())
    fail(THALWEG_ERROR_STATE,
         "collection '{}': attribute '{}' changes for a file that has fields of its first record already; change it "
         "before the first put behind an advance",
         collection.name, name);
}

// Where data lie in a CDF file is settled for all files of the collection, so a header must end before them.
std::int64_t header_growth(const Collection& collection, const std::string& variable,
                           const catalog::Attribute& attribute, const std::string& owner) {
  const catalog::Definition& definition = collection.declaration.definition();
  const catalog::Attribute* before = collection.declaration.attribute(variable, attribute.name);
  const std::int64_t growth = store::cdf_header_bytes(definition.format, attribute) -
                              (before == nullptr ? 0 : store::cdf_header_bytes(definition.format, *before));
  if (growth > definition.header_reserve)
    fail(THALWEG_ERROR_FORMAT,
         "collection '{}': attribute '{}' of {} makes the header {} bytes longer, but {} are left for that; give "
         "header-reserve at least {} more bytes, or set format: netcdf4",
         collection.name, attribute.name, owner, growth, definition.header_reserve, growth - definition.header_reserve);
  return growth;
}

}  // namespace

// FMS's attribute is for one time level: current releases compare the sum of one, and older ones had lists.
void Collection::require_record(const Upcoming& record) const {
  if (record.index_in_file > 0 && declaration.settings().checksum_attributes)
    fail(THALWEG_ERROR_CONFIG,
         "collection '{}': this would be record {} of a file, but with checksum-attributes each file has one; give "
         "every "
         "record a file of its own (new-file, or a date in 'file'), or leave checksum-attributes out",
         name, record.index_in_file + 1);
}

void Session::change_attribute(Collection& collection, const std::string& variable,
                               const catalog::Attribute& attribute) {
  require_between_files(collection, attribute.name);
  catalog::Declaration& declaration = collection.declaration;
  if (declaration.is_disabled(variable)) return;
  const std::string owner = variable.empty() ? "the file" : fmt::format("variable '{}'", variable);
  store::check_attribute(declaration.definition(), attribute, owner);
  declaration.change_attribute(variable, attribute, header_growth(collection, variable, attribute, owner));
  tell(verbs::ChangeAttribute{{collection.number, variable, attribute}});
}

void Session::check_changes_agree() {
  const roles::Circle circle = circle_at_end();
  if (circle.comm() == MPI_COMM_NULL) return;
  std::string changed;
  for (const Collection* collection : ready_collections_)
    if (const std::int64_t changes = collection->declaration.changes(); changes > 0)
      changed += fmt::format("collection '{}' after {} changes of attributes\n{}", collection->name, changes,
                             collection->declaration.description());
  transport::check_same(circle, "changes of attributes", changed);
}

}  // namespace thalweg::client
