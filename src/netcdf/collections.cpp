#include "netcdf/collections.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/log.hpp"
#include "netcdf/call_settings.hpp"

namespace thalweg::netcdf {
namespace {

// A name that no dimension has, for files without an unlimited one.
std::string unused_name(const Declared& declared) {
  std::string name = "record";
  while (std::ranges::find(declared.dimensions(), name, &catalog::Dimension::name) != declared.dimensions().end())
    name += '_';
  return name;
}

}  // namespace

std::vector<Written*> Collections::find_idle(const FileName& name, const Declared& declared) {
  std::vector<Written*> found;
  for (Written& written : all_)
    if (written.is_idle && written.name.collection() == name.collection() &&
        written.name.format_number == name.format_number && written.name.replaces == name.replaces &&
        changes_between(written.declared, declared))
      found.push_back(&written);
  return found;
}

bool Collections::begin_next(Written& written, const FileName& name, const Declared& declared) {
  session_.new_file(*written.collection, name.path);
  written.is_idle = false;
  written.name = name;
  const std::vector<Change> changes = changes_between(written.declared, declared).value();
  try {
    for (const Change& change : changes)
      session_.give_attribute(session::Session::GivenTo::coming_files, *written.collection, change.variable,
                              change.attribute);
  } catch (const Error&) {
    return false;
  }
  written.declared = declared;
  return true;
}

Written& Collections::open(const FileName& name, const Declared& declared, const std::vector<Spread>& spreads,
                           std::vector<Parts> parts) {
  const CallSettings said = settings_of(name, declared, session_.settings());
  const std::vector<int> decompositions = decompose(name.path, declared, spreads, parts);
  session::Collection& collection =
      session_.definitions().open_collection_text(free_name(name.collection()), said.yaml, name.collection());
  const roles::Roles& roles = session_.roles();
  if (!said.left_out.empty() && roles.speaks_for_clients())
    log::warning("collection '{}': {}", collection.name, said.left_out);
  try {
    define(collection, declared, decompositions);
  } catch (...) {
    session_.definitions().give_up(collection);
    throw;
  }
  session_.ready(session::Session::Mapping::in_background);
  std::vector<bool> is_joined;
  for (std::size_t v = 0; v < spreads.size(); ++v)
    is_joined.push_back(!spreads[v].is_decomposed && parts[v].size() > 1);
  return all_.emplace_back(Written{&collection, name, declared, std::move(parts), std::move(is_joined)});
}

// One that is not open, and that was not opened in vain: what the program said of it then would prevail.
std::string Collections::free_name(const std::string& stem) const {
  const std::list<session::Collection>& open = session_.core().declared.collections;
  const auto& said = session_.settings().collections;
  const auto is_used = [&](const std::string& name) {
    const auto found = said.find(name);
    return std::ranges::find(open, name, &session::Collection::name) != open.end() ||
           (found != said.end() && found->second.from_program);
  };
  std::string name = stem;
  for (int number = 2; is_used(name); ++number) name = fmt::format("{}-{}", stem, number);
  return name;
}

int Collections::decomposed(const geometry::Decomposition& parts, const std::string& where) {
  try {
    return session_.definitions().decompose(parts);
  } catch (const Error& error) {
    throw Error(error.code(),
                fmt::format("{}: what ranks have put of it by nf90_put_var is no {}", where, error.what()));
  }
}

// The number of each variable's; -1: every rank puts the same. Files share what they have alike.
std::vector<int> Collections::decompose(const std::string& path, const Declared& declared,
                                        const std::vector<Spread>& spreads, const std::vector<Parts>& parts) {
  std::vector<int> numbers;
  for (std::size_t v = 0; v < spreads.size(); ++v) {
    if (!spreads[v].is_decomposed) {
      numbers.push_back(-1);
      continue;
    }
    const auto known = decompositions_.find(spreads[v].key);
    numbers.push_back(known != decompositions_.end()
                          ? known->second
                          : decomposed(decomposition_of(declared, static_cast<int>(v), spreads[v], parts[v]),
                                       fmt::format("file '{}', variable '{}'", path, declared.variables()[v].name)));
    decompositions_[spreads[v].key] = numbers.back();
  }
  return numbers;
}

void Collections::define(session::Collection& collection, const Declared& declared,
                         const std::vector<int>& decompositions) {
  session::Definitions& definitions = session_.definitions();
  std::string records;  // what a file of one record is for the collection
  if (declared.has_one_record()) {
    records = unused_name(declared);
    definitions.define_dimension(collection, records, THALWEG_UNLIMITED);
  }
  for (const catalog::Dimension& of : declared.dimensions()) definitions.define_dimension(collection, of.name, of.size);
  for (int v = 0; v < std::ssize(declared.variables()); ++v) {
    const Variable& of = declared.variable(v);
    const std::string names = declared.names_of_dimensions(v);
    definitions.define_variable(collection, of.name,
                                records.empty() || names.empty() ? records + names : records + ',' + names, of.type,
                                decompositions[static_cast<std::size_t>(v)], "");
    for (const catalog::Attribute& attribute : of.attributes)
      definitions.define_attribute(collection, of.name, attribute);
  }
  for (const catalog::Attribute& attribute : declared.attributes())
    definitions.define_attribute(collection, "", attribute);
}

}  // namespace thalweg::netcdf
