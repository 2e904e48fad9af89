// A model that uses Thalweg wrongly, or in an unlucky way:  faulty COMMAND, or faulty @FILE for several (batch.hpp).
// Each command is one function below; what the calls returned is in rank<N>.jsonl. The configuration is thalweg.yaml.
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <vector>

#include "batch.hpp"
#include "faulty_model.hpp"

namespace {

using namespace faulty;

// ---- arguments that no run can accept, on every rank alike

void null_arguments(outcomes::Log& log, Model& model) {
  thalweg_collection* const history = model.opened["history"];
  const Rows rows = own_rows();
  thalweg_collection* other = nullptr;
  log("start without handle", [] { return start(nullptr); });
  thalweg_decomposition* cells = nullptr;
  log("decompose without names", [&] { return decompose(model.session, rows, &cells, shape, 1, 0, nullptr); });
  log("open without name", [&] { return thalweg_open_collection(model.session, nullptr, &other); });
  log("open without session", [&] { return thalweg_open_collection(nullptr, "history", &other); });
  log("put without collection",
      [&] { return thalweg_put(nullptr, "temp", &rows, THALWEG_FLOAT64, 2, rows.count.data(), nullptr); });
  log("put without data",
      [&] { return thalweg_put(history, "temp", nullptr, THALWEG_FLOAT64, 2, rows.count.data(), nullptr); });
  log("put without extents", [&] { return thalweg_put(history, "temp", &rows, THALWEG_FLOAT64, 2, nullptr, nullptr); });
  log("is_due without flag", [&] { return thalweg_is_due(history, nullptr); });
  log("advance without session", [] { return thalweg_advance(nullptr, 1.0); });
  log("recover without name", [] { return thalweg_recover(nullptr, nullptr); });
}

void definitions(outcomes::Log& log, Model& model) {
  thalweg_collection* const history = model.opened["history"];
  const double number = 1.0;
  const auto define = [&](const char* name, const char* dims, thalweg_type type, const char* memory = nullptr) {
    return thalweg_define_variable(history, name, dims, type, model.cells, memory);
  };
  log("variable twice", [&] { return define("temp", "time,y,x", THALWEG_FLOAT64); });
  log("unknown dimension", [&] { return define("salt", "time,lev,y,x", THALWEG_FLOAT64); });
  log("record dimension inside", [&] { return define("salt", "y,time,x", THALWEG_FLOAT64); });
  log("decomposed dimension missing", [&] { return define("salt", "time,y", THALWEG_FLOAT64); });
  log("unknown type", [&] { return define("salt", "time,y,x", static_cast<thalweg_type>(99)); });
  log("memory dimensions", [&] { return define("salt", "time,y,x", THALWEG_FLOAT64, "x,z"); });
  log("attribute of unknown variable", [&] { return thalweg_define_text(history, "tmep", "units", "K"); });
  log("fill value of another type", [&] {
    const std::int32_t fill = -1;
    return thalweg_define_attribute(history, "temp", "_FillValue", THALWEG_INT32, 1, &fill);
  });
  log("attribute of less than no values",
      [&] { return thalweg_define_attribute(history, "temp", "valid_min", THALWEG_FLOAT64, -1, &number); });
  log("dimension of size 0", [&] { return thalweg_define_dimension(history, "z", 0); });
  log("dimension of two sizes", [&] { return thalweg_define_dimension(history, "y", 9); });
  log("collection twice", [&] {
    thalweg_collection* again = nullptr;
    return thalweg_open_collection(model.session, "history", &again);
  });
}

void steps(outcomes::Log& log, Model& model) {
  thalweg_collection* const history = model.opened["history"];
  const Pair own = own_rows().count;
  const Pair wrong = {own[0] + 1, own[1]};
  const std::vector<double> field(static_cast<std::size_t>(wrong[0] * wrong[1]));
  const auto put = [&](const char* name, thalweg_type type, int dims, const Pair& extent, int box = 0) {
    return thalweg_put_box(history, name, box, field.data(), type, dims, extent.data(), nullptr);
  };
  log("define after ready", [&] { return thalweg_define_dimension(history, "late", 3); });
  log("unknown variable", [&] { return put("tmep", THALWEG_FLOAT64, 2, own); });
  log("variable of attributes", [&] {
    const double number = 1.0;
    return thalweg_put(history, "quantization_info_granular_bitround", &number, THALWEG_FLOAT64, 0, nullptr, nullptr);
  });
  log("wrong type", [&] { return put("temp", THALWEG_CHAR, 2, own); });
  log("no type", [&] { return put("temp", static_cast<thalweg_type>(0), 2, own); });
  log("wrong number of dimensions", [&] { return put("temp", THALWEG_FLOAT64, 1, own); });
  log("wrong shape", [&] { return put("temp", THALWEG_FLOAT64, 2, wrong); });
  log("box out of range", [&] { return put("temp", THALWEG_FLOAT64, 2, own, 3); });
  model.put("history", "temp", 0);
  log("put twice", [&] { return put("temp", THALWEG_FLOAT64, 2, own); });
  model.advance(1);
  log("advance backwards", [&] { return thalweg_advance(model.session, 30.0); });
  log("advance standing", [&] { return thalweg_advance(model.session, 60.0); });
  log("set_time late", [&] { return thalweg_set_time(model.session, 0.0); });
  log("new file without name", [&] { return thalweg_new_file(history, ""); });
}

int calls(outcomes::Log& log) {
  Model model(log);
  if (const int code = model.begin({"history"}); code != 0) return code;
  null_arguments(log, model);
  definitions(log, model);
  model.ready();
  steps(log, model);
  const int code = model.finish();
  log("finish twice", [&] { return thalweg_finish(&model.session); });
  log("advance after finish", [&] { return thalweg_advance(model.session, 120.0); });
  return code;
}

// ---- boxes that do not fit each other; the session goes on to write a record

int boxes(outcomes::Log& log) {
  Model model(log);
  if (const int code = log("start", [&] { return start(&model.session); }); code != 0) return code;
  const Rows own = own_rows();
  const auto attempt = [&](const char* label, const Rows& rows, const Pair& global = shape, int count = 1,
                           int masked = 0) {
    log(label, [&] { return decompose(model.session, rows, &model.cells, global, count, masked); });
  };
  const Rows longer = {own.start, {std::min(own.count[0] + 1, shape[0] - own.start[0]), own.count[1]}};
  attempt("overlap", longer);
  attempt("hole", rank == 1 ? Rows{own.start, {own.count[0] - 1, own.count[1]}} : own);
  attempt("rank without boxes", own, shape, rank == 1 ? 0 : 1);
  attempt("masked rank without boxes", own, shape, rank == 1 ? 0 : 1, 1);
  attempt("outside", rank == 1 ? Rows{own.start, {own.count[0], 7}} : own);
  attempt("negative start", rank == 1 ? Rows{{-1, 0}, own.count} : own);
  attempt("different shapes", own, {8, rank == 1 ? 7 : 6});
  attempt("different masks", own, shape, 1, rank == 1 ? 1 : 0);
  attempt("shape of size 0", own, {8, 0});
  log("different names",
      [&] { return decompose(model.session, own, &model.cells, shape, 1, 0, rank == 1 ? "lat,lon" : "y,x"); });
  log("too many dimensions", [&] { return decompose(model.session, own, &model.cells, shape, 1, 0, "a,b,c,d,e,f,g"); });
  attempt("good", own);
  thalweg_open_collection(model.session, "history", &model.opened["history"]);
  thalweg_define_variable(model.opened["history"], "temp", "time,y,x", THALWEG_FLOAT64, model.cells, nullptr);
  model.put("history", "temp", 0);
  model.advance(1);
  return model.finish();
}

// ---- ranks that declare different things: rank 1 the second of each pair; a session each

void disagreement(outcomes::Log& log, const std::string& label, const std::function<void(Model&, bool)>& declare) {
  Model model(log);
  start(&model.session);
  if (model.session == nullptr) return;
  decompose(model.session, own_rows(), &model.cells);
  declare(model, rank == 1);
  log(label, [&] { return thalweg_ready(model.session); });
  log(label + ", finish", [&] { return thalweg_finish(&model.session); });
}

int agree(outcomes::Log& log) {
  comes_again = true;
  const auto open = [](Model& model, const char* name) {
    thalweg_open_collection(model.session, name, &model.opened[name]);
    return model.opened[name];
  };
  const auto define = [&](Model& model, const char* name, thalweg_type type, const char* dims = "time,y,x") {
    thalweg_collection* const history = open(model, "history");
    thalweg_define_variable(history, name, dims, type, model.cells, nullptr);
    return history;
  };
  disagreement(log, "variables", [&](Model& m, bool other) { define(m, other ? "salt" : "temp", THALWEG_FLOAT64); });
  disagreement(log, "types", [&](Model& m, bool o) { define(m, "temp", o ? THALWEG_FLOAT32 : THALWEG_FLOAT64); });
  disagreement(log, "dimensions",
               [&](Model& m, bool o) { define(m, "temp", THALWEG_FLOAT64, o ? "time,x,y" : "time,y,x"); });
  disagreement(log, "attributes", [&](Model& m, bool o) {
    thalweg_define_text(define(m, "temp", THALWEG_FLOAT64), "temp", "units", o ? "degC" : "K");
  });
  disagreement(log, "one variable more", [&](Model& m, bool o) {
    thalweg_collection* const history = define(m, "temp", THALWEG_FLOAT64);
    if (o) thalweg_define_variable(history, "salt", "time,y,x", THALWEG_FLOAT64, m.cells, nullptr);
  });
  disagreement(log, "collections", [&](Model& m, bool o) {
    open(m, o ? "restart" : "history");
    open(m, o ? "history" : "restart");
  });
  return 0;
}

// ---- ranks that go different ways

int late(outcomes::Log& log) {
  Model model(log);
  if (const int code = model.begin({"history"}); code != 0) return code;
  if (rank == 1) sleep(6);
  const int code = model.ready();
  const int end = model.finish();
  return code != 0 ? code : end;
}

int late_to_decompose(outcomes::Log& log) {
  thalweg_session* session = nullptr;
  thalweg_decomposition* cells = nullptr;
  if (const int code = start(&session); code != 0) return code;
  if (rank == 1) sleep(6);
  const int code = log("decompose", [&] { return decompose(session, own_rows(), &cells); });
  const int end = log("finish", [&] { return thalweg_finish(&session); });
  return code != 0 ? code : end;
}

// Rank 1 puts the fields in the other order.
int orders(outcomes::Log& log) {
  Model model(log);
  if (const int code = model.begin({"history"}, {"temp", "salt"}); code != 0) return code;
  for (int record = 0; record < 20; ++record) {
    model.put("history", rank == 1 ? "salt" : "temp", record, rank == 1 ? 0.25 : 0.0);
    model.put("history", rank == 1 ? "temp" : "salt", record, rank == 1 ? 0.0 : 0.25);
    if (const int code = model.advance(record + 1); code != 0) return code;
  }
  return model.finish();
}

// Rank 0 goes on to its second record of 'restart' before it sends what the others need for their first of 'history':
// with one record in memory nobody can go on.
int deadlock(outcomes::Log& log) {
  Model model(log);
  if (const int code = model.begin({"history", "restart"}); code != 0) return code;
  model.ready();
  model.put("history", "temp", 0);
  int token = 0;
  if (rank != 0) MPI_Bcast(&token, 1, MPI_INT, 0, model_comm);
  int code = 0;
  for (int record = 0; code == 0 && record < 2; ++record) {
    code = model.put("restart", "temp", record);
    if (code == 0) code = model.advance(record + 1);
  }
  if (rank == 0 && code == 0) MPI_Bcast(&token, 1, MPI_INT, 0, model_comm);
  const int end = model.finish();
  return code != 0 ? code : end;
}

// A put, but no advance, comes before the end.
int unfinished(outcomes::Log& log) {
  Model model(log);
  if (const int code = model.begin({"history"}); code != 0) return code;
  model.put("history", "temp", 0);
  model.advance(1);
  if (rank == 0) model.put("history", "temp", 1);
  return model.finish();
}

// Rank 1 leaves out record 1 of temp.
int missing(outcomes::Log& log) {
  Model model(log);
  if (const int code = model.begin({"history"}); code != 0) return code;
  for (int record = 0; record < 3; ++record) {
    if (rank != 1 || record != 1) model.put("history", "temp", record);
    if (const int code = model.advance(record + 1); code != 0) return code;
  }
  return model.finish();
}

// Even ranks hold nothing, go through their steps while odd ones are slow, and wait for these in the model's own
// communication, where they do nothing for messages and encoded chunks.
int ahead(outcomes::Log& log) {
  Model model(log);
  if (const int code = log("start", [&] { return start(&model.session); }); code != 0) return code;
  const bool holds_cells = rank % 2 == 1;
  rank /= 2;  // from here on among those that hold cells
  size /= 2;
  decompose(model.session, own_rows(), &model.cells, shape, holds_cells ? 1 : 0);
  thalweg_open_collection(model.session, "history", &model.opened["history"]);
  thalweg_define_variable(model.opened["history"], "temp", "time,y,x", THALWEG_FLOAT64, model.cells, nullptr);
  int code = model.ready();
  for (int record = 0; code == 0 && record < 20; ++record) {
    if (holds_cells) usleep(2000);
    if (holds_cells) code = model.put("history", "temp", record);
    if (code == 0) code = model.advance(record + 1);
  }
  MPI_Barrier(model_comm);
  const int end = model.finish();
  return code != 0 ? code : end;
}

// One record of every collection of the configuration, whatever comes of it.
int once(outcomes::Log& log) {
  Model model(log);
  int code = model.begin({"history"});
  if (code != 0) return code;
  code = model.ready();
  if (code == 0) code = model.put("history", "temp", 0);
  if (code == 0) code = model.advance(1);
  const int end = model.finish();
  return code != 0 ? code : end;
}

int unknown_collection(outcomes::Log& log) {
  return Model(log).begin({"histroy"});
}

using Command = int (*)(outcomes::Log&);
const std::map<std::string, Command> commands = {
    {"agree", agree},
    {"ahead", ahead},
    {"boxes", boxes},
    {"calls", calls},
    {"deadlock", deadlock},
    {"late", late},
    {"late-to-decompose", late_to_decompose},
    {"missing", missing},
    {"orders", orders},
    {"once", once},
    {"unfinished", unfinished},
    {"unknown-collection", unknown_collection},
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int code = 2;
  const bool are_several = batch::each(argc, argv, [&](const batch::Words& words) {
    const auto word = std::ranges::find_if(words, [](const std::string& one) { return commands.count(one) > 0; });
    if (word == words.end()) return outcomes::leave(2);
    outcomes::Log log(rank);
    code = commands.at(*word)(log);
  });
  outcomes::leave(are_several ? 0 : code);
}
