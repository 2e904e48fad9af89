// Sessions: from their start to their end.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "array.hpp"
#include "handles.hpp"

namespace thalweg_python {
namespace {

using Integers = std::vector<std::int64_t>;
using Boxes = std::vector<std::pair<Integers, Integers>>;

Session* start(MPI_Fint comm, const std::string& config) {
  return new Session(thw::Session(MPI_Comm_f2c(comm), config));
}

Session* start_text(MPI_Fint comm, const std::string& yaml, const std::string& origin) {
  return new Session(thw::Session::from_text(MPI_Comm_f2c(comm), yaml, origin));
}

Decomposition decompose(Session& session, const std::string& dims, const Integers& shape, const Boxes& boxes,
                        const Integers& halo_low, const Integers& halo_high, bool masked) {
  std::vector<thw::Box> own;
  for (const auto& [box_start, count] : boxes) own.push_back({box_start, count});
  return {&session, session.open().decompose_boxes(dims, shape, own, halo_low, halo_high, masked)};
}

// index: an array of int64 without gaps.
Decomposition decompose_indices(Session& session, const std::string& dim, std::int64_t size, nb::handle index,
                                bool masked) {
  const Array list(index);
  const nb::gil_scoped_release release;
  thalweg_decomposition* decomposition = nullptr;
  thw::detail::check(thalweg_decompose_indices(session.open().c_handle(), thw::detail::c_text(dim), size,
                                               list.elements(), static_cast<const std::int64_t*>(list.data()), masked,
                                               &decomposition));
  return {&session, thw::Decomposition(decomposition)};
}

Decomposition decompose_points(Session& session, const std::string& dims, const std::vector<std::int64_t>& shape,
                               nb::handle index, bool masked) {
  const Array list(index);
  const nb::gil_scoped_release release;
  thw::detail::require_one_a_dimension("shape", dims, shape);
  thalweg_decomposition* decomposition = nullptr;
  thw::detail::check(thalweg_decompose_points(session.open().c_handle(), thw::detail::c_text(dims), shape.data(),
                                              list.elements(), static_cast<const std::int64_t*>(list.data()), masked,
                                              &decomposition));
  return {&session, thw::Decomposition(decomposition)};
}

// Two libraries of MPI in one process share neither communicators nor ranks.
std::string mpi_library() {
  std::string text(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
  int size = 0;
  MPI_Get_library_version(text.data(), &size);
  text.resize(static_cast<std::size_t>(size));
  return text.c_str();
}

}  // namespace

// Of the thread, the innermost.
thread_local Call* call_in_progress = nullptr;

Call::Call() : outer_(std::exchange(call_in_progress, this)) {}

Call::~Call() {
  if (session_ != nullptr) session_->user_ = std::thread::id();
  call_in_progress = outer_;
}

void Session::require_own_turn() const {
  const std::thread::id own = std::this_thread::get_id();
  std::thread::id user;
  if (call_in_progress == nullptr || call_in_progress->session_ != nullptr)
    user = user_;
  else if (user_.compare_exchange_strong(user, own))
    call_in_progress->session_ = this;
  if (user != std::thread::id() && user != own)
    throw thw::Exception(THALWEG_ERROR_STATE,
                         "another thread is in a call of this session; one thread at a time uses a session and what "
                         "was made from it: let threads take turns, as with threading.Lock");
}

thw::Session& Session::open() const {
  require_own_turn();
  if (!session_) throw thw::Exception(THALWEG_ERROR_STATE, "the session is finished: start another one");
  return *session_;
}

void Session::finish() {
  open();
  {
    const nb::gil_scoped_release release;
    const std::unique_ptr<thw::Session> ended(std::exchange(session_, nullptr));
    ended->finish();
  }
  for (const Procedure* procedure : std::exchange(procedures_, {})) delete procedure;
}

void Session::leave() {
  for (Procedure* procedure : procedures_) procedure->close();
}

Procedure& Session::keep(std::unique_ptr<Procedure> procedure) {
  procedures_.push_back(procedure.release());
  return *procedures_.back();
}

void add_session(nb::module_& module) {
  nb::class_<Session>(module, "Session");
  nb::class_<Decomposition>(module, "Decomposition",
                            "Which part of an index space each rank holds. From Session.decompose or "
                            "decompose_indices or decompose_points; valid until its session is finished.");
  module.def("start", &start, nb::arg("comm"), nb::arg("config"), ReleaseGil());
  module.def("start_text", &start_text, nb::arg("comm"), nb::arg("yaml"), nb::arg("origin"), ReleaseGil());
  module.def(
      "serve", [](MPI_Fint comm, const std::string& config) { thw::serve(MPI_Comm_f2c(comm), config); },
      nb::arg("comm"), nb::arg("config"), ReleaseGil());
  module.def("is_open", &Session::is_open, nb::arg("session"));
  module.def("is_client", [](const Session& session) { return session.open().is_client(); }, nb::arg("session"));
  module.def(
      "model_comm", [](const Session& session) { return MPI_Comm_c2f(session.open().model_comm()); },
      nb::arg("session"));
  module.def("finish", &Session::finish, nb::arg("session"), MayReleaseGil());
  module.def("leave", &Session::leave, nb::arg("session"), ReleaseGil());
  module.def("decompose", &decompose, nb::arg("session"), nb::arg("dims"), nb::arg("shape"), nb::arg("boxes"),
             nb::arg("halo_low"), nb::arg("halo_high"), nb::arg("masked"), ReleaseGil(), nb::keep_alive<0, 1>());
  module.def("decompose_indices", &decompose_indices, nb::arg("session"), nb::arg("dim"), nb::arg("size"),
             nb::arg("index"), nb::arg("masked"), MayReleaseGil(), nb::keep_alive<0, 1>());
  module.def("decompose_points", &decompose_points, nb::arg("session"), nb::arg("dims"), nb::arg("shape"),
             nb::arg("index"), nb::arg("masked"), MayReleaseGil(), nb::keep_alive<0, 1>());
  module.def("ready", [](Session& session) { session.open().ready(); }, nb::arg("session"), ReleaseGil());
  module.def(
      "set_time", [](Session& session, double time_s) { session.open().set_time(time_s); }, nb::arg("session"),
      nb::arg("time_s"), ReleaseGil());
  module.def(
      "set_end_time", [](Session& session, double time_s) { session.open().set_end_time(time_s); }, nb::arg("session"),
      nb::arg("time_s"), ReleaseGil());
  module.def(
      "time_units",
      [](Session& session) {
        const thw::TimeUnits time = session.open().time_units();
        return std::pair(time.units, time.calendar);
      },
      nb::arg("session"));
  module.def(
      "advance", [](Session& session, double time_s) { session.open().advance(time_s); }, nb::arg("session"),
      nb::arg("time_s"), ReleaseGil());
  module.def("flush", [](Session& session) { session.open().flush(); }, nb::arg("session"), ReleaseGil());
  module.def("wait", [](Session& session) { session.open().wait(); }, nb::arg("session"), ReleaseGil());
  module.def("recover", &thw::recover, nb::arg("partial"), ReleaseGil());
  module.def("version", &thw::version);
  module.def("mpi_library", &mpi_library);
}

}  // namespace thalweg_python
