// What Python holds of a session: handles without methods, as in thalweg.h. The functions of this module take them.
#pragma once

#include <nanobind/nanobind.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <thalweg.hpp>
#include <thread>
#include <vector>

#include "procedure.hpp"

namespace thalweg_python {

namespace nb = nanobind;

class Session;

// A call of Python, as long as which a session that it opens is used by its thread.
class Call {
 public:
  Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call();

 private:
  friend class Session;
  const Session* session_ = nullptr;  // that it is the first one to use
  Call* outer_;                       // of the same thread
};

// Other threads of Python go on: all the time, or from where the call says it.
using ReleaseGil = nb::call_guard<Call, nb::gil_scoped_release>;
using MayReleaseGil = nb::call_guard<Call>;

// A session until it is finished. One that never is stays as it is when Python forgets it: to finish is collective, and
// the other ranks do not come to where this rank's Python collects its garbage.
class Session {
 public:
  explicit Session(thw::Session&& started) : session_(new thw::Session(std::move(started))) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // In a forked child it is the parent's.
  bool is_open() const { return session_ != nullptr && process_ == ::getpid(); }

  // Errors: STATE after its end, and while another thread is in a call that has opened it.
  thw::Session& open() const;

  // Called with the GIL.
  void finish();

  // Nothing of Python is called by the session from now on: its model left it by an exception, or Python ends.
  void leave();

  // The writer calls it until the session is finished.
  Procedure& keep(std::unique_ptr<Procedure> procedure);

 private:
  friend class Call;
  void require_own_turn() const;

  thw::Session* session_;
  pid_t process_ = ::getpid();
  mutable std::atomic<std::thread::id> user_{};  // that is in a call; none: nobody is
  std::vector<Procedure*> procedures_;           // owned; those of a session that did not finish well are never freed
};

// Handles of C live as long as their session, so each looks whether it does before it is used.
struct Decomposition {
  Session* session;
  thw::Decomposition handle;

  thw::Decomposition open() const {
    session->open();
    return handle;
  }
};

struct Collection {
  Session* session;
  thw::Collection handle;

  thw::Collection& open() {
    session->open();
    return handle;
  }
  thalweg_collection* c_handle() { return open().c_handle(); }
};

struct Field {
  Session* session;
  thw::Field handle;

  thw::Field& open() {
    session->open();
    return handle;
  }
};

struct Input {
  Session* session;
  thw::Input handle;

  thw::Input& open() {
    session->open();
    return handle;
  }
};

// Parts of the module.
void add_errors(nb::module_& module);
void add_session(nb::module_& module);
void add_collection(nb::module_& module);
void add_field(nb::module_& module);
void add_input(nb::module_& module);

}  // namespace thalweg_python
