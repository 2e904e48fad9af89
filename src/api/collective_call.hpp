// Which collective call this rank is in, for the reports of others that wait.
#pragma once

#include <string_view>

#include "session/session.hpp"

namespace thalweg::api {

inline void name_call(session::Session& session, std::string_view call, std::string_view subject = {}) {
  session::Core& core = session.core();
  core.control().processes.call(core.roles->node_rank).set(call, subject);
}

// While it is, a rank is in the call. The session outlives it.
class CollectiveCall {
 public:
  CollectiveCall(session::Session& session, std::string_view call, std::string_view subject = {}) : session_(session) {
    name_call(session_, call, subject);
  }
  ~CollectiveCall() { name_call(session_, ""); }
  CollectiveCall(const CollectiveCall&) = delete;
  CollectiveCall& operator=(const CollectiveCall&) = delete;

 private:
  session::Session& session_;
};

}  // namespace thalweg::api
