// Start and finish of a session.
#include "api/engine_port.hpp"
#include "api/funnel.hpp"
#include "api/handles.hpp"
#include "api/publish_report.hpp"
#include "base/log.hpp"
#include "client/registered_procedures.hpp"
#include "config/pfio_options.hpp"
#include "roles/pfio_arithmetic.hpp"
#include "transport/agreement.hpp"
#include "transport/collective.hpp"

namespace thalweg::api {
namespace {

void require_mpi() {
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized == 0) fail(THALWEG_ERROR_STATE, "MPI is not initialised; call MPI_Init before thalweg_start");
}

// Collective over clients and servers.
void end(thalweg_session& handle) {
  const profile::Report report = handle.session->finish();
  publish_report(*handle.session, report);
  const std::optional<Error> loss = handle.session->loss();
  handle.session.reset();
  if (loss) throw *loss;
}

// What PFIO's options on the command line ask for, once it is known how large nodes are.
void settle_pfio_launch(MPI_Comm comm, config::Settings& settings) {
  if (!settings.pfio) return;
  const config::PfioLaunch& launch = *settings.pfio;
  const std::int64_t cores = roles::largest_node(comm, settings.emulate_nodes);
  const std::string problem = roles::launch_problem(launch, transport::size_of(comm), cores);
  if (!problem.empty()) fail(THALWEG_ERROR_CONFIG, "command-line: {}", problem);
  if (settings.writers == config::Writers::nodes && !launch.output.sizes.empty())
    settings.server_nodes = config::server_nodes(launch, cores);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  for (const std::string& note : launch.notes)
    if (rank == 0) log::note("{}", note);
}

// serves: this rank's program is a server.
template <typename Load>
void start(MPI_Comm comm, const Load& load, thalweg_session** session, bool serves = false) {
  thalweg_session*& made = required(session, "session");
  made = nullptr;
  require_mpi();
  config::Settings settings;
  transport::together(comm, [&] { settings = load(); });
  transport::together(comm, [&] { roles::emulated_nodes(transport::size_of(comm), settings.emulate_nodes); });
  settle_pfio_launch(comm, settings);
  auto roles = std::make_unique<roles::Roles>(comm, settings.emulate_nodes, roles::placement_of(settings), serves);
  if (roles->has_servers() && !config::has_servers(settings.writers)) settings.writers = config::Writers::ranks;
  auto handle = std::make_unique<thalweg_session>();
  const roles::Role role = roles->self.role;
  if (role != roles::Role::spare) {
    const client::MakeWriter make_writer = writer_maker(settings, transport::processors_of_node(*roles));
    handle->session = std::make_unique<client::Session>(std::move(settings), std::move(roles), make_writer);
  }
  if (role == roles::Role::server) {
    handle->session->serve();
    end(*handle);
  }
  if (role == roles::Role::client)
    handle->guard = std::make_unique<FinalizeGuard>([of = handle->session.get()] { of->meet_end_of_mpi(); });
  made = handle.release();
}

}  // namespace
}  // namespace thalweg::api

using namespace thalweg;

int thalweg_register_procedure(const char* collection, thalweg_write_procedure procedure, void* user) {
  return api::funnel([&] {
    const std::string name = api::required_text(collection, "collection");
    client::register_procedure(name, api::required_procedure(name, procedure, user));
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

int thalweg_serve(MPI_Comm comm, const char* config) {
  return api::funnel([&] {
    thalweg_session* session = nullptr;
    api::start(comm, [&] { return config::load_file(api::text_or_empty(config)); }, &session, true);
    const std::unique_ptr<thalweg_session> owned(session);
  });
}

int thalweg_is_client(const thalweg_session* session, int* flag) {
  return api::funnel([&] { api::required(flag, "flag") = api::required(session, "session").session ? 1 : 0; });
}

int thalweg_model_comm(const thalweg_session* session, MPI_Comm* comm) {
  return api::funnel(
      [&] { api::required(comm, "comm") = api::session_in(api::required(session, "session")).roles().model; });
}

int thalweg_finish(thalweg_session** session) {
  return api::funnel([&] {
    thalweg_session*& handle = api::required(session, "session");
    if (handle == nullptr) fail(THALWEG_ERROR_STATE, "the session is finished already, or was never started");
    const std::unique_ptr<thalweg_session> owned(handle);
    handle = nullptr;
    if (owned->session) api::end(*owned);
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
