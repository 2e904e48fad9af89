// What calls that read have in common.
#pragma once

#include "api/handles.hpp"

namespace thalweg::api {

// Of a session; made by the first call that reads, which is collective.
read::Inputs& inputs_of(thalweg_session* handle);

// Of an input. Errors: NAME.
const read::InputVariable& variable_of(const thalweg_input* input, const char* variable);

// What is under way for outputs goes on in each call, and what has failed there ends the model's steps here, too.
void begin_step(session::Session& session);

}  // namespace thalweg::api
