// Start and finish of a session.
#include <exception>
#include <random>

#include "api/collective_call.hpp"
#include "api/forked_child.hpp"
#include "api/funnel.hpp"
#include "api/handles.hpp"
#include "api/kept_time_line.hpp"
#include "api/publish_report.hpp"
#include "api/publish_time_line.hpp"
#include "base/first_error.hpp"
#include "base/told.hpp"
#include "config/fitting.hpp"
#include "config/notes.hpp"
#include "formats/patience.hpp"
#include "server/serve.hpp"
#include "session/layout_of_build.hpp"
#include "session/registered_procedures.hpp"
#include "transport/agreement.hpp"
#include "transport/collective.hpp"
#include "transport/same_build.hpp"

namespace thalweg::api {
namespace {

void require_mpi() {
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized == 0) fail(THALWEG_ERROR_STATE, "MPI is not initialised; call MPI_Init before thalweg_start");
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized != 0) fail(THALWEG_ERROR_STATE, "MPI has ended; call thalweg_start before MPI_Finalize");
}

// Collective over clients and servers. kept: null if there is none.
// beside: what the session does not know of.
void end(std::unique_ptr<session::Session> session, KeptTimeLine* kept, profile::Report beside = {}) {
  profile::Report report = session->finish();
  report.inputs = std::move(beside.inputs);
  report.fields = std::move(beside.fields);
  publish_report(*session, report);
  publish_time_line(*session);
  if (kept != nullptr) kept->drop();
  const std::optional<Error> loss = session->loss();
  const std::optional<Error> not_put = session->take_not_put();
  session.reset();
  if (loss) throw *loss;
  if (not_put) throw *not_put;
}

// Where it does not end well, what is known of the time line stays.
template <typename Work>
void keeping(KeptTimeLine* kept, const Work& work) {
  try {
    work();
  } catch (...) {
    if (kept != nullptr) kept->keep();
    throw;
  }
}

// Which the program has not closed: who waits for others in that is told with the file.
void close_all(netcdf::Files& files, session::Session& session) {
  files.close_all([&](const std::string& path) { name_call(session, "thalweg_finish (without nf90_close)", path); });
  name_call(session, "thalweg_finish");
}

// The handle of a session that has begun.
thalweg_session* handle_of(std::unique_ptr<session::Session> session, bool is_client) {
  watch_forks();
  thalweg_session& handle = handles<thalweg_session>().make();
  handle.session = std::move(session);
  if (is_client) handle.kept = KeptTimeLine::begin(*handle.session);
  if (is_client && handle.session->roles().self.writes) formats::begin_libraries();
  if (is_client)
    handle.guard = std::make_unique<FinalizeGuard>([&handle] {
      if (handle.life != thalweg_session::Life::open) return;  // it is the parent's
      handle.life = thalweg_session::Life::overtaken;
      if (handle.kept) handle.kept->keep();
      handle.session->meet_end_of_mpi();
    });
  return &handle;
}

// All ranks have those of the first, of the model or a server: they write the same sets. A job that is started again
// has the same configuration, but is another one.
void share_identity(const roles::Circle& circle, config::Settings& settings) {
  std::random_device random;
  settings.session_id = fmt::format("{:08x}{:08x}", random(), random());
  const transport::Bytes own = transport::Packer().put_all(settings.session_id).put_all(settings.run_id).take();
  const transport::Bytes of_first = transport::broadcast(circle, 0, own);
  transport::Unpacker unpacker(of_first);
  settings.session_id = unpacker.get_all<std::string>();
  settings.run_id = unpacker.get_all<std::string>();
  if (settings.run_id.empty()) settings.run_id = settings.session_id;
}

int ranks_of_job() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

// serves: this rank's program is a server.
template <typename Load>
void start(MPI_Comm comm, const Load& load, thalweg_session** session, bool serves = false) {
  thalweg_session*& made = required(session, "session");
  made = nullptr;
  WithoutSizeSignal::look_at_limit();
  const WithoutSizeSignal without_signal;
  require_mpi();
  const profile::MpiCountsByPhase before = profile::mpi_counts();
  config::Settings settings;
  const roles::Circle circle(comm);
  circle.patience()->call = [] { return "thalweg_start"; };
  circle.patience()->all_ranks = comm;
  // The deadline is known before anybody is waited for.
  std::exception_ptr unreadable;
  try {
    settings = load();
    circle.patience()->deadline_s = settings.deadline_s;
    formats::Patience::of_process() = settings.deadline_s;
  } catch (...) {
    unreadable = std::current_exception();
  }
  transport::check_same_build(circle, {THALWEG_VERSION, session::layout_of_build()});
  transport::together(circle, [&] {
    if (unreadable) std::rethrow_exception(unreadable);
  });
  transport::together(circle, [&] {
    config::fitting(settings, "emulate-nodes", [&] { roles::emulated_nodes(circle.size(), settings.emulate_nodes); });
  });
  if (settings.launch)
    settings.complete_launch({.count = circle.size(),
                              .of_largest_node = roles::largest_node(circle, settings.emulate_nodes),
                              .are_whole_job = circle.size() == ranks_of_job()});
  if (circle.rank() == 0) config::log_notes(settings);
  share_identity(circle, settings);
  auto roles = config::fitting(settings, "writers", [&] {
    return std::make_unique<roles::Roles>(circle, settings.emulate_nodes, roles::placement_of(settings), serves);
  });
  if (roles->has_servers()) settings.write_by_server_programs();
  std::unique_ptr<session::Session> begun;
  const roles::Role role = roles->self.role;
  if (role != roles::Role::spare) begun = std::make_unique<session::Session>(std::move(settings), std::move(roles));
  if (begun) begun->core().measured.mpi_before = before;
  if (role == roles::Role::server) {
    const profile::InMpiPhase in(profile::MpiPhase::server);
    const std::unique_ptr<KeptTimeLine> kept = KeptTimeLine::begin(*begun);
    keeping(kept.get(), [&] {
      server::serve(*begun);
      end(std::move(begun), kept.get());
    });
  }
  made = handle_of(std::move(begun), role == roles::Role::client);
}

}  // namespace
}  // namespace thalweg::api

using namespace thalweg;

int thalweg_register_procedure(const char* collection, thalweg_write_procedure procedure, void* user) {
  return api::funnel([&] {
    const std::string name = api::required_text(collection, "collection");
    session::register_procedure(name, api::required_procedure(name, procedure, user));
  });
}

int thalweg_start(MPI_Comm comm, const char* config, thalweg_session** session) {
  return api::funnel([&] { api::start(comm, [&] { return config::load_file(api::text_or_empty(config)); }, session); });
}

int thalweg_start_text(MPI_Comm comm, const char* yaml, const char* origin, thalweg_session** session) {
  return api::funnel([&] {
    const std::string name = origin == nullptr ? "program" : origin;
    api::start(comm, [&] { return config::load_text(api::text_or_empty(yaml), name); }, session);
  });
}

// Of the Fortran interface (fortran/descriptors.h).
extern "C" THALWEG_API void thalweg_tell_as_fortran() {
  told::set_language(told::Language::fortran);
}

int thalweg_serve(MPI_Comm comm, const char* config) {
  return api::funnel([&] {
    thalweg_session* session = nullptr;
    api::start(comm, [&] { return config::load_file(api::text_or_empty(config)); }, &session, true);
    if (session != nullptr) session->life = thalweg_session::Life::finished;
  });
}

int thalweg_is_client(const thalweg_session* session, int* flag) {
  return api::funnel([&] { api::required(flag, "flag") = api::required_handle(session).session ? 1 : 0; });
}

int thalweg_model_comm(const thalweg_session* session, MPI_Comm* comm) {
  return api::funnel([&] { api::required(comm, "comm") = api::session_in(session).roles().model; });
}

int thalweg_finish(thalweg_session** session) {
  return api::funnel(profile::MpiPhase::finish, [&] {
    thalweg_session*& handle = api::required(session, "session");
    if (handle == nullptr) fail(THALWEG_ERROR_STATE, "the session is finished already, or was never started");
    thalweg_session& ended = api::required_handle(std::exchange(handle, nullptr));
    if (ended.session) api::name_call(*ended.session, "thalweg_finish");  // and ends in it
    FirstError first;  // the session ends whatever comes of its files
    profile::Report beside;
    const std::unique_ptr<fields::Fields> fields = std::move(ended.fields);
    if (fields && ended.life == thalweg_session::Life::open) first.of([&] { beside.fields = fields->finish(); });
    const std::unique_ptr<netcdf::Files> files = std::move(ended.files);
    if (files && ended.life == thalweg_session::Life::open) first.of([&] { api::close_all(*files, *ended.session); });
    ended.series.clear();
    if (ended.inputs) beside.inputs = ended.inputs->counters();
    if (ended.inputs) first.of([&] { ended.inputs->throw_if_left(); });
    ended.inputs.reset();
    ended.registered.clear();
    ended.life = thalweg_session::Life::finished;
    std::unique_ptr<session::Session> session_of_rank = std::move(ended.session);
    const std::unique_ptr<api::FinalizeGuard> guard = std::move(ended.guard);
    const std::unique_ptr<api::KeptTimeLine> kept = std::move(ended.kept);
    if (session_of_rank)
      api::keeping(kept.get(), [&] { api::end(std::move(session_of_rank), kept.get(), std::move(beside)); });
    first.rethrow();
  });
}

const char* thalweg_error_text(void) {
  return api::error_text().c_str();
}

const char* thalweg_version(void) {
  return THALWEG_VERSION;
}

std::string& thalweg::api::error_text() {
  thread_local std::string text;
  return text;
}
