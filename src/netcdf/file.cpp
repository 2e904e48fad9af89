#include "netcdf/file.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/fingerprint.hpp"
#include "transport/agreement.hpp"
#include "transport/collective.hpp"

namespace thalweg::netcdf {

File::File(session::Session& session, Collections& collections, FileName name)
    : session_(session), collections_(collections), name_(std::move(name)) {}

Declared& File::to_declare(const std::string& what) {
  if (written_ != nullptr)
    fail(THALWEG_ERROR_STATE, "file '{}': {} after its first record was closed; define all of it before the first sync",
         name_.path, what);
  return declared_;
}

std::string File::place_of(int variable) const {
  return fmt::format("rank {}, file '{}', variable '{}'", session_.roles().rank, name_.path,
                     declared_.variable(variable).name);
}

// ---- values

void File::put(int variable, const Given& start, const Given& count, const put::Field& array) {
  const Variable& of = declared_.variable(variable);
  Index shape = declared_.shape(variable);
  if (of.has_record) {
    Index with_record{-1};
    for (const std::int64_t extent : shape) with_record.push_back(extent);
    shape = with_record;
  }
  const std::string where = place_of(variable);
  Box box = box_of(start, count, array.extent, shape, where);
  if (of.has_record) {
    const std::int64_t record = take_record(variable, box);
    if (record == record_ + 1 && has_values_) close_record();
    if (record != record_)
      fail(THALWEG_ERROR_STATE,
           "{}: a value of record {} (from 0), but record {} is open; records are written one after the other", where,
           record, record_);
  }
  if (!box.empty()) put_box(variable, box, viewed_as(array, box.count, where));
  has_values_ |= of.has_record;
}

void File::put_box(int variable, Box box, const put::Field& array) {
  const Type type = declared_.variable(variable).type;
  const auto give = [&](const put::Field& field) {
    if (written_ == nullptr)
      keep(variable, box, field);
    else
      put_now(variable, box, field);
  };
  if (!is_taken(array.type, type)) return give(converted(array, type, place_of(variable)).field);
  const int last = box.rank() - 1;
  const std::int64_t length = last < 0 ? 0 : declared_.shape(variable)[last];
  if (type != Type::character || last < 0 || box.start[last] > 0 || box.count[last] == length) return give(array);
  box.count[last] = length;
  give(lengthened(array, length).field);
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
  if (box.count[0] == 0 && rest.rank() > 0) rest.count[0] = 0;
  box = rest;
  return record;
}

void File::keep(int variable, const Box& box, const put::Field& array) {
  parts_.resize(declared_.variables().size());
  Parts& parts = parts_[static_cast<std::size_t>(variable)];
  if (std::ranges::find(parts, box) == parts.end()) parts.push_back(box);
  kept_.push_back({variable, box, copied(array)});
}

void File::put_now(int variable, const Box& box, const put::Field& array) {
  session_.put(*written_->collection, declared_.variable(variable).name, number_of(variable, box), array);
}

int File::number_of(int variable, const Box& box) const {
  const Parts& parts = written_->parts[static_cast<std::size_t>(variable)];
  const auto found = std::ranges::find(parts, box);
  if (found != parts.end()) return static_cast<int>(found - parts.begin());
  std::string known;
  for (const Box& of : parts) known += (known.empty() ? "" : ", ") + to_string(of);
  fail(THALWEG_ERROR_SHAPE,
       "{}: box {} (indices from 0, slowest first), but the part of this rank is {}, as it put it before the first "
       "record was closed, and stays that",
       place_of(variable), to_string(box), known.empty() ? "nothing" : known);
}

// ---- records

void File::sync() {
  if (has_values_) close_record();
}

// The values of a time are the program's own, so that records are told apart by their number alone.
void File::close_record() {
  if (written_ == nullptr) settle(fmt::format("closes record {}", record_));
  session_.record(*written_->collection, static_cast<double>(written_->records));
  ++written_->records;
  ++record_;
  has_values_ = false;
}

void File::close() {
  if (has_values_) close_record();
  if (written_ == nullptr) settle("closes the file");
  session_.close_file(*written_->collection);
  written_->is_idle = true;
}

// ---- definitions end

void File::settle(const std::string& action) {
  const roles::Circle clients = session_.roles().world.of(session_.roles().model);
  transport::check_same(clients, "files that are written by netCDF calls",
                        fmt::format("{} '{}' as {}\n{}", action, name_.path, name_.format, declared_.description()));
  parts_.resize(declared_.variables().size());
  Written* earlier = collections_.find_idle(name_, declared_);
  Comparison compared = comparison_of(declared_, parts_, clients.rank());
  compared.largest.push_back(can_follow(earlier) ? 0 : 1);
  transport::maximum(clients, compared.largest);
  transport::sum(clients, compared.sums);
  const bool is_next = compared.largest.back() == 0;
  if (is_next) {
    written_ = earlier;
    collections_.begin_next(*earlier, name_, declared_);
  } else {
    written_ = &collections_.open(name_, declared_, spreads_of(declared_, compared, clients.size()), parts_);
    written_->without_records = values_without_records();
  }
  put_kept(is_next);
}

// Variables without records are written into every file of a series as they were put once.
bool File::can_follow(const Written* earlier) const {
  return earlier != nullptr && earlier->parts == parts_ && earlier->without_records == values_without_records();
}

std::uint64_t File::values_without_records() const {
  Fingerprint print;
  for (const Kept& of : kept_) {
    if (declared_.variable(of.variable).has_record) continue;
    print.add(static_cast<std::uint64_t>(of.variable));
    print.add({reinterpret_cast<const char*>(of.values.bytes.data()), of.values.bytes.size()});
  }
  return print.value();
}

void File::put_kept(bool is_next) {
  for (const Kept& of : std::exchange(kept_, {}))
    if (!is_next || declared_.variable(of.variable).has_record) put_now(of.variable, of.box, of.values.field);
}

}  // namespace thalweg::netcdf
