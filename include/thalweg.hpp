// Thalweg: output of Earth-system models. The C++ interface (C++17, header only) on top of thalweg.h, which has the
// long form of every text here and the conventions: slowest dimension first, all counted from 0, strides in bytes,
// times in seconds. Errors are thrown as thw::Exception.
//
//   thw::Session io(MPI_COMM_WORLD, "ocean.yaml");
//   if (io.is_client()) {
//     auto cells = io.decompose("y,x", {ny, nx}, {j0, i0}, {nj, ni});
//     auto history = io.open_collection("history");
//     history.define_variable("ssh", "time,y,x", thw::Type::float32, cells);
//     history.define_attribute("ssh", "units", "m");
//     for (...) {
//       history.put("ssh", ssh, {nj, ni});  // a container of numbers without gaps, or a thw::View of anything else
//       io.advance(time_s);
//     }
//   }
//   io.finish();
#ifndef THALWEG_HPP
#define THALWEG_HPP

#include <cstdint>
#include <cstdio>
#include <exception>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "thalweg.h"
#include "thalweg_field.hpp"
#include "thalweg_input.hpp"
#include "thalweg_values.hpp"

namespace thw {

// A series of files with the same variables. A handle, as a Decomposition is. Its functions are local; every client
// defines the same.
class Collection {
 public:
  explicit Collection(thalweg_collection* handle) : handle_(handle) {}
  thalweg_collection* c_handle() const { return handle_; }

  // Defines a dimension that is not decomposed; with the size thw::unlimited the record dimension, before any variable.
  void define_dimension(const std::string& name, std::int64_t size) {
    detail::check(thalweg_define_dimension(handle_, detail::c_text(name), size));
  }

  // Defines a variable: its dimensions in the file, its type there, how they are spread over the ranks (left out: every
  // rank puts the same values), and their order in memory (left out: as in dims). Errors: NAME, SHAPE.
  void define_variable(const std::string& name, const std::string& dims, Type type, Decomposition decomposition = {},
                       const std::string& memory_dims = "") {
    detail::check(thalweg_define_variable(handle_, detail::c_text(name), detail::c_text(dims),
                                          static_cast<thalweg_type>(type), decomposition.c_handle(),
                                          detail::null_if_empty(memory_dims)));
  }

  // Gives an attribute to a variable. value: text, a number, or a container of numbers without gaps.
  template <class Value>
  void define_attribute(const std::string& variable, const std::string& name, const Value& value) {
    give(thalweg_define_text, thalweg_define_attribute, detail::c_text(variable), name, value);
  }

  // Gives an attribute to the file.
  template <class Value>
  void define_attribute(const std::string& name, const Value& value) {
    give(thalweg_define_text, thalweg_define_attribute, nullptr, name, value);
  }

  // Gives an attribute of a variable in the files that begin from now on, in place of one that it has or as a new one.
  // Local; every client makes the same changes between the same two advances, before its puts of a record that begins a
  // file. value: as above. Errors: NAME, STATE, FORMAT.
  template <class Value>
  void change_attribute(const std::string& variable, const std::string& name, const Value& value) {
    give(thalweg_change_text, thalweg_change_attribute, detail::c_text(variable), name, value);
  }

  // The same with an attribute of the file.
  template <class Value>
  void change_attribute(const std::string& name, const Value& value) {
    give(thalweg_change_text, thalweg_change_attribute, nullptr, name, value);
  }

  // Gives an attribute of a variable to the open file, which has it when it is complete; later files do not. Local;
  // every client gives the same names behind the same record, before its puts of a record that begins a file. What
  // files cannot take so late is left out, with a warning. value: as above. Errors: NAME, STATE.
  template <class Value>
  void add_attribute(const std::string& variable, const std::string& name, const Value& value) {
    give(thalweg_add_text, thalweg_add_attribute, detail::c_text(variable), name, value);
  }

  // The same with an attribute of the file.
  template <class Value>
  void add_attribute(const std::string& name, const Value& value) {
    give(thalweg_add_text, thalweg_add_attribute, nullptr, name, value);
  }

  // Sets what writes a collection of format "user": an object, such as a std::function, that can be called with a
  // thalweg_block and lives as long as the session. What it throws ends the output with the error STORAGE; thalweg.h
  // says when it is called. Every client sets one. Errors: STATE, FORMAT.
  template <class Procedure>
  void set_procedure(Procedure& procedure) {
    detail::check(thalweg_set_procedure(handle_, &detail::call_procedure<Procedure>, &procedure));
  }

  // Puts this rank's piece of a field, halo included, for the record that the coming advance closes; the array may be
  // changed on return. field: a number, a container of numbers without gaps (vector, span, array, C array) of these
  // extents, left out: of rank 1, or as a C array has them; an array with strides, such as std::mdspan; or a View.
  // Errors: NAME, SHAPE, STATE, DEADLINE, FULL, STORAGE.
  template <class Field>
  void put(const std::string& variable, const Field& field, const Extents& extents = {}) {
    detail::pass_field("put", variable, field, extents, [&](thalweg_type type, const auto& view) {
      return thalweg_put(handle_, detail::c_text(variable), view.data(), type, view.rank(), view.extents(),
                         view.strides());
    });
  }

  // As put, for box number box of a rank that declared several.
  template <class Field>
  void put_box(const std::string& variable, int box, const Field& field, const Extents& extents = {}) {
    detail::pass_field("put", variable, field, extents, [&](thalweg_type type, const auto& view) {
      return thalweg_put_box(handle_, detail::c_text(variable), box, view.data(), type, view.rank(), view.extents(),
                             view.strides());
    });
  }

  // Says in which array the model keeps its piece of a variable between steps: what put takes, and not const. It stays
  // where it is until the session is finished, or another one is registered in its place. Errors: NAME, SHAPE.
  template <class Field>
  void register_array(const std::string& variable, Field&& field, const Extents& extents = {}) {
    detail::pass_array("register_array", variable, field, extents, [&](thalweg_type type, const auto& view) {
      return thalweg_register_array(handle_, detail::c_text(variable), view.data(), type, view.rank(), view.extents(),
                                    view.strides());
    });
  }

  // As register_array, for box number box of a rank that declared several, each of which has an array of its own.
  template <class Field>
  void register_box(const std::string& variable, int box, Field&& field, const Extents& extents = {}) {
    detail::pass_array("register_box", variable, field, extents, [&](thalweg_type type, const auto& view) {
      return thalweg_register_box(handle_, detail::c_text(variable), box, view.data(), type, view.rank(),
                                  view.extents(), view.strides());
    });
  }

  // Puts all registered arrays; those of variables without records the first time only. Errors: as put.
  void put_arrays() { detail::check(thalweg_put_arrays(handle_)); }

  // Gets every variable of the collection into its array. Collective. path: empty for the newest complete file of those
  // that the configuration names. Returns the time of the record, NaN if the file does not say it. Errors: as of an
  // input's get; ARGUMENT for a variable without an array, STORAGE, FORMAT.
  double restore(const std::string& path = "", std::int64_t record = last_record) {
    double time_s = 0.0;
    detail::check(thalweg_restore(handle_, detail::null_if_empty(path), record, &time_s));
    return time_s;
  }

  // Whether the coming advance closes a record of this collection; true with "every: on-demand".
  bool is_due() const {
    int due = 0;
    detail::check(thalweg_is_due(handle_, &due));
    return due != 0;
  }

  // Closes the record of a collection with "every: on-demand"; model time and other collections stay as they are. All
  // clients close the same records. Errors: ARGUMENT, STATE, AGREEMENT, STORAGE, DEADLINE.
  void record(double time_s) { detail::check(thalweg_record(handle_, time_s)); }

  // The records after this call go to a new file of this name. All clients call it between the same two advances.
  void new_file(const std::string& file) { detail::check(thalweg_new_file(handle_, detail::c_text(file))); }

  // Closes the open file, or makes one without records; it gets its name as soon as its writers have done their part.
  // All clients call it between the same two advances or records. Errors: STATE, STORAGE.
  void close_file() { detail::check(thalweg_close_file(handle_)); }

  // Returns when the records closed so far are written by this node's writers. Local; the other ranks have to go on.
  void wait() { detail::check(thalweg_wait_collection(handle_)); }

 private:
  template <class Value>
  void give(decltype(&thalweg_define_text) text, decltype(&thalweg_define_attribute) numbers, const char* variable,
            const std::string& name, const Value& value) {
    const char* c_name = detail::c_text(name);
    detail::pass_attribute(
        value, [&](const char* c_value) { return text(handle_, variable, c_name, c_value); },
        [&](thalweg_type type, std::size_t count, const void* values) {
          return numbers(handle_, variable, c_name, type, static_cast<int>(count), values);
        });
  }

  thalweg_collection* handle_;
};

// The whole part of a rank whose program is a server and nothing else; returns when the model has finished. Collective
// with the construction of the other ranks' sessions. Errors: CONFIG, MPI, and what ended the output.
inline void serve(MPI_Comm comm, const std::string& config = "") {
  detail::check(thalweg_serve(comm, detail::c_text(config)));
}

// One model's use of Thalweg. Movable; owns everything that was made from it.
class Session {
 public:
  // Starts a session. Collective over comm. config: path of a YAML file, "" for defaults. Errors: CONFIG, MPI.
  explicit Session(MPI_Comm comm, const std::string& config = "") {
    detail::check(thalweg_start(comm, detail::c_text(config), &handle_));
  }

  // As above, with the YAML text itself; origin names it in messages. Collective.
  static Session from_text(MPI_Comm comm, const std::string& yaml, const std::string& origin = "program") {
    Session session;
    detail::check(thalweg_start_text(comm, detail::c_text(yaml), detail::c_text(origin), &session.handle_));
    return session;
  }

  Session(Session&& other) noexcept
      : handle_(std::exchange(other.handle_, nullptr)), exceptions_(std::uncaught_exceptions()) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  Session& operator=(Session&&) = delete;

  // Finishes a session that was not: collective. An error can only be printed here, so call finish. Nothing is done
  // while an exception passes: the other ranks would not come to finish.
  ~Session() {
    if (!handle_ || std::uncaught_exceptions() > exceptions_) return;
    if (thalweg_finish(&handle_) != THALWEG_OK) std::fprintf(stderr, "thalweg: %s\n", thalweg_error_text());
  }

  // Writes and publishes everything; the session and all its handles end here, also on error. Collective.
  // Errors: STORAGE, DEADLINE and any that a writer met since the last call.
  void finish() { detail::check(thalweg_finish(&handle_)); }

  // Whether this rank computes; false on one that only served. Local.
  bool is_client() const {
    int flag = 0;
    detail::check(thalweg_is_client(handle_, &flag));
    return flag != 0;
  }

  // The communicator of the clients; it belongs to the session. Local. Error: STATE on a rank that is no client.
  MPI_Comm model_comm() const {
    MPI_Comm comm = MPI_COMM_NULL;
    detail::check(thalweg_model_comm(handle_, &comm));
    return comm;
  }

  // Declares which part of a global index space this rank holds: one box. Collective. The halo widths may be left out.
  // masked: cells that no rank owns are intended (land). Errors: SHAPE, AGREEMENT.
  Decomposition decompose(const std::string& dims, const Extents& shape, const Extents& start, const Extents& count,
                          const Extents& halo_low = {}, const Extents& halo_high = {}, bool masked = false) {
    return decompose_boxes(dims, shape, {Box{start, count}}, halo_low, halo_high, masked);
  }

  // As decompose for a rank that holds any number of boxes, also none. Collective.
  Decomposition decompose_boxes(const std::string& dims, const Extents& shape, const std::vector<Box>& boxes,
                                const Extents& halo_low = {}, const Extents& halo_high = {}, bool masked = false) {
    detail::require_one_a_dimension("shape", dims, shape);
    detail::require_one_a_dimension("halo_low", dims, halo_low, true);
    detail::require_one_a_dimension("halo_high", dims, halo_high, true);
    std::vector<std::int64_t> starts, counts;
    for (const Box& box : boxes) {
      detail::require_one_a_dimension("start", dims, box.start);
      detail::require_one_a_dimension("count", dims, box.count);
      starts.insert(starts.end(), box.start.begin(), box.start.end());
      counts.insert(counts.end(), box.count.begin(), box.count.end());
    }
    thalweg_decomposition* decomposition = nullptr;
    detail::check(thalweg_decompose(handle_, detail::c_text(dims), shape.data(), static_cast<int>(boxes.size()),
                                    starts.data(), counts.data(), halo_low.empty() ? nullptr : halo_low.data(),
                                    halo_high.empty() ? nullptr : halo_high.data(), masked, &decomposition));
    return Decomposition(decomposition);
  }

  // Declares which points of one dimension this rank holds: the global index of each local point, negative for one that
  // is not written. index: a container of integers without gaps. Collective. Errors: SHAPE, AGREEMENT.
  template <class Container>
  Decomposition decompose_indices(const std::string& dim, std::int64_t size, const Container& index,
                                  bool masked = false) {
    static_assert(std::is_integral_v<detail::Element<Container>>, "indices are integers");
    const std::vector<std::int64_t> indices(std::begin(index), std::end(index));
    thalweg_decomposition* decomposition = nullptr;
    detail::check(thalweg_decompose_indices(handle_, detail::c_text(dim), size,
                                            static_cast<std::int64_t>(indices.size()), indices.data(), masked,
                                            &decomposition));
    return Decomposition(decomposition);
  }

  // Declares which points of a grid this rank holds: the number of each local point among all, counted row by row,
  // negative for one that is not written. dims: slowest first ("lat,lon"). Files have all of them, the rank's arrays
  // one in their place. Collective. Errors: SHAPE, NAME, AGREEMENT.
  template <class Container>
  Decomposition decompose_points(const std::string& dims, const Extents& shape, const Container& index,
                                 bool masked = false) {
    static_assert(std::is_integral_v<detail::Element<Container>>, "indices are integers");
    detail::require_one_a_dimension("shape", dims, shape);
    const std::vector<std::int64_t> indices(std::begin(index), std::end(index));
    thalweg_decomposition* decomposition = nullptr;
    detail::check(thalweg_decompose_points(handle_, detail::c_text(dims), shape.data(),
                                           static_cast<std::int64_t>(indices.size()), indices.data(), masked,
                                           &decomposition));
    return Decomposition(decomposition);
  }

  // Opens a collection by its name. Local; every client opens the same ones. Error: NAME.
  Collection open_collection(const std::string& name) {
    thalweg_collection* collection = nullptr;
    detail::check(thalweg_open_collection(handle_, detail::c_text(name), &collection));
    return Collection(collection);
  }

  // As above, with the program's own settings of it in YAML: the keys that may stand below its name in a configuration,
  // whose own entry of this name prevails, key by key. Local; every client gives the same. Errors: NAME, CONFIG.
  Collection open_collection(const std::string& name, const std::string& yaml) {
    thalweg_collection* collection = nullptr;
    detail::check(thalweg_open_collection_text(handle_, detail::c_text(name), detail::c_text(yaml), &collection));
    return Collection(collection);
  }

  // A dimension of fields that no decomposition has. Local. Error: NAME for one of another size.
  void define_field_dimension(const std::string& name, std::int64_t size) {
    detail::check(thalweg_define_field_dimension(handle_, detail::c_text(name), size));
  }

  // Defines a field: its name ("temp", "ocean/temp"), its dimensions without that of records, its type in files, how it
  // is spread and lies in memory. Collections have of it what the configuration chooses. Local. Errors: NAME, STATE.
  Field define_field(const std::string& name, const std::string& dims, Type type, Decomposition decomposition = {},
                     const std::string& memory_dims = "", InTime in_time = InTime::varies) {
    thalweg_field* field = nullptr;
    detail::check(thalweg_define_field(handle_, detail::c_text(name), detail::c_text(dims),
                                       static_cast<thalweg_type>(type), decomposition.c_handle(),
                                       detail::null_if_empty(memory_dims), in_time == InTime::is_static, &field));
    return Field(field);
  }

  // Before the puts of a step: it ends then. Local. Errors: ARGUMENT, STATE.
  void step(double end_s) { detail::check(thalweg_step(handle_, end_s)); }
  // Keeps what is gathered, between two steps, for a later run. Collective. Errors: STATE, and those of wait.
  void checkpoint() { detail::check(thalweg_checkpoint(handle_)); }

  // Opens a file, a store or a set of files to read it. Collective. Errors: ARGUMENT, AGREEMENT, STORAGE, FORMAT.
  Input open_input(const std::string& path) {
    thalweg_input* input = nullptr;
    detail::check(thalweg_open_input(handle_, detail::c_text(path), &input));
    return Input(input);
  }

  // Ends the definitions. Collective, optional. Errors: AGREEMENT, MEMORY, STORAGE, FORMAT, CONFIG.
  void ready() { detail::check(thalweg_ready(handle_)); }

  // Says the model time at the start of a run that continues another one. Local. Error: STATE after a put or advance,
  // and behind the end of definitions of a collection with 'append: continue'.
  void set_time(double time_s) { detail::check(thalweg_set_time(handle_, time_s)); }
  void set_end_time(double time_s) { detail::check(thalweg_set_end_time(handle_, time_s)); }

  // How the record coordinate that Thalweg puts counts, for bounds and times of the model's own. Local.
  TimeUnits time_units() const {
    const char* units = nullptr;
    const char* calendar = nullptr;
    detail::check(thalweg_time_units(handle_, &units, &calendar));
    return {units, calendar};
  }

  // Closes the step: model time is now time_s seconds since reference-date. Local. Errors: ARGUMENT, STATE, AGREEMENT,
  // STORAGE, DEADLINE.
  void advance(double time_s) { detail::check(thalweg_advance(handle_, time_s)); }

  // Asks the writers to drain what is there. Local.
  void flush() { detail::check(thalweg_flush(handle_)); }
  // Returns when all records closed so far are committed. Collective. Errors: STORAGE, DEADLINE.
  void wait() { detail::check(thalweg_wait(handle_)); }

  thalweg_session* c_handle() const { return handle_; }

 private:
  Session() = default;
  thalweg_session* handle_ = nullptr;
  int exceptions_ = std::uncaught_exceptions();
};

// Sets what writes collections of this name and of format "user" in sessions that this process starts later: as
// Collection::set_procedure, but also for ranks that the configuration makes servers. Every rank calls it; procedure
// lives as long as these sessions. Local.
template <class Procedure>
void register_procedure(const std::string& collection, Procedure& procedure) {
  detail::check(thalweg_register_procedure(detail::c_text(collection), &detail::call_procedure<Procedure>, &procedure));
}

// Turns what a killed run left ("NAME.partial") into a file NAME of so many records. Local. Errors: STORAGE, FORMAT.
inline std::int64_t recover(const std::string& partial) {
  std::int64_t records = 0;
  detail::check(thalweg_recover(detail::c_text(partial), &records));
  return records;
}

// "major.minor.patch"
inline std::string version() {
  return thalweg_version();
}

}  // namespace thw
#endif
