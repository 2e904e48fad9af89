#include "files/continued.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/names.hpp"
#include "base/numbers.hpp"
#include "base/told.hpp"
#include "catalog/encoding.hpp"
#include "catalog/numeric_attribute.hpp"
#include "formats/record_times.hpp"
#include "formats/recover_name.hpp"
#include "formats/registry.hpp"
#include "sets/set_file.hpp"
#include "storage/file_identity.hpp"
#include "storage/first_bytes.hpp"
#include "storage/kept_files.hpp"
#include "storage/name_lock.hpp"
#include "storage/part_name.hpp"
#include "storage/partial_name.hpp"
#include "storage/posix.hpp"
#include "storage/publish.hpp"

namespace thalweg::files {
namespace {

using catalog::Attribute;
using catalog::Definition;
using catalog::Variable;

// One file can say these once only (CF conventions 1.8, appendix A).
constexpr std::array meanings = {"units", "scale_factor", "add_offset", "_FillValue", "missing_value"};

bool are_equal(const Attribute* a, const Attribute* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a->element_type() == b->element_type() && std::ranges::equal(a->bytes(), b->bytes());
}

// For messages.
std::string shown(const Attribute* attribute) {
  if (attribute == nullptr) return "not there";
  if (!attribute->type) return fmt::format("'{}'", attribute->text);
  const bool is_one = attribute->values.size() == size_of(*attribute->type);
  const auto number = is_one ? number_of(*attribute->type, attribute->values) : std::nullopt;
  return number ? fmt::format("{} ({})", *number, name_of(*attribute->type)) : "other numbers";
}

std::string dimensions_of(const Definition& definition, const Variable& variable) {
  std::vector<std::string> dimensions;
  if (variable.has_record) dimensions.push_back(definition.record_dimension);
  for (const int d : variable.dimensions) {
    const catalog::Dimension& of = definition.dimensions[static_cast<std::size_t>(d)];
    dimensions.push_back(fmt::format("{} = {}", of.name, of.size));
  }
  if (told::is_fortran()) std::ranges::reverse(dimensions);
  return fmt::format("{}({})", name_of(variable.type), fmt::join(dimensions, ", "));
}

std::string difference(const Definition& declared, const Variable& one, const Definition& found, const Variable& other,
                       bool is_own_coordinate) {
  const std::string now = dimensions_of(declared, one), then = dimensions_of(found, other);
  if (now != then) return fmt::format("variable '{}' is {} there and {} in this run", one.name, then, now);
  for (const catalog::RoundingWords& words : {catalog::bit_round_words, catalog::granular_bit_round_words}) {
    const auto mine = catalog::number_in(one, words.kept_for_netcdf);
    const auto theirs = catalog::number_in(other, words.kept_for_netcdf);
    if (mine && theirs && *mine < *theirs)
      return fmt::format(
          "variable '{}' keeps {} digits or bits there and {} in this run, which would round its records "
          "once more",
          one.name, *theirs, *mine);
  }
  const auto attributes_read = formats::row_of(found.format).attributes_read;
  const std::vector<Attribute> attributes = attributes_read == nullptr ? one.attributes : attributes_read(one);
  for (const char* name : meanings) {
    const Attribute* mine = catalog::find(attributes, name);
    const Attribute* theirs = catalog::find(other.attributes, name);
    if (!is_own_coordinate && !are_equal(mine, theirs))
      return fmt::format("attribute '{}' of variable '{}' is {} in that file and {} in this run", name, one.name,
                         shown(theirs), shown(mine));
  }
  return "";
}

// What is found under the name of a file, and what this run says of it.
class Search {
 public:
  // gets_more: this run has records for it, so that its variables are those of this run. Of one that ends before they
  // may be others, where fields are defined late.
  Search(const ContinuedBy& by, bool gets_more) : by_(by), gets_more_(gets_more), path_(by.series.path_of(by.name)) {}

  // The complete file, or what a killed run left, if no less of that is kept.
  std::optional<Continued> best() const {
    remove_replaced();
    const std::optional<Found> complete = look_at_complete();
    std::optional<Continued> found = take_unfinished(complete);
    if (!found && complete) found = kept_of(*complete);
    require_kept_records(found);
    return found;
  }

  void complete_unfinished() const {
    remove_replaced();
    const std::optional<Found> complete = look_at_complete();
    if (!complete || kept_of(*complete).dropped == 0) take_unfinished(complete);
  }

 private:
  struct Found {
    std::string path;
    bool is_set = false;
    formats::RecordTimes times{};
  };

  // A file with other records than those before the checkpoint is that of another run, or was changed.
  void require_kept_records(const std::optional<Continued>& found) const {
    const KeptInterval* interval = kept_in(by_.series.schedule.interval());
    const std::int64_t records = found ? std::ssize(found->times_s) : 0;
    if (interval == nullptr || records == interval->records) return;
    fail(THALWEG_ERROR_STATE,
         "collection '{}': its checkpoint goes on behind {} of '{}', but {} from before the interval that begins at "
         "{}; put the file of that run back, or move the checkpoint away and the file too",
         by_.series.identity.name, counted(interval->records, "record"), path_,
         found ? fmt::format("that has {}", records) : "there is no such file, and so none",
         to_string(by_.series.schedule.origin().date_at(interval->begin_s)));
  }

  // What a kill left of a store when another one replaced it is of no unfinished run.
  void remove_replaced() const {
    if (by_.is_set || !storage::may_have_replaced(path_)) return;
    const storage::NameLock lock(path_, by_.series.identity.session_id);
    storage::remove_replaced(path_);
  }

  std::optional<Found> look_at_complete() const {
    const bool is_file = storage::is_there(path_);
    if (storage::parts_beside(path_).empty()) return is_file ? std::optional(look_at(path_, false)) : std::nullopt;
    if (!is_file) return look_at(path_, true);
    if (!by_.is_set) refuse(path_, "parts of a set of its name are beside it, so that it may be one");
    const Found set = look_at(path_, true);
    if (look_at_times(path_, false).times_s != set.times.times_s)
      refuse(path_, "that has other records than the parts of a set of its name beside it");
    return set;
  }

  Found look_at(const std::string& path, bool is_set) const {
    if (is_set != by_.is_set)
      refuse(path, is_set
                       ? "that is a set of files, and this run writes one ('thalweg combine --copy -o' makes one of it)"
                       : "this run writes a set of files");
    Found found{path, is_set, look_at_times(path, is_set)};
    if (std::ranges::adjacent_find(found.times.times_s, std::greater_equal()) != found.times.times_s.end())
      refuse(path, "the times of its records do not grow");
    return found;
  }

  // Parts that a killed run left, and were recovered one by one, may have more records than the others.
  std::unique_ptr<formats::ReadableFile> open(const std::string& path, bool is_set) const {
    if (!is_set) return formats::open_readable(path);
    sets::FileSet set = sets::open_file_set(path);
    if (set.most_records > set.records)
      refuse(path, fmt::format("its parts have different numbers of records, {} to {}, and those that not all of them "
                               "have would be lost ('thalweg combine --copy -o' makes one file of what all have)",
                               set.records, set.most_records));
    return std::make_unique<sets::SetFile>(std::move(set));
  }

  formats::RecordTimes look_at_times(const std::string& path, bool is_set) const {
    const std::unique_ptr<formats::ReadableFile> file = open(path, is_set);
    if (gets_more_) require_shape(path, *file);
    if (file->records() == 0) return {};
    const TimeOrigin& origin = by_.series.schedule.origin();
    return formats::record_times(*file, path, {origin.calendar, origin.reference, 0.0});
  }

  void require_shape(const std::string& path, const formats::ReadableFile& file) const {
    const catalog::Declaration& declaration = by_.series.declaration;
    const std::string difference =
        difference_in_shape(declaration.definition(), declaration.own_coordinate(), file.definition());
    if (!difference.empty()) refuse(path, difference);
  }

  Continued kept_of(const Found& found) const {
    const std::vector<double>& times_s = found.times.times_s;
    Continued kept{.name = path_, .path = found.path, .is_set = found.is_set};
    if (!found.is_set) kept.identity = storage::identity_at(found.path).value_or(block::FileIdentity{});
    if (times_s.empty()) return kept;
    if (!by_.is_told)
      fail(THALWEG_ERROR_STATE,
           "collection '{}': 'append: continue' finds {} in '{}', but the program has not said when this run starts; "
           "call thalweg_set_time before definitions end (thalweg_ready), or set 'append: new'",
           by_.series.identity.name, counted(std::ssize(times_s), "record"), found.path);
    const RecordSchedule& schedule = by_.series.schedule;
    const KeptInterval* interval =
        kept_in(by_.series.schedule.interval());  // whose record lies behind its begin, like those that follow
    const std::int64_t records =
        kept_records(times_s, found.times.resolution_s, interval ? interval->begin_s : schedule.clock().start_s(),
                     interval != nullptr || schedule.clock().awaits_initial());
    kept.times_s.assign(times_s.begin(), times_s.begin() + records);
    kept.dropped = std::ssize(times_s) - records;
    kept.last_s = times_s.back();
    return kept;
  }

  // Nothing: there is none, or it has less of what is kept. Done again when killed.
  std::optional<Continued> take_unfinished(const std::optional<Found>& complete) const {
    const std::string partial = path_ + storage::partial_ending;
    if (by_.is_set) require_no_unfinished_parts();
    if (by_.is_set || !storage::is_there(partial)) return std::nullopt;
    const bool had_owner = storage::is_there(storage::lock_path(path_));
    const storage::NameLock lock(path_, by_.series.identity.session_id);
    if (!storage::is_there(partial)) {  // whoever had the name has completed it
      const std::optional<Found> completed = look_at_complete();
      return completed ? std::optional(kept_of(*completed)) : std::nullopt;
    }
    const std::optional<formats::RecoveredFile> recovered = recover(partial, had_owner);
    return recovered ? take(*recovered, partial, complete) : std::nullopt;
  }

  std::optional<Continued> take(const formats::RecoveredFile& recovered, const std::string& partial,
                                const std::optional<Found>& complete) const {
    Continued unfinished = kept_of(look_at(partial, false));
    if (unfinished.times_s.empty() && unfinished.dropped > 0) return std::nullopt;  // as what any run leaves
    const std::optional<Continued> before = complete ? std::optional(kept_of(*complete)) : std::nullopt;
    if (before && unfinished.times_s.size() < std::max<std::size_t>(1, before->times_s.size())) return std::nullopt;
    if (before && !std::ranges::includes(unfinished.times_s, before->times_s))
      refuse(partial, fmt::format("the complete '{}' has records from before the start of this run that this one, of a "
                                  "run that did not finish, has not",
                                  path_));
    const bool has_more = before && before->dropped > 0;
    unfinished.path = has_more ? storage::keep_aside(by_.series.identity.name, path_) : path_;
    if (!has_more) recovered.publish(path_);
    unfinished.identity = storage::identity_at(unfinished.path).value_or(block::FileIdentity{});
    log::note("collection '{}': what an unfinished run left of '{}', which is {}, is {} now", by_.series.identity.name,
              path_, counted(recovered.records(), "record"), has_more ? "what goes on" : "complete");
    return unfinished;
  }

  // A file is nothing without its first byte, and a folder without the object by which its format knows it: they are
  // made behind all others.
  static bool is_unbegun(const std::string& partial) {
    if (!storage::is_folder(partial))
      return storage::first_bytes(storage::open_file(partial, O_RDONLY), partial).is_unmade();
    const formats::FormatRow* row = formats::row_at(partial);
    return row != nullptr && !storage::is_there(fmt::format("{}/{}", partial, row->description.root));
  }

  // Nothing: no run has come to write anything to it.
  std::optional<formats::RecoveredFile> recover(const std::string& partial, bool had_owner) const {
    try {
      return std::optional<formats::RecoveredFile>(std::in_place, partial, had_owner);
    } catch (const Error& error) {
      if (is_unbegun(partial)) return std::nullopt;
      fail(error.code(),
           "collection '{}': with 'append: continue' it would go on with '{}', but what an unfinished run left as '{}' "
           "cannot be recovered: {}; try again, or move it away if nothing of it is wanted",
           by_.series.identity.name, path_, partial, error.what());
    }
  }

  // Errors: as those of the lock, where a job writes one. Which of them belong to one run only 'thalweg recover' and
  // their user can tell.
  void require_no_unfinished_parts() const {
    const std::vector<std::string> parts = storage::parts_beside(path_, storage::partial_ending);
    if (parts.empty()) return;
    for (const std::string& part : parts) {
      const storage::NameLock nobody_writes_it(part, by_.series.identity.session_id);
    }
    fail(THALWEG_ERROR_STORAGE,
         "collection '{}': with 'append: continue' it would go on with '{}', but parts of a set of that name were left "
         "by a run that did not finish, which may have later records than the complete ones, or fewer; have 'thalweg "
         "recover' say what is in them, with the complete parts kept in another folder meanwhile, put back those that "
         "have more, and remove the others",
         by_.series.identity.name, path_);
  }

  [[noreturn]] void refuse(const std::string& path, const std::string& why) const {
    fail(THALWEG_ERROR_FORMAT,
         "collection '{}': with 'append: continue' it would go on with '{}', but {}; move the file away, give this "
         "run's another name, or set 'append: new', which replaces it",
         by_.series.identity.name, path, why);
  }

  const ContinuedBy& by_;
  bool gets_more_;
  std::string path_;
};

// What files say of themselves says no collection.
template <typename Work>
auto of_collection(const ContinuedBy& by, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    const std::string of = fmt::format("collection '{}'", by.series.identity.name);
    if (std::string_view(error.what()).starts_with(of)) throw;
    throw Error(error.code(), fmt::format("{}: with 'append: continue' it would go on with '{}', but: {}", of,
                                          by.series.path_of(by.name), error.what()));
  }
}

}  // namespace

std::int64_t kept_records(const std::vector<double>& times_s, double resolution_s, double start_s, bool start_is_new) {
  const double slack = std::max(formats::time_slack_s, resolution_s);
  const double last_s = start_is_new ? start_s - slack : start_s + slack;
  return std::ranges::upper_bound(times_s, last_s) - times_s.begin();
}

std::string difference_in_shape(const Definition& declared, int own_coordinate, const Definition& found) {
  if (declared.record_dimension != found.record_dimension && !found.record_dimension.empty())
    return fmt::format("its record dimension is '{}', and not '{}'", found.record_dimension, declared.record_dimension);
  for (const Variable& other : found.variables)
    if (declared.find(other.name) < 0) return fmt::format("variable '{}' is there, but not in this run", other.name);
  for (int v = 0; v < std::ssize(declared.variables); ++v) {
    const Variable& one = declared.variable(v);
    const int other = found.find(one.name);
    if (other < 0) return fmt::format("variable '{}' of this run is not there", one.name);
    if (std::string what = difference(declared, one, found, found.variable(other), v == own_coordinate); !what.empty())
      return what;
  }
  return "";
}

void complete_unfinished(const ContinuedBy& by) {
  of_collection(by, [&] { Search(by, false).complete_unfinished(); });
}

std::optional<Continued> find_earlier(const ContinuedBy& by) {
  return of_collection(by, [&] { return Search(by, true).best(); });
}

}  // namespace thalweg::files
