// What the opaque handles of thalweg.h point at. They outlive their session, so that a call with one that is stale says
// so (handle_table.hpp).
#pragma once

#include <atomic>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "api/finalize_guard.hpp"
#include "api/handle_table.hpp"
#include "api/kept_time_line.hpp"
#include "block/callback.hpp"
#include "fields/fields.hpp"
#include "forcing/series.hpp"
#include "netcdf/files.hpp"
#include "read/inputs.hpp"
#include "read/restore.hpp"
#include "session/session.hpp"

namespace thalweg::api {

// In which the model keeps the variables of a collection between steps.
struct RegisteredArrays {
  read::Arrays arrays;
  std::set<read::ArrayOf> put_fixed;  // those without records that were put
};

}  // namespace thalweg::api

struct thalweg_session {
  enum class Life { open, finished, overtaken, of_parent };  // overtaken: by the end of MPI

  std::atomic<Life> life{Life::open};
  std::unique_ptr<thalweg::session::Session> session;  // null on a rank that has served, or is spare
  std::unique_ptr<thalweg::fields::Fields> fields;     // once there are some
  std::unique_ptr<thalweg::netcdf::Files> files;       // that are written by netCDF calls, once there are some
  std::unique_ptr<thalweg::read::Inputs> inputs;       // once one was opened
  std::list<thalweg::forcing::Series> series;          // those of the inputs that are open
  std::map<const thalweg_collection*, thalweg::api::RegisteredArrays> registered;
  std::unique_ptr<thalweg::api::FinalizeGuard> guard;  // on clients
  std::unique_ptr<thalweg::api::KeptTimeLine> kept;    // of a run that has a time line
  std::string time_units, calendar;                    // for thalweg_time_units
};

struct thalweg_decomposition {
  thalweg_session* session = nullptr;
  int number = -1;
};

struct thalweg_collection {
  thalweg_session* session = nullptr;
  thalweg::session::Collection* collection = nullptr;
};

struct thalweg_field {
  thalweg_session* session = nullptr;
  int number = -1;
};

struct thalweg_input {
  thalweg_session* session = nullptr;
  thalweg::forcing::Series* input = nullptr;  // null: it is closed
};

namespace thalweg::api {

// The handle, if it is one of an open session. Errors: ARGUMENT for a null pointer and for what is no handle; STATE
// when its session is finished, or MPI is.
thalweg_session& required_handle(const thalweg_session* session);
const thalweg_collection& required_handle(const thalweg_collection* collection);
const thalweg_decomposition& required_handle(const thalweg_decomposition* decomposition);
const thalweg_field& required_handle(const thalweg_field* field);
// Errors: also STATE for one that is closed.
const thalweg_input& required_handle(const thalweg_input* input);

// Errors: as above, and STATE on ranks that are no clients.
session::Session& session_in(const thalweg_session* handle);
session::Session& session_in(const thalweg_collection* handle);
session::Session& session_in(const thalweg_input* handle);

inline block::Callback required_procedure(const std::string& collection, thalweg_write_procedure procedure,
                                          void* user) {
  if (procedure == nullptr)
    fail(THALWEG_ERROR_ARGUMENT, "collection '{}': the write procedure is a null pointer", collection);
  return {procedure, user};
}

}  // namespace thalweg::api
