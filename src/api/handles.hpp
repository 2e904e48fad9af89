// What the opaque handles of thalweg.h point at. They live in the session.
#pragma once

#include <list>
#include <memory>
#include <string>

#include "api/finalize_guard.hpp"
#include "client/session.hpp"
#include "store/procedure.hpp"

struct thalweg_decomposition {
  thalweg_session* session;
  int number;
};

struct thalweg_collection {
  thalweg_session* session;
  thalweg::client::Collection* collection;
};

struct thalweg_session {
  std::unique_ptr<thalweg::client::Session> session;   // null on a rank that has served, or is spare
  std::unique_ptr<thalweg::api::FinalizeGuard> guard;  // where there are servers
  std::list<thalweg_decomposition> decompositions;
  std::list<thalweg_collection> collections;
};

namespace thalweg::api {

// Errors: STATE on ranks that are no clients.
inline client::Session& session_in(const thalweg_session& handle) {
  if (!handle.session)
    fail(THALWEG_ERROR_STATE,
         "this rank is a server, or left over, and its part ended with thalweg_start; ask thalweg_is_client, and call "
         "nothing but thalweg_finish where it says no");
  return *handle.session;
}

inline store::Procedure required_procedure(const std::string& collection, thalweg_write_procedure procedure,
                                           void* user) {
  if (procedure == nullptr)
    fail(THALWEG_ERROR_ARGUMENT, "collection '{}': the write procedure is a null pointer", collection);
  return {procedure, user};
}

}  // namespace thalweg::api
