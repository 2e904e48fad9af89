#include "session/field_puts.hpp"

#include <numeric>
#include <string>

#include "base/error.hpp"
#include "base/names.hpp"
#include "session/open_collection.hpp"

namespace thalweg::session {
namespace {

// A put of a variable that is switched off is none. Errors: NAME for any other that is unknown.
void require_switched_off(const Collection& collection, std::string_view variable, int rank) {
  const std::string name(variable);
  if (collection.declaration.variables().is_disabled(name)) return;
  fail(THALWEG_ERROR_NAME, "rank {}, collection '{}': put of unknown variable '{}'{}", rank, collection.name, name,
       name_hint(name, collection.declaration.variables().names()));
}

// All ranks end definitions together, and a put never meets others: some of them may have nothing to put.
void keep_put(Core& core, Collection& collection, std::string_view variable, int box, const put::Field& field) {
  if (collection.has_failed)
    fail(THALWEG_ERROR_STATE, "collection '{}': its definitions ended with an error, so it takes no fields",
         collection.name);
  const std::string name(variable);
  const int number = collection.declaration.variables().find(name);
  if (number < 0 || collection.declaration.variables().is_disabled(name))
    return require_switched_off(collection, variable, core.roles->rank);
  const bool has_record = collection.variable(number).has_record;
  Collection& share = collection.upcoming_share();
  const files::Upcoming& upcoming = share.schedule.upcoming();
  if (has_record && !upcoming.due) {
    ++core.measured.counters.skipped_puts;
    return;
  }
  const std::vector<Box> boxes = boxes_to_put(collection, number, core.declared);
  if (boxes.empty()) return;
  collection.early.keep(variable_of(collection, number, core.roles->rank, core.declared), boxes, box, field);
  if (has_record) share.begun_records = upcoming.record + 1;
}

// Some ranks would have the values in the file that begins, others not.
void require_between_files(const Collection& share, const put::VariablePuts& of, int box) {
  const bool is_renewed = box >= 0 && box < std::ssize(of.next_put) && of.next_put[static_cast<std::size_t>(box)] > 0;
  if (!is_renewed || !share.schedule.upcoming().opens_file || !share.has_begun_record()) return;
  fail(THALWEG_ERROR_STATE,
       "{}: other values come for a file that has fields of its first record already; put them before the first put "
       "behind the call that closed the last record",
       of.of.where);
}

}  // namespace

void FieldPuts::put(Collection& collection, std::string_view variable, int box, const put::Field& field) {
  if (!collection.is_ready()) return keep_put(core_, collection, variable, box, field);
  const int number = collection.puts.find(variable);
  if (number < 0) return require_switched_off(collection, variable, core_.roles->rank);
  if (collection.variable(number).has_record)
    put_record(collection, number, box, field);
  else
    put_fixed(collection, number, box, field);
}

void FieldPuts::put_record(Collection& collection, int number, int box, const put::Field& field) {
  Collection& share = collection.upcoming_share();
  const files::Upcoming& upcoming = share.schedule.upcoming();
  if (!upcoming.due) {
    ++core_.measured.counters.skipped_puts;
    return;
  }
  if (core_.health.groups.is_given_up(share.number) || !share.puts.holds(number)) return;
  health::unless_lost([&] {
    records_.begin(share);
    share.begun_records = upcoming.record + 1;
    putter_.put(share.puts, number, box, field, upcoming.moment());
  });
}

void FieldPuts::put_fixed(Collection& collection, int number, int box, const put::Field& field) {
  const std::int64_t files =
      std::accumulate(collection.shares.begin(), collection.shares.end(), std::int64_t{0},
                      [](std::int64_t sum, const Collection* share) { return sum + share->named_files; });
  const auto holds = [&](const Collection* share) {
    return !core_.health.groups.is_given_up(share->number) && share->puts.holds(number);
  };
  for (const Collection* share : collection.shares)
    if (holds(share) && ContinuedFiles::keeps(*share, number, box))
      return continued_.compare(*share, number, box, field);
  const Collection& next = collection.upcoming_share();
  require_between_files(next, next.puts.variables[static_cast<std::size_t>(number)], box);
  for (Collection* share : collection.shares) {
    if (!holds(share)) continue;
    health::unless_lost([&] { core_.puts.fixed.put(share->puts, number, box, field, files); });
  }
}

void FieldPuts::make_early() {
  for (Collection* collection : core_.declared.ready)
    for (const put::EarlyPuts::Kept& kept : collection->early.take())
      put(*collection, kept.variable, kept.box, kept.field);
}

}  // namespace thalweg::session
