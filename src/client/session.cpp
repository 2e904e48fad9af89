#include "client/session.hpp"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <new>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/names.hpp"
#include "client/area.hpp"
#include "client/registered_procedures.hpp"
#include "store/ompio.hpp"
#include "transport/agreement.hpp"
#include "transport/collective.hpp"
#include "transport/index_plan.hpp"
#include "transport/plan_exchange.hpp"

namespace thalweg::client {
Session::Session(config::Settings settings, std::unique_ptr<roles::Roles> roles, const MakeWriter& make_writer)
    : settings_(std::move(settings)),
      roles_(std::move(roles)),
      notices_(roles_->messages),
      verbs_(roles_->messages, transport::Notices::verb_tag, transport::Notices::verb_window),
      survives_(settings_.on_server_loss == config::OnServerLoss::go_on && roles_->group_count > 1),
      rolls_(roles_->messages, transport::Notices::roll_tag),
      start_s_(now_s()) {
  // A process chooses its MPI-IO when it opens its first file, and not all ranks open one for the direct engine: so
  // that all have chosen the same when they open a file together, in this session or in a later one.
  store::avoid_faulty_ompio();
  const int groups = survives_ ? roles_->group_count : 0;
  transport::together(roles_->world, [&] {
    control_memory_ =
        transport::share_memory(*roles_, staging::Control::bytes_for(roles_->node_size, roles_->node_count, groups));
  });
  control_ = reinterpret_cast<staging::Control*>(control_memory_.data());
  if (roles_->leads_node()) {
    new (control_) staging::Control();
    control_->initialise(roles_->node_size, roles_->node_count, groups);
    for (int n = 0; n < roles_->node_count; ++n)
      if (n != roles_->node) control_->node(n).leader = roles_->nodes[static_cast<std::size_t>(n)].leader;
  }
  transport::barrier(roles_->local);
  staging::ClientState& self = control_->client(roles_->node_rank);
  self.rank = roles_->rank;
  self.pid = getpid();
  self.is_server = !roles_->is_client();
  self.group = survives_ && self.is_server ? roles_->self.group : -1;
  transport::barrier(roles_->local);
  waiter_ = std::make_unique<staging::Waiter>(
      *control_, roles_->node_rank, settings_.deadline_s,
      [this](int collection, int variable) { return title_of(collection, variable); });
  set_pump();
  watch_meetings();
  set_up_losses();
  note_progress();
  // Nobody leaves before all are here: a server would wait for orders of clients that have given up.
  transport::together(roles_->world, [&] {
    if (!roles_->self.writes) return;
    writer_ = make_writer(*control_, *book_);
    if (settings_.writers != config::Writers::sync) writer_->start();
  });
}

// Where nobody can be told by an error: the others go on, so they have to hear of it.
void Session::start_writer() {
  try {
    writer_->start();
  } catch (const Error& error) {
    control_->report_writer_failure(error);
  }
}

void Session::set_pump() {
  waiter_->set_pump([this] { progress(); }, looks_for_messages() ? message_interval_s : survives_ ? 0.25 : 1.0);
}

// Collective steps, too, end with what others of the node have met, and others see who waits in one.
void Session::watch_meetings() {
  roles::Patience& patience = *roles_->world.patience();
  patience.call = "a collective call";
  patience.looks = [this] { waiter_->look_in_meeting(); };
  patience.ends = [this] { waiter_->end_meeting(); };
  patience.who_waits = [this] { return waiter_->who_waits(); };
  patience.expired = [this](const Error& error) { control_->report_failure(error.code(), error.what()); };
}

bool Session::looks_for_messages() const {
  const auto is_divided = [](const Collection* collection) { return collection->shares.size() > 1; };
  return roles_->node_count > 1 || (roles_->self.writes && std::ranges::any_of(ready_collections_, is_divided));
}

Session::~Session() {
  release();
}

int Session::decompose(exchange::Decomposition decomposition) {
  tell(verbs::Decompose{decomposition.dimensions, decomposition.shape, decomposition.halo_low, decomposition.halo_high,
                        decomposition.masked});
  const std::string description = fmt::format(
      "({}) of {}, halo {} {}, masked {}\n", fmt::join(decomposition.dimensions, ","), to_string(decomposition.shape),
      to_string(decomposition.halo_low), to_string(decomposition.halo_high), decomposition.masked);
  meet_for_definitions();
  transport::together(roles_->world, [&] { exchange::check_own_boxes(decomposition, roles_->rank); });
  transport::check_same(roles_->world, fmt::format("decompositions ({})", fmt::join(decomposition.dimensions, ",")),
                        description);
  // Overlaps and holes are found now, where the model can be pointed at, on an even cut with one domain a node that
  // writes.
  Index domains = Index::filled(decomposition.shape.rank(), 1);
  domains[0] = std::min<std::int64_t>(std::ssize(roles_->writing_nodes(0)), decomposition.shape[0]);
  transport::make_plan(*roles_, decomposition, exchange::Layout::even(decomposition.shape, domains),
                       transport::Writing{roles_->home_of(0), 0});
  decompositions_.push_back(std::move(decomposition));
  return static_cast<int>(decompositions_.size()) - 1;
}

// A list that is long is coded here and then let go: what stays is in proportion to its runs.
int Session::decompose_indices(const std::string& dim, std::int64_t size, std::span<const std::int64_t> index,
                               bool masked) {
  tell(verbs::DecomposeIndices{dim, size, masked});
  exchange::Decomposition decomposition{{dim}, {size}, {}, {0}, {0}, masked, nullptr};
  meet_for_definitions();
  transport::check_same(roles_->world, fmt::format("index lists of dimension '{}'", dim),
                        fmt::format("({}) of {} points, masked {}\n", dim, size, masked));
  transport::together(roles_->world, [&] {
    decomposition.list = std::make_shared<const exchange::IndexList>(
        exchange::index_list(dim, size, index, roles_->rank, settings_.owner));
  });
  if (!decomposition.list->runs.empty()) decomposition.boxes = {{{0}, {decomposition.list->count}}};
  decomposition.list =
      std::make_shared<const exchange::IndexList>(transport::settle_owners(*roles_, decomposition, settings_.owner));
  decompositions_.push_back(std::move(decomposition));
  return static_cast<int>(decompositions_.size()) - 1;
}

Collection& Session::open_collection(const std::string& name) {
  for (const Collection& collection : collections_)
    if (collection.name == name)
      fail(THALWEG_ERROR_NAME, "collection '{}' is open already; open each once and keep the handle", name);
  collections_.emplace_back(static_cast<int>(collections_.size()), settings_.collection(name), settings_);
  collections_.back().schedule.set_start_time(now_s_);
  hold_for_start();
  if (collections_.back().declaration.settings().format == config::Format::user)
    collections_.back().procedure = registered_procedure(name);
  times_.receive_s.push_back(0.0);
  times_.forward_s.push_back(0.0);
  all_ready_ = false;
  tell(verbs::OpenCollection{name});
  return collections_.back();
}

Collection& Session::collection_at(int number) {
  return *std::next(collections_.begin(), number);
}

catalog::DecompositionNames Session::names_of(int decomposition) const {
  const exchange::Decomposition& of = decompositions_[static_cast<std::size_t>(decomposition)];
  return {decomposition, &of.dimensions, of.shape, of.masked};
}

catalog::Declaration& Session::declare(Collection& collection) {
  if (collection.is_ready)
    fail(THALWEG_ERROR_STATE,
         "collection '{}': definitions ended with thalweg_ready, or with the first put or advance; define everything "
         "before",
         collection.name);
  return collection.declaration;
}

void Session::define_dimension(Collection& collection, const std::string& name, std::int64_t size) {
  declare(collection).define_dimension(name, size);
  tell(verbs::DefineDimension{collection.number, name, size});
}

void Session::define_variable(Collection& collection, const std::string& name, const std::string& dims, Type type,
                              int decomposition, const std::string& memory_dims) {
  catalog::Declaration& declaration = declare(collection);
  if (decomposition < 0) {
    declaration.define_variable(name, dims, type, nullptr, memory_dims);
  } else {
    const catalog::DecompositionNames names = names_of(decomposition);
    declaration.define_variable(name, dims, type, &names, memory_dims);
  }
  tell(verbs::DefineVariable{collection.number, name, dims, type, decomposition, memory_dims});
}

void Session::define_attribute(Collection& collection, const std::string& variable,
                               const catalog::Attribute& attribute) {
  declare(collection).define_attribute(variable, attribute);
  tell(verbs::DefineAttribute{collection.number, variable, attribute});
}

void Session::set_procedure(Collection& collection, const store::Procedure& procedure) {
  if (store::traits_of(declare(collection).definition().format).makes_files)
    fail(THALWEG_ERROR_FORMAT,
         "collection '{}': a write procedure is for the format 'user'; set format: user, or leave the call out",
         collection.name);
  if (roles_->has_servers())
    fail(THALWEG_ERROR_STATE,
         "collection '{}': servers write it, and do not know the procedure of this rank; give it to "
         "thalweg_register_procedure (Fortran thw_register_procedure) on every rank before thalweg_start, or set "
         "writers: thread or sync",
         collection.name);
  collection.procedure = procedure;
}

void Session::set_time(double time_s) {
  if (running_)
    fail(THALWEG_ERROR_STATE, "set_time comes before the first put or advance; model time is {} s already", now_s_);
  require_model_time("set_time", time_s);
  tell(verbs::SetTime{time_s});
  now_s_ = time_s;
  note_start(time_s);
  for (Collection& collection : collections_) collection.schedule.set_start_time(time_s);
}

void Session::new_file(Collection& collection, const std::string& name) {
  if (name.empty()) fail(THALWEG_ERROR_ARGUMENT, "collection '{}': the new file needs a name", collection.name);
  if (collection.has_begun_record())
    fail(
        THALWEG_ERROR_STATE,
        "collection '{}': the new file '{}' begins with a record that has fields already; name it before the first put "
        "behind an advance",
        collection.name, name);
  collection.schedule.set_next_file(name);
  tell(verbs::NewFile{collection.number, name});
}

const std::string& Session::where(const Collection& collection, int variable) const {
  return collection.puts[static_cast<std::size_t>(variable)].where;
}

std::string Session::title_of(int collection, int variable) const {
  if (collection < 0 || collection >= static_cast<int>(ready_collections_.size())) return "a collection";
  const Collection& of = *ready_collections_[static_cast<std::size_t>(collection)];
  if (variable < 0) return fmt::format("collection '{}'", of.name);
  return fmt::format("collection '{}', variable '{}'", of.name, of.variable(variable).name);
}

void Session::advance(double time_s) {
  throw_if_failed();
  require_ready();
  require_step(time_s);
  running_ = true;
  note_step(time_s);
  tell(verbs::Advance{time_s});
  for (Collection* collection : ready_collections_) {
    if (collection->schedule.upcoming().due && !is_given_up(*collection))
      unless_lost([&] { close_record(*collection, time_s); });
    collection->schedule.advance(time_s);
    look_at_early_pieces();
  }
  advanced_ = true;
  now_s_ = time_s;
  progress();
  wait_until_sent();
  if (sends_are_under_way()) ++counters_.unsent_advances;
  drive_messages();
}

void Session::close_record(Collection& collection, double time_s) {
  const Upcoming upcoming = collection.schedule.upcoming();
  if (!collection.schedule.closes(time_s)) return;
  put_missing(collection, true, upcoming.record);
  begin_record(collection, upcoming);
  put_record_coordinate(collection, time_s);
  at_desk(collection, [&](FileDesk& desk) {
    desk.end_record(time_s);
    if (settings_.writers == config::Writers::sync) desk.place_pending();
    control_->ring();
  });
  if (collection.by_library()) write_by_library(collection, upcoming);
  collection.keep_index(upcoming);
  ++counters_.records;
  if (collection.by_library()) return;
  settle(collection, upcoming.record);
  if (settings_.writers != config::Writers::sync) return;
  const Timer timer(counters_.wait_commit_s);
  drain_until([&] { return collection.written_records() > upcoming.record; },
              {staging::WaitCause::commit, collection.number, -1, upcoming.record}, "");
}

// Messages and the places of chunks go on only while this rank is in a call of Thalweg, and behind this one it may wait
// in the model's own communication for ranks that wait for them. So it does not leave before everybody can put as far
// as it has: pieces are taken that keep a buffer or a block from the next record, and records have their places whose
// blocks that needs. A rank that holds cells of the collection meets the same limits in its puts; one without would
// not. Those who send to it and wait until that has left need one more buffer.
void Session::settle(Collection& collection, std::int64_t record) {
  if (!roles_->is_client()) return;  // a server is always in a call
  const std::int64_t needed = record + 2 - collection.plan->record_ring.shape().depth;
  const std::int64_t buffers = transport::channel_buffers - (settings_.send == config::Send::wait ? 1 : 0);
  const FileDesk* desk = desk_of(collection);
  const Inbox* late = nullptr;
  const auto is_late = [&](const Inbox& inbox) {
    return collection.variable(inbox.variable).has_record &&
           inbox.channel.next_record() < std::max(needed, record - buffers);
  };
  const auto done = [&] {
    const auto found = std::ranges::find_if(collection.inboxes, is_late);
    late = found == collection.inboxes.end() ? nullptr : &*found;
    return late == nullptr && (desk == nullptr || !desk->owes(needed));
  };
  if (done()) return;
  const Timer timer(counters_.wait_block_s);
  drain_until(done, {staging::WaitCause::peers, collection.number, late == nullptr ? -1 : late->variable, record},
              late == nullptr ? "Encoded chunks of an earlier record are not complete.\n"
                              : "Pieces of an earlier record have not come.\n",
              message_interval_s);
}

// Under "sync" the leader is the writer; elsewhere a writer's rank waits like everybody else.
void Session::drain_until(const std::function<bool()>& done, const staging::WaitFor& what,
                          const std::function<std::string()>& blame, double longest_interval_s) {
  const bool steps = settings_.writers == config::Writers::sync && roles_->self.writes;
  const auto ready = [&] {
    if (steps)
      while (writer_->step()) progress();
    return done();
  };
  // The bell tells the stepping leader that pieces came in, the news tell the others that something was written.
  if (steps) control_->listen_to_bell(true);
  waiter_->wait(steps ? control_->bell_word() : control_->news(), what, ready, blame, longest_interval_s);
  if (steps) control_->listen_to_bell(false);
}

void Session::flush() {
  throw_if_failed();
  require_ready();
  running_ = true;
  tell(verbs::Flush{});
  place_all();
}

void Session::place_all() {
  for (Collection* collection : ready_collections_) {
    at_desk(*collection, [](FileDesk& desk) { desk.place_pending(); });
    collection->ask_for(std::max(collection->begun_records, collection->schedule.closed_records()));
  }
  progress();
  control_->ring();
  drive_messages();
}

void Session::wait() {
  throw_if_failed();
  require_ready();
  running_ = true;
  tell(verbs::Wait{});
  meet_after_steps();
  place_all();
  const Timer timer(counters_.wait_commit_s);
  for (Collection* collection : ready_collections_) {
    if (is_given_up(*collection)) continue;
    const std::int64_t closed = collection->schedule.closed_records();
    unless_lost([&] {
      drain_until([&] { return collection->written_records() >= closed; },
                  {staging::WaitCause::commit, collection->number, -1, closed - 1}, "");
    });
  }
  require_all_arrived();
  check_steps_agree();
  for (Collection* collection : ready_collections_)
    if (!is_given_up(*collection)) collection->confirmed_records = collection->schedule.closed_records();
  if (const auto lost = loss()) throw *lost;
}

void Session::require_all_arrived() {
  if (survives_ && !ready_collections_.empty()) return call_roll();
  transport::PendingBarrier barrier(roles_->world);
  drain_until([&] { return barrier.is_done(); }, {staging::WaitCause::peers, -1, -1, -1},
              "Not every rank came to this collective call.\n", message_interval_s);
}

// Before collective steps that no rank may be missing in.
void Session::meet_for_definitions() {
  require_all_arrived();
  if (const auto lost = loss()) throw *lost;
}

// Like transport::together, but storage may hang, and then the others have a deadline.
void Session::together_at_storage(const std::function<void()>& work) {
  std::exception_ptr thrown;
  try {
    const store::StorageCallWatch watch([this] { note_storage_call(); });
    work();
  } catch (...) {
    thrown = std::current_exception();
  }
  meet_for_definitions();
  transport::together(roles_->world, [&] {
    if (thrown) std::rethrow_exception(thrown);
  });
}

}  // namespace thalweg::client
