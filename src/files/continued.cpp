#include "files/continued.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/names.hpp"
#include "formats/record_times.hpp"
#include "formats/recover_name.hpp"
#include "sets/set_file.hpp"
#include "storage/file_identity.hpp"
#include "storage/name_lock.hpp"
#include "storage/part_name.hpp"
#include "storage/partial_name.hpp"

namespace thalweg::files {
namespace {

using catalog::Attribute;
using catalog::Definition;
using catalog::Variable;

// Times are sums of steps in floating point.
constexpr double start_slack_s = 1e-3;

// One file can say these once only (CF conventions 1.8, appendix A).
constexpr std::array meanings = {"units", "scale_factor", "add_offset", "_FillValue", "missing_value"};

const Attribute* find(const std::vector<Attribute>& attributes, const char* name) {
  const auto found = std::ranges::find(attributes, name, &Attribute::name);
  return found == attributes.end() ? nullptr : &*found;
}

bool are_equal(const Attribute* a, const Attribute* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a->element_type() == b->element_type() && std::ranges::equal(a->bytes(), b->bytes());
}

std::string dimensions_of(const Definition& definition, const Variable& variable) {
  std::vector<std::string> dimensions;
  if (variable.has_record) dimensions.push_back(definition.record_dimension);
  for (const int d : variable.dimensions) {
    const catalog::Dimension& of = definition.dimensions[static_cast<std::size_t>(d)];
    dimensions.push_back(fmt::format("{} = {}", of.name, of.size));
  }
  return fmt::format("{}({})", name_of(variable.type), fmt::join(dimensions, ", "));
}

std::string difference(const Definition& declared, const Variable& one, const Definition& found, const Variable& other,
                       bool is_own_coordinate) {
  const std::string now = dimensions_of(declared, one), then = dimensions_of(found, other);
  if (now != then) return fmt::format("variable '{}' is {} there and {} in this run", one.name, then, now);
  for (const char* name : meanings)
    if (!is_own_coordinate && !are_equal(find(one.attributes, name), find(other.attributes, name)))
      return fmt::format("attribute '{}' of variable '{}' is another one there", name, one.name);
  return "";
}

bool has_parts(const std::string& path, const std::function<std::string(const std::string&)>& name_of_part) {
  return std::ranges::any_of(storage::numbers_beside(path), [&](std::int64_t number) {
    return storage::identity_at(name_of_part(storage::part_name(path, number))).has_value();
  });
}

// What is found under the name of a file, and what this run says of it.
class Search {
 public:
  explicit Search(const ContinuedBy& by) : by_(by), path_(by.series.path_of(by.name)) {}

  // The complete file, or what a killed run left, if that has more.
  std::optional<Continued> best() {
    const std::optional<Found> complete = look_at_complete();
    const std::optional<Found> found = take_unfinished(complete) ? look_at_complete() : complete;
    if (!found) return std::nullopt;
    require_told(*found);
    const std::int64_t kept = kept_of(*found);
    return Continued{path_,
                     found->is_set,
                     {found->times_s.begin(), found->times_s.begin() + kept},
                     std::ssize(found->times_s) - kept,
                     found->times_s.back()};
  }

  void complete_unfinished() const { take_unfinished(look_at_complete()); }

 private:
  struct Found {
    bool is_set = false;
    std::vector<double> times_s;  // of its records; at least one
  };

  std::optional<Found> look_at_complete() const {
    const bool is_file = storage::identity_at(path_).has_value();
    const bool is_set = (by_.is_set || !is_file) && has_parts(path_, std::identity());
    return is_set || is_file ? look_at(path_, is_set) : std::nullopt;
  }

  // Nothing: it has no record.
  std::optional<Found> look_at(const std::string& path, bool is_set) const {
    if (is_set != by_.is_set)
      refuse(path, is_set ? "that is a set of files, and this run writes one" : "this run writes a set of files");
    const std::unique_ptr<formats::ReadableFile> file = sets::open_whole(path, is_set);
    if (file->records() == 0) return std::nullopt;
    const catalog::Declaration& declaration = by_.series.declaration;
    const std::string difference =
        difference_in_shape(declaration.definition(), declaration.own_coordinate(), file->definition());
    if (!difference.empty()) refuse(path, difference);
    const TimeOrigin& origin = by_.series.schedule.origin();
    Found found{is_set, formats::record_times(*file, path, {origin.calendar, origin.reference, 0.0})};
    if (std::ranges::adjacent_find(found.times_s, std::greater_equal()) != found.times_s.end())
      refuse(path, "the times of its records do not grow");
    return found;
  }

  std::int64_t kept_of(const Found& found) const {
    const RecordSchedule& schedule = by_.series.schedule;
    return kept_records(found.times_s, schedule.start_time_s(), schedule.awaits_initial());
  }

  void require_told(const Found& found) const {
    if (by_.is_told) return;
    fail(THALWEG_ERROR_STATE,
         "collection '{}': 'append: continue' finds {} in '{}', but the program has not said when this run "
         "starts; call thalweg_set_time before definitions end (thalweg_ready), or set 'append: new'",
         by_.series.identity.name, counted(std::ssize(found.times_s), "record"), path_);
  }

  // What a killed run left is made a proper file, and complete, if this run goes on with more of it and the complete
  // file has nothing that it has not; else it is left, to be moved aside when the new file is made. Done again when
  // killed.
  bool take_unfinished(const std::optional<Found>& complete) const {
    const std::string partial = path_ + storage::partial_ending;
    if (by_.is_set) require_no_unfinished_parts();
    if (by_.is_set || !storage::identity_at(partial)) return false;
    const bool had_owner = storage::identity_at(storage::lock_path(path_)).has_value();
    const storage::NameLock lock(path_, by_.series.identity.session_id);
    const std::optional<formats::RecoveredFile> recovered = recover(partial, had_owner);
    const std::optional<Found> unfinished = recovered ? look_at(partial, false) : std::nullopt;
    if (!unfinished) return false;
    require_told(*unfinished);
    if (complete && kept_of(*unfinished) <= kept_of(*complete)) return false;
    if (complete && !std::ranges::includes(unfinished->times_s, complete->times_s))
      refuse(partial,
             fmt::format("the complete '{}' has records that this one, of a run that did not finish, has not", path_));
    recovered->publish(path_);
    log::note("collection '{}': what an unfinished run left of '{}', which is {}, is complete now",
              by_.series.identity.name, path_, counted(recovered->records(), "record"));
    return true;
  }

  // Nothing: it is no file yet of which anything can be read.
  std::optional<formats::RecoveredFile> recover(const std::string& partial, bool had_owner) const {
    try {
      return std::optional<formats::RecoveredFile>(std::in_place, partial, had_owner);
    } catch (const Error& error) {
      if (error.code() != THALWEG_ERROR_FORMAT) throw;
      log::warning("collection '{}': what an unfinished run left of '{}' is of no use: {}", by_.series.identity.name,
                   path_, error.what());
      return std::nullopt;
    }
  }

  // Which of them belong to one run only 'thalweg recover' and their user can tell.
  void require_no_unfinished_parts() const {
    if (!has_parts(path_, [](const std::string& part) { return part + storage::partial_ending; })) return;
    fail(THALWEG_ERROR_STORAGE,
         "collection '{}': with 'append: continue' it would go on with '{}', but parts of a set of that name were left "
         "by a run that did not finish, and may have later records; move the complete parts away, if there are any, "
         "and have 'thalweg recover' make proper files of what was left, or remove it",
         by_.series.identity.name, path_);
  }

  [[noreturn]] void refuse(const std::string& path, const std::string& why) const {
    fail(THALWEG_ERROR_FORMAT,
         "collection '{}': with 'append: continue' it would go on with '{}', but {}; move the file away, give this "
         "run's another name, or set 'append: new', which replaces it",
         by_.series.identity.name, path, why);
  }

  const ContinuedBy& by_;
  std::string path_;
};

}  // namespace

std::int64_t kept_records(const std::vector<double>& times_s, double start_s, bool start_is_new) {
  const double last_s = start_is_new ? start_s - start_slack_s : start_s + start_slack_s;
  return std::ranges::upper_bound(times_s, last_s) - times_s.begin();
}

std::string difference_in_shape(const Definition& declared, int own_coordinate, const Definition& found) {
  if (declared.record_dimension != found.record_dimension && !found.record_dimension.empty())
    return fmt::format("its record dimension is '{}', and not '{}'", found.record_dimension, declared.record_dimension);
  for (const Variable& other : found.variables)
    if (std::ranges::find(declared.variables, other.name, &Variable::name) == declared.variables.end())
      return fmt::format("variable '{}' is there, but not in this run", other.name);
  for (int v = 0; v < std::ssize(declared.variables); ++v) {
    const Variable& one = declared.variable(v);
    const auto other = std::ranges::find(found.variables, one.name, &Variable::name);
    if (other == found.variables.end()) return fmt::format("variable '{}' of this run is not there", one.name);
    if (std::string what = difference(declared, one, found, *other, v == own_coordinate); !what.empty()) return what;
  }
  return "";
}

void complete_unfinished(const ContinuedBy& by) {
  Search(by).complete_unfinished();
}

std::optional<Continued> find_earlier(const ContinuedBy& by) {
  return Search(by).best();
}

}  // namespace thalweg::files
