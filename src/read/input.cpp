#include "read/input.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/names.hpp"
#include "base/told.hpp"
#include "read/begin_call.hpp"
#include "read/read_round.hpp"
#include "read/readers.hpp"
#include "read/windows_in_turn.hpp"
#include "roles/meeting.hpp"
#include "storage/checksum_file.hpp"
#include "transport/collective.hpp"

namespace thalweg::read {
namespace {

transport::Bytes packed(const Wanted& wanted) {
  transport::Packer packer;
  packer.put(wanted.along).put_all(wanted.needs).put_all(wanted.runs);
  return packer.take();
}

Wanted unpacked_wanted(const transport::Bytes& bytes) {
  transport::Unpacker unpacker(bytes);
  Wanted wanted;
  wanted.along = unpacker.get<int>();
  wanted.needs = unpacker.get_all<std::vector<Need>>();
  wanted.runs = unpacker.get_all<std::vector<geometry::IndexRun>>();
  return wanted;
}

std::vector<Window> windows_alone(const Wanted& wanted, const Extents& extents, std::int64_t most_cells) {
  if (wanted.is_list()) return windows_of(extents, most_cells, 1);
  std::vector<Window> windows;
  for (const Need& need : wanted.needs)
    for (const Window& window : windows_within(need.region, extents, most_cells)) windows.push_back(window);
  return windows;
}

// Collective.
ReadPlan plan_with_others(const roles::Circle& circle, const Getting& getting, const Wanted& own,
                          const std::vector<int>& readers) {
  const int own_rank = circle.rank();
  const std::int64_t of_each = divide_up(getting.variable->shape.product(), std::ssize(readers));
  const std::vector<Window> windows =
      windows_of(getting.extents(), std::min(getting.most_cells(), of_each), static_cast<int>(readers.size()));
  std::map<int, transport::Bytes> asks_of;
  for (int reader = 0; reader < std::ssize(readers); ++reader) {
    const int rank = readers[static_cast<std::size_t>(reader)];
    if (rank != own_rank && asks(own, windows, reader)) asks_of[rank] = packed(own);
  }
  std::vector<Asked> others;
  for (const auto& [rank, bytes] : transport::exchange_sparsely(circle, std::move(asks_of)))
    others.push_back({rank, unpacked_wanted(bytes)});
  return plan_of(windows, readers, own_rank, own, others);
}

std::vector<std::size_t> rounds_with_windows(const ReadPlan& plan) {
  std::vector<std::size_t> numbers;
  for (std::size_t number = 0; number < plan.rounds.size(); ++number)
    if (plan.rounds[number].window) numbers.push_back(number);
  return numbers;
}

RecordOf record_of(const Getting& getting, FileReader& file, const ReadPlan& plan) {
  const void* const into = getting.target ? getting.target->origin : nullptr;
  return {&file, getting.number, getting.box, getting.record, &plan, into};
}

void require_packing(const Getting& getting, const Into& into) {
  const InputVariable& of = *getting.variable;
  const bool is_as_stored = into.field.type == of.type && !is_real(of.type) && !into.missing;
  if (of.packing.fault.empty() || getting.held->is_packed() || is_as_stored) return;
  fail(THALWEG_ERROR_FORMAT,
       "{}: {}, so that nobody knows what its values stand for; give it one by 'ncatted', or get whole numbers as they "
       "are stored, into an array of the file's type",
       getting.where, of.packing.fault);
}

// Other ranks may have more boxes: then this one gives no array.
void require_box(const Getting& getting, const put::Field& field) {
  const int boxes = getting.held->boxes();
  if (getting.box < 0)
    fail(THALWEG_ERROR_ARGUMENT, "{}: there is no box {}; boxes count from {}", getting.where,
         told::number(getting.box), told::first());
  if (getting.box == 0 || getting.box < boxes || boxes == 0) return;
  if (field.data != nullptr && field.extent.product() != 0)
    fail(THALWEG_ERROR_ARGUMENT,
         "{}: there is an array for box {}, but this rank declared {}, counted from {}; give none where other ranks "
         "have more",
         getting.where, told::number(getting.box), boxes, told::first());
}

// Collective, unless each rank reads alone. has_sums: of what all readers together read. The points of a list lie
// anywhere, so that who reads them reads all.
ReadPlan made_plan(const Surroundings& around, const Getting& getting, bool has_sums) {
  const bool is_loose = !has_sums && !getting.held->is_list() && getting.variable->chunk.product() == 1;
  const Readers readers = readers_of(around.settings.reading, getting.bytes_of(getting.variable->shape.product()),
                                     around.node_of, is_loose);
  const Wanted wanted = getting.held->wanted(getting.box);
  ReadPlan plan = readers.alone ? plan_alone(windows_alone(wanted, getting.extents(), getting.most_cells()),
                                             around.circle.rank(), wanted)
                                : plan_with_others(around.circle, getting, wanted, readers.ranks);
  plan.threads = threads_to_decode(readers, around.circle.rank(), around.node_of, around.processors);
  return plan;
}

// Opened by the thread that reads, because the storage may stand still here, too.
struct OpenedFile {
  std::shared_ptr<FileReader> file;
  Contents contents;
  bool has_companion = false;
};
OpenedFile opened_file(const Surroundings& around, const std::string& path, bool translates) {
  formats::RunStart start = start_of(around.settings);
  start.translates = translates;
  const auto open = [path, start, deadline_s = around.settings.deadline_s, who = around.who()] {
    OpenedFile opened;
    opened.file = std::make_shared<FileReader>(path, deadline_s, who);
    const formats::Patience patient = opened.file->patience();
    opened.contents = contents_of(*opened.file, path, start);
    opened.has_companion = opened.file->has_companion();
    return opened;
  };
  return around.storage.found(fmt::format("open of '{}'", path), open);
}

// Halves of the sums, which do not overflow. What nobody wants is not read: then there is nothing to be compared.
void compare(const roles::Circle& circle, const std::string& path,
             const std::function<std::shared_ptr<FileReader>()>& file, const Getting& getting,
             const Rounds::Read& has_read) {
  constexpr std::uint64_t low = 0xffffffff;
  std::vector<std::int64_t> read{has_read.cells, static_cast<std::int64_t>(has_read.sum & low),
                                 static_cast<std::int64_t>(has_read.sum >> 32)};
  transport::sum(circle, read);
  transport::together(circle, [&] {
    if (circle.rank() != 0 || read[0] != getting.variable->shape.product()) return;
    const std::uint64_t sum = static_cast<std::uint64_t>(read[1]) + (static_cast<std::uint64_t>(read[2]) << 32);
    const std::optional<std::uint64_t> said = file()->said_sum(getting.number, getting.record);
    if (said && *said != sum)
      fail(THALWEG_ERROR_FORMAT,
           "{}: its values are not those that were written: they add up to {:016x}, but by '{}' to {:016x}; 'thalweg "
           "verify' looks at all of them. Take another file, or, if a program changed them on purpose, remove its "
           "checksums",
           getting.where, sum, storage::checksum_path(path), *said);
  });
}

}  // namespace

Input::Input(const Surroundings& around, std::string path, profile::InputCounters& counters, bool translates)
    : around_(around), path_(std::move(path)), translates_(translates), counters_(counters) {
  begin_call(around_.circle, [&] {
    if (path_.empty()) fail(THALWEG_ERROR_ARGUMENT, "the input has no path: argument 'path' is empty");
    return fmt::format("open of '{}'\n", path_);
  });
  contents_ = unpacked(transport::told_by_first(around_.circle, [&] {
    OpenedFile opened = opened_file(around_, path_, translates_);
    file_ = std::move(opened.file);
    is_summed_ = opened.has_companion;
    return read::packed(opened.contents);
  }));
  roles::broadcast_value(around_.circle, 0, is_summed_);
}

Input::~Input() {
  release();
}

// Another rank may have opened the input before: it must not have become another one meanwhile.
const std::shared_ptr<FileReader>& Input::file() {
  if (file_) return file_;
  OpenedFile opened = opened_file(around_, path_, translates_);
  if (read::packed(opened.contents) != read::packed(contents_))
    fail(THALWEG_ERROR_FORMAT, "'{}' has changed since it was opened; close the input, and open it again", path_);
  file_ = std::move(opened.file);
  return file_;
}

void Input::release() {
  if (!file_) return;
  around_.ahead.forget(*file_);
  // A format library may have one thread at a time, and that one stands still.
  around_.ahead.keep(std::exchange(file_, nullptr));
}

const InputVariable& Input::variable(const std::string& said) const {
  const std::string name = name_in_file(said);
  const auto part = parts_.find(name);
  return part == parts_.end() ? in_file(name) : part->second;
}

const InputVariable& Input::in_file(const std::string& name) const {
  if (const InputVariable* found = contents_.find(name)) return *found;
  const auto left = std::ranges::find(contents_.left_out, name, &formats::LeftOut::name);
  if (left != contents_.left_out.end())
    fail(THALWEG_ERROR_FORMAT, "input '{}': variable '{}' cannot be read: {}", path_, name, left->why);
  fail(THALWEG_ERROR_NAME, "input '{}' has no variable '{}'{}", path_, name, name_hint(name, contents_.names()));
}

int Input::number_of(const InputVariable& variable) const {
  return static_cast<int>(&in_file(variable.name) - contents_.variables.data());
}

const std::vector<double>& Input::times_s() const {
  if (!contents_.no_times.empty())
    fail(THALWEG_ERROR_FORMAT, "input '{}' does not say when its records were: {}", path_, contents_.no_times);
  return contents_.times_s;
}

DeclaredVariable Input::declared_as(const InputVariable& of, const HeldAs& held) const {
  const geometry::Decomposition* decomposition =
      held.decomposition < 0 ? nullptr : &around_.decompositions[static_cast<std::size_t>(held.decomposition)];
  return {of, held, decomposition, path_};
}

Input::Change Input::declaring(const std::string& name, const HeldAs& held) const {
  const InputVariable& of = variable(name);
  return [name = of.name, held, declared = declared_as(of, held)](Input& input) {
    input.declared_.insert_or_assign(name, declared);
    input.held_.insert_or_assign(name, held);
  };
}

Input::Change Input::setting_missing(const std::string& name, double value) const {
  const InputVariable& of = variable(name);
  if (of.type == Type::character)
    fail(THALWEG_ERROR_SHAPE, "input '{}', variable '{}': it holds text, in which no value is missing", path_, name);
  return [name = of.name, value](Input& input) { input.missing_[name] = value; };
}

const DeclaredVariable& Input::declared(const InputVariable& variable) {
  auto found = declared_.find(variable.name);
  if (found == declared_.end()) found = declared_.emplace(variable.name, declared_as(variable, {})).first;
  return found->second;
}

std::optional<double> Input::missing(const std::string& name) const {
  const auto found = missing_.find(name_in_file(name));
  return found == missing_.end() ? std::nullopt : std::optional(found->second);
}

Getting Input::begin_get(const std::string& name, const Asking& asking, const Into& into) {
  const put::Field& field = into.field;
  Getting getting;
  const std::int64_t record = asking.record;
  const InputVariable& of = variable(name);
  getting.variable = &of;
  getting.number = number_of(of);
  getting.where = fmt::format("rank {}, input '{}', variable '{}'", around_.circle.rank(), path_, name);
  if (of.has_records) {
    if (record == -1)
      fail(THALWEG_ERROR_ARGUMENT, "{}: say which record is to be got; the variable has one in each of {}",
           getting.where, counted(contents_.records, "record"));
    if (record < 0 || record >= contents_.records)
      fail(THALWEG_ERROR_ARGUMENT, "{}: there is no record {}; it has {}{}", getting.where, told::number(record),
           counted(contents_.records, "record"),
           contents_.records > 0 ? fmt::format(", counted from {}", told::first()) : "");
    getting.record = record;
    getting.where += fmt::format(", record {}", told::number(record));
  }
  getting.held = &declared(of);
  if (!can_convert(of.type, field.type))
    fail(THALWEG_ERROR_SHAPE, "{}: {} values of the file cannot become {}", getting.where, name_of(of.type),
         name_of(field.type));
  require_packing(getting, into);
  getting.conversion = {of.type, field.type, of.packing, into.missing};
  if (getting.held->is_packed()) getting.conversion.packing.scale = getting.conversion.packing.offset = std::nullopt;
  getting.box = asking.box;
  require_box(getting, field);
  if (!getting.held->is_held(asking.box)) return getting;
  if (field.data == nullptr) fail(THALWEG_ERROR_ARGUMENT, "{}: argument 'data' is a null pointer", getting.where);
  getting.target = getting.held->target(field, getting.where, asking.box);
  if (getting.held->changes_signs()) {
    if (is_unsigned(field.type))
      fail(THALWEG_ERROR_SHAPE, "{}: values change their sign at the fold, which an array of {} cannot hold",
           getting.where, name_of(field.type));
    getting.target->without_sign = converted_missing(getting.conversion);
  }
  return getting;
}

void Input::get_into(const std::string& name, const Asking& asking, const std::function<Into()>& into) {
  const Timer timer(counters_.get_s);
  ++counters_.gets;
  Getting getting;
  begin_call(around_.circle, [&] {
    getting = begin_get(name, asking, into());
    const std::optional<double> missing = this->missing(name);
    return fmt::format("get of input '{}', variable '{}', record {}, box {}, declared as {}, missing values {}\n",
                       path_, name, getting.record, asking.box, getting.held->description(),
                       missing ? fmt::format("{}", *missing) : "as they are");
  });
  const std::shared_ptr<const ReadPlan> known = plan(getting);
  std::optional<WindowsInTurn> windows;
  Rounds rounds(getting, around_.circle, [&](std::size_t number) {
    file();
    const double begin_s = now_s();
    auto ahead = around_.ahead.take(record_of(getting, *file_, *known), number);
    const double taken_s = now_s();
    if (!ahead && !windows) windows.emplace(around_.storage, file_, getting, *known);
    ReadRound done = ahead ? std::move(*ahead) : windows->round(number);
    counters_.wait_read_s.add(begin_s, ahead ? taken_s : begin_s + done.read_s);
    counters_.get_bytes += done.bytes;
    return done;
  });
  transport::together(around_.circle, [&] {
    rounds.make(*known);
    if (getting.target) getting.held->place_copies(*getting.target);
  });
  if (getting.is_summed) compare(around_.circle, path_, [this] { return file(); }, getting, rounds.has_read());
}

bool Input::read_ahead(const std::string& name, const Asking& asking, const std::function<Into()>& into,
                       std::shared_ptr<const void> keeps) {
  const auto found = around_.plans.find(plan_key(declared(variable(name)), asking.box));
  if (found == around_.plans.end() || !found->second) return false;
  const std::vector<std::size_t> numbers = rounds_with_windows(*found->second);
  if (numbers.empty()) return false;
  Getting getting = begin_get(name, asking, into());
  const std::shared_ptr<const ReadPlan> known = plan(getting);
  // Of its own, because what is selected may be another part before the thread has read it.
  const auto reading = std::make_shared<KeptReading>(file(), getting);
  const auto read = [reading, known, keeps = std::move(keeps)](std::size_t number) {
    return read_round(*reading->file, reading->getting, known->rounds[number], reading->rooms);
  };
  around_.ahead.ask(record_of(getting, *file_, *known), numbers, getting.where, read);
  return true;
}

void Input::forget_ahead(const std::string& name, int box) {
  if (file_) around_.ahead.forget(*file_, ReadAhead::BoxOf{number_of(variable(name)), box});
}

// Also of whether there are sums, which may be other readers'.
std::string Input::plan_key(const DeclaredVariable& held, int box) const {
  return held.plan_key(box) + (is_summed_ ? " summed" : "");
}

std::shared_ptr<const ReadPlan> Input::plan(Getting& getting) {
  auto& known = around_.plans[plan_key(*getting.held, getting.box)];
  if (!known) known = std::make_shared<const ReadPlan>(made_plan(around_, getting, is_summed_));
  getting.is_summed = is_summed_ && !known->alone && getting.variable->selection.is_all();
  return known;
}

}  // namespace thalweg::read
