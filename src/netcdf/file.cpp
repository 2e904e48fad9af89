#include "netcdf/file.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/fingerprint.hpp"
#include "base/first_error.hpp"
#include "base/told.hpp"
#include "transport/agreement.hpp"
#include "transport/collective.hpp"

namespace thalweg::netcdf {
namespace {

void add_part(std::vector<Parts>& all, const Declared& declared, int variable, const Box& box) {
  all.resize(declared.variables().size());
  Parts& parts = all[static_cast<std::size_t>(variable)];
  if (std::ranges::find(parts, box) == parts.end()) parts.push_back(box);
}

roles::Circle clients_of(session::Session& session) {
  return session.roles().world.of(session.roles().model);
}

std::string closing(std::int64_t record) {
  return fmt::format("closes record {} of", told::number(record));
}

// Where ranks are in calls that close other things, some of them may have put nothing, and not come to the call that
// the others are in.
void explain_difference(const roles::Circle& clients, const Error& error, const std::string& path, bool has_values) {
  const int ranks = clients.size();
  const int rank = clients.rank();
  std::vector<std::int64_t> lowest = {has_values ? -rank : -ranks, has_values ? -ranks : -rank};
  transport::maximum(clients, lowest);
  if (lowest[0] == -ranks || lowest[1] == -ranks) return;
  throw Error(error.code(),
              fmt::format("{}\nrank {} has put values of the record of '{}' that is open, and rank {} has put none: "
                          "every rank calls nf90_sync behind each record, or nf90_put_var with a count of 0 where it "
                          "has no values",
                          error.what(), -lowest[0], path, -lowest[1]));
}

// Steps in which ranks differ are told as those of a model that calls Thalweg.
template <typename Step>
void in_its_words(const Step& step) {
  try {
    step();
  } catch (const Error& error) {
    if (error.code() != THALWEG_ERROR_AGREEMENT) throw;
    throw Error(error.code(),
                fmt::format("{}\nBy netCDF's calls a record is closed by nf90_sync, or by the first "
                            "nf90_put_var of the next one, and its time here is its number less one; a "
                            "file is closed by nf90_close. Every rank makes these calls, in the same order",
                            error.what()));
  }
}

// Ranks that have put values of the open record.
enum class Putters { none, some, all };

// All ranks are in calls that are described alike. Errors: AGREEMENT.
Putters compare(const roles::Circle& clients, const std::string& description, const std::string& path,
                bool has_values) {
  try {
    transport::check_same(clients, fmt::format("calls and definitions of netCDF for '{}'", path), description);
  } catch (const Error& error) {
    if (error.code() != THALWEG_ERROR_AGREEMENT) throw;
    explain_difference(clients, error, path, has_values);
    const bool is_of_attribute = std::string_view(error.what()).find("has: attribute") != std::string_view::npos;
    if (!is_of_attribute) throw;
    throw Error(error.code(),
                fmt::format("{}\nwhat one rank makes up, such as the time of day in an attribute, it sends "
                            "to the others (MPI_Bcast) before it is put",
                            error.what()));
  }
  std::vector<std::int64_t> flags = {has_values, !has_values};
  transport::maximum(clients, flags);
  if (flags[0] == 0) return Putters::none;
  return flags[1] == 0 ? Putters::all : Putters::some;
}

}  // namespace

File::File(session::Session& session, Collections& collections, FileName name)
    : session_(session), collections_(collections), name_(std::move(name)) {}

Declared& File::to_declare(const std::string& what) {
  if (written_ != nullptr)
    fail(THALWEG_ERROR_STATE, "file '{}': {} after its first record was closed; define all of it before the first sync",
         name_.path, what);
  return declared_;
}

void File::give(int variable, catalog::Attribute attribute) {
  if (written_ == nullptr) return declared_.give(variable, std::move(attribute));
  throw_if_failed();
  const std::string owner = variable == whole_file ? "" : declared_.variable(variable).name;
  session_.give_attribute(session::Session::GivenTo::open_file, *written_->collection, owner, attribute);
}

// Each put passes it on, so it is made once.
const std::string& File::place_of(int variable) {
  for (int v = static_cast<int>(places_.size()); v <= variable; ++v)
    places_.push_back(fmt::format("rank {}, file '{}', variable '{}'", session_.roles().rank, name_.path,
                                  declared_.variable(v).name));
  return places_[static_cast<std::size_t>(variable)];
}

// ---- values

void File::put(int variable, const Given& start, const Given& count, const put::Field& array) {
  throw_if_failed();
  const Variable& of = declared_.variable(variable);
  Index shape = declared_.shape(variable);
  if (of.has_record) {
    Index with_record{-1};
    for (const std::int64_t extent : shape) with_record.push_back(extent);
    shape = with_record;
  }
  const std::string& where = place_of(variable);
  Box box = box_of(start, count, array.extent, shape, where);
  const bool has_nothing = box.empty();
  if (of.has_record) {
    const std::int64_t record = take_record(variable, box);
    // Where each rank has put values of the first record, each knows that the others come to the next one as well.
    const bool all_come = written_ != nullptr && !some_put_nothing_;
    if (record == record_.number + 1 && record_.has_values && (all_come || is_begun(closing(record_.number))))
      close_record();
    if (record != record_.number)
      fail(THALWEG_ERROR_STATE,
           "{}: a value of record {} (from {}), but record {} is open; records are written one after the other", where,
           told::number(record), told::first(), told::number(record_.number));
  }
  if (!has_nothing) put_box(variable, box, viewed_as(array, box.count, where));
  record_.has_values |= of.has_record;
}

void File::put_box(int variable, Box box, const put::Field& array) {
  const Type type = declared_.variable(variable).type;
  const auto give = [&](Values values) {
    if (written_ == nullptr)
      keep(variable, box, std::move(values));
    else
      put_now(variable, box, values.field);
  };
  // What is kept is of the variable's type, which is often the smaller one.
  if (!is_taken(array.type, type) || (written_ == nullptr && array.type != type)) {
    if (array.type != Type::character && type != Type::character) expect(variable, box);
    return give(converted(array, type, place_of(variable)));
  }
  const int last = box.rank() - 1;
  const std::int64_t length = last < 0 ? 0 : declared_.shape(variable)[last];
  if (type != Type::character || last < 0 || box.start[last] > 0 || box.count[last] == length)
    return written_ == nullptr ? keep(variable, box, copied(array)) : put_now(variable, box, array);
  box.count[last] = length;
  give(lengthened(array, length));
}

// Takes the record dimension off.
std::int64_t File::take_record(int variable, Box& box) {
  if (box.count[0] > 1)
    fail(THALWEG_ERROR_SHAPE, "{}: {} records in one call; give the record one by one", place_of(variable),
         box.count[0]);
  const std::int64_t record = box.start[0];
  Box rest;
  for (int d = 1; d < box.rank(); ++d) {
    rest.start.push_back(box.start[d]);
    rest.count.push_back(box.count[d]);
  }
  box = rest;
  return record;
}

// Of numbers, which the type may not be able to hold: then the other ranks close the record nevertheless, and the part
// has others in the next one.
void File::expect(int variable, const Box& box) {
  if (written_ == nullptr)
    add_part(parts_, declared_, variable, box);
  else
    number_of(variable, box);
  record_.has_values |= declared_.variable(variable).has_record;
}

void File::keep(int variable, const Box& box, Values values) {
  const auto is_same = [&](const Kept& of) { return of.variable == variable && of.box == box; };
  const auto earlier = std::ranges::find_if(kept_, is_same);
  if (earlier == kept_.end()) {
    add_part(parts_, declared_, variable, box);
    kept_.push_back({variable, box, std::move(values)});
  } else if (declared_.variable(variable).has_record) {
    fail(THALWEG_ERROR_STATE, "{}: put twice in record {}; nf90_sync comes between", place_of(variable),
         told::number(record_.number));
  } else {  // as in netCDF, where a later value takes the place of an earlier one
    earlier->values = std::move(values);
  }
}

// Models put scalars again with each record. What is in the file already stays.
void File::require_same(int variable, const Box& box, const put::Field& array) {
  const auto known = written_once_.find({variable, number_of(variable, box)});
  const Type type = declared_.variable(variable).type;
  const Values now = array.type == type ? copied(array) : converted(array, type, place_of(variable));
  if (known == written_once_.end() || known->second == fingerprint_of(now.field)) return;
  fail(THALWEG_ERROR_STATE,
       "{}: other values than those that are in the file since its first record was closed; a variable without records "
       "has one value, so put the same, or give it the unlimited dimension",
       place_of(variable));
}

void File::put_now(int variable, const Box& box, const put::Field& array) {
  if (!is_of_record(variable) && is_settled_) return require_same(variable, box, array);
  const int number = number_of(variable, box);
  const auto give = [&](int part, const put::Field& field) {
    session_.put(*written_->collection, declared_.variable(variable).name, part, field);
  };
  if (!written_->is_joined[static_cast<std::size_t>(variable)]) return give(number, array);
  if (array.type != declared_.variable(variable).type)
    return put_now(variable, box, converted(array, declared_.variable(variable).type, place_of(variable)).field);
  Joined& joined = joined_.try_emplace(variable, declared_.shape(variable), array.type).first->second;
  joined.add(box, array);
  if (!joined.is_complete()) return;
  const Joined whole = std::move(joined_.extract(variable).mapped());
  give(0, whole.field());
}

int File::number_of(int variable, const Box& box) {
  const Parts& parts = written_->parts[static_cast<std::size_t>(variable)];
  const auto found = std::ranges::find(parts, box);
  if (found != parts.end()) return static_cast<int>(found - parts.begin());
  std::string known;
  const auto told_box = [](const Box& of) {
    return fmt::format("of {} from {} on", told::extents(of.count), told::starts(of.start));
  };
  for (const Box& of : parts) known += (known.empty() ? "" : ", ") + told_box(of);
  fail(THALWEG_ERROR_SHAPE,
       "{}: a box {} (indices from {}, {}), but the part of this rank is {}, as it put it before the first record was "
       "closed, and stays that; put in the first record all boxes that are put in any, with the fill value where there "
       "are no values yet",
       place_of(variable), told_box(box), told::first(), told::order(), known.empty() ? "nothing" : known);
}

// ---- records

void File::sync() {
  throw_if_failed();
  if (!declared_.has_one_record() && is_begun(closing(record_.number))) close_record();
}

// Whether any rank has put values of the record.
bool File::is_begun(const std::string& action) {
  return for_all([&] {
    std::string description = fmt::format("a call that {} '{}' (thalweg_nc_*, nf90_*)\n", action, name_.path);
    if (written_ == nullptr)
      description += fmt::format("{}, behind {} files that are like it\n{}", name_.format,
                                 collections_.find_idle(name_, declared_).size(), declared_.description());
    const Putters put = compare(clients_of(session_), description, name_.path, record_.has_values);
    if (written_ == nullptr) some_put_nothing_ = put == Putters::some;
    return put != Putters::none;
  });
}

// The values of a time are the program's own, so that records are told apart by their number alone. A record may be
// closed although the call has an error: what was not put, for example.
void File::close_record() {
  if (written_ == nullptr) for_all([&] { find_collection(); });
  const std::int64_t before = written_->collection->closed_records();
  FirstError first;
  first.of([&] { put_kept(); });
  first.of([&] { in_its_words([&] { session_.record(*written_->collection, static_cast<double>(before)); }); });
  if (written_->collection->closed_records() > before) {
    ++record_.number;
    record_.has_values = false;
  }
  first.rethrow();
}

// The other ranks close it, so this one does, whatever its last values have met; but where they are in other calls, the
// end of the session closes it for all.
void File::close() {
  throw_if_failed();
  FirstError first;
  if (declared_.has_one_record() && written_ == nullptr) return close_one_record();
  first.of([&] {
    if (is_begun("closes the file")) close_record();
  });
  if (failed_) first.rethrow();
  if (written_ == nullptr) {
    for_all([&] { find_collection(); });
    first.of([&] { put_kept(); });
  }
  first.of([&] {
    in_its_words([&] { session_.close_file(*written_->collection); });
    written_->is_idle = true;
  });
  first.rethrow();
}

void File::close_one_record() {
  is_begun("closes the file");
  for_all([&] { find_collection(); });
  FirstError first;
  first.of([&] { put_kept(); });
  first.of(
      [&] { session_.record(*written_->collection, static_cast<double>(written_->collection->closed_records())); });
  written_->is_idle = true;
  first.rethrow();
}

void File::throw_if_failed() const {
  if (failed_) throw *failed_;
}

// ---- definitions end

// Behind is_begun().
void File::find_collection() {
  const roles::Circle clients = clients_of(session_);
  const std::vector<Written*> earlier = collections_.find_idle(name_, declared_);
  parts_.resize(declared_.variables().size());
  std::vector<std::int64_t> flags = flags_of(declared_, parts_);
  const std::uint64_t values = values_without_records();
  for (const Written* candidate : earlier) {
    const bool takes_values = candidate->without_records == values || !candidate->collection->by_mpiio();
    flags.push_back(candidate->parts == parts_ && takes_values ? 0 : 1);
  }
  transport::maximum(clients, flags);
  const std::span<const std::int64_t> fits = std::span(flags).last(earlier.size());
  const auto first = static_cast<std::size_t>(std::ranges::find(fits, 0) - fits.begin());
  is_next_ = first < earlier.size() && collections_.begin_next(*earlier[first], name_, declared_);
  if (is_next_) {
    written_ = earlier[first];
    return;
  }
  const std::vector<Cut> cuts = cuts_of(declared_, flags, clients.size());
  std::vector<std::int64_t> counts = counts_of(declared_, parts_, cuts, clients.rank());
  transport::sum(clients, counts);
  const std::vector<Spread> spreads = spreads_of(declared_, cuts, counts, clients.size());
  warn_of_other_values(clients, declared_, spreads, numbers_of_values(declared_, kept_), name_.path);
  written_ = &collections_.open(name_, declared_, spreads, parts_);
}

std::uint64_t File::values_without_records() const {
  Fingerprint print;
  for (const Kept& of : kept_) {
    if (is_of_record(of.variable)) continue;
    print.add(static_cast<std::uint64_t>(of.variable));
    print.add(fingerprint_of(of.values.field));
  }
  return print.value();
}

// Each of them, so that one that is refused takes no other one with it. Variables without records first: behind a field
// of a record they would be for the next file.
void File::put_kept() {
  FirstError first;
  const std::uint64_t values = values_without_records();
  const bool has_values = is_next_ && written_->without_records == values;
  const std::vector<Kept> kept = std::exchange(kept_, {});
  for (const Kept& of : kept) {
    if (is_of_record(of.variable)) continue;
    written_once_[{of.variable, number_of(of.variable, of.box)}] = fingerprint_of(of.values.field);
    if (!has_values) first.of([&] { put_now(of.variable, of.box, of.values.field); });
  }
  written_->without_records = first.is_none() ? std::optional(values) : std::nullopt;
  for (const Kept& of : kept)
    if (is_of_record(of.variable)) first.of([&] { put_now(of.variable, of.box, of.values.field); });
  is_settled_ = true;
  first.rethrow();
}

}  // namespace thalweg::netcdf
