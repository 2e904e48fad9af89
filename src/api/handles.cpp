#include "api/handles.hpp"

#include <unistd.h>

namespace thalweg::api {
namespace {

// What a handle of the kind is called in messages, and where it comes from.
struct Kind {
  const char* name;
  const char* made_by;
};
constexpr Kind kind_of(const thalweg_session* /*handle*/) {
  return {"session", "thalweg_start"};
}
constexpr Kind kind_of(const thalweg_collection* /*handle*/) {
  return {"collection", "thalweg_open_collection"};
}
constexpr Kind kind_of(const thalweg_decomposition* /*handle*/) {
  return {"decomposition", "thalweg_decompose"};
}
constexpr Kind kind_of(const thalweg_field* /*handle*/) {
  return {"field", "thalweg_define_field"};
}
constexpr Kind kind_of(const thalweg_input* /*handle*/) {
  return {"input", "thalweg_open_input"};
}

[[noreturn]] void refuse_unknown(const void* handle, const Kind& kind) {
  if (handle == nullptr)
    fail(THALWEG_ERROR_ARGUMENT,
         "argument '{}' is a null pointer: what {} gives was not set, or its session is finished; call {} before",
         kind.name, kind.made_by, kind.made_by);
  fail(THALWEG_ERROR_ARGUMENT,
       "argument '{}' is {}, which is no {} of this process: the variable was never set, or was overwritten; pass what "
       "{} gave",
       kind.name, handle, kind.name, kind.made_by);
}

[[noreturn]] void refuse_ended(thalweg_session::Life life, const Kind& kind) {
  if (life == thalweg_session::Life::of_parent)
    fail(THALWEG_ERROR_STATE,
         "argument '{}': its session is that of process {}, of which this one is a child by fork(); a child makes no "
         "calls of Thalweg, and ends by _exit()",
         kind.name, ::getppid());
  if (life == thalweg_session::Life::overtaken)
    fail(THALWEG_ERROR_STATE,
         "argument '{}': MPI_Finalize was called before thalweg_finish, so its session can do nothing any more; call "
         "thalweg_finish first, and make proper files of NAME.partial by 'thalweg recover'",
         kind.name);
  fail(THALWEG_ERROR_STATE,
       "argument '{}': its session is finished, and its handles with it; call {} again, in a session that is open, or "
       "call thalweg_finish later",
       kind.name, kind.made_by);
}

template <typename Handle>
Handle& known(Handle* handle) {
  if (!handles<std::remove_const_t<Handle>>().has(handle)) refuse_unknown(handle, kind_of(handle));
  return *handle;
}

void require_open(const thalweg_session& session, const Kind& kind) {
  const auto life = session.life.load(std::memory_order_relaxed);
  if (life != thalweg_session::Life::open) refuse_ended(life, kind);
}

session::Session& of_client(const thalweg_session& handle) {
  if (!handle.session)
    fail(THALWEG_ERROR_STATE,
         "this rank is a server, or left over, and its part ended with the start; ask is_client, and call nothing but "
         "finish "
         "where it says no");
  return *handle.session;
}

template <typename Handle>
const Handle& with_open_session(const Handle* handle) {
  const Handle& found = known(handle);
  require_open(*found.session, kind_of(handle));
  return found;
}

}  // namespace

thalweg_session& required_handle(const thalweg_session* session) {
  const thalweg_session& found = known(session);
  require_open(found, kind_of(session));
  return const_cast<thalweg_session&>(found);
}

const thalweg_collection& required_handle(const thalweg_collection* collection) {
  return with_open_session(collection);
}

const thalweg_decomposition& required_handle(const thalweg_decomposition* decomposition) {
  return with_open_session(decomposition);
}

const thalweg_field& required_handle(const thalweg_field* field) {
  return with_open_session(field);
}

const thalweg_input& required_handle(const thalweg_input* input) {
  const thalweg_input& found = with_open_session(input);
  if (found.input == nullptr)
    fail(THALWEG_ERROR_STATE, "argument 'input': it is closed; open it again by thalweg_open_input");
  return found;
}

session::Session& session_in(const thalweg_input* handle) {
  return of_client(*required_handle(handle).session);
}

session::Session& session_in(const thalweg_session* handle) {
  return of_client(required_handle(handle));
}

session::Session& session_in(const thalweg_collection* handle) {
  return of_client(*required_handle(handle).session);
}

}  // namespace thalweg::api
