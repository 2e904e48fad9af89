// What calls of a session do that has fields.
#pragma once

#include "api/handles.hpp"

namespace thalweg::api {

// The fields of a session, which has none before the first is asked for. Errors: as of session_in.
fields::Fields& fields_of(thalweg_session* handle);

// These, where the program has fields or the configuration chooses any; null: neither.
fields::Fields* fields_if_any(thalweg_session* handle);

}  // namespace thalweg::api
