// A model that errs in what it hands over: handles, times, steps, values.  mistaken COMMAND, or mistaken @FILE for
// several (batch.hpp). What the calls returned is in rank<N>.jsonl. The configuration is thalweg.yaml.
#include <algorithm>
#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "batch.hpp"
#include "faulty_model.hpp"

namespace {

using namespace faulty;

// ---- handles

// Handles that outlive their session, and what never was one.
void stale_handles(outcomes::Log& log, Model& model, thalweg_session* copy) {
  log("advance of a copy", [&] { return thalweg_advance(copy, 120.0); });
  model.put("history", "temp", 1);
  log("is_due after finish", [&] {
    int due = 0;
    return thalweg_is_due(model.opened["history"], &due);
  });
  log("finish of a copy", [&] { return thalweg_finish(&copy); });
  const std::vector<double> garbage(64, 1.0);
  auto* collection = reinterpret_cast<thalweg_collection*>(std::uintptr_t{0x5ca1ab1e});
  log("put into no collection",
      [&] { return thalweg_put(collection, "temp", garbage.data(), THALWEG_FLOAT64, 2, shape.data(), nullptr); });
  auto* session = reinterpret_cast<thalweg_session*>(const_cast<double*>(garbage.data()));
  log("wait of no session", [&] { return thalweg_wait(session); });
  log("finish of no session", [&] { return thalweg_finish(&session); });
  auto* other_kind = reinterpret_cast<thalweg_collection*>(model.cells);
  log("define in a decomposition", [&] { return thalweg_define_dimension(other_kind, "n", 3); });
}

// A decomposition of a session that is finished, in the one that has taken its place.
void old_decomposition(outcomes::Log& log, const Model& model, const thalweg_decomposition* old) {
  log("decomposition of an old session", [&] {
    return thalweg_define_variable(model.opened.at("history"), "old", "time,y,x", THALWEG_FLOAT64, old, nullptr);
  });
}

int handles(outcomes::Log& log) {
  Model before(log);
  if (const int code = start(&before.session); code != 0) return code;
  decompose(before.session, own_rows(), &before.cells);
  thalweg_finish(&before.session);
  Model model(log);
  if (const int code = model.begin({"history"}); code != 0) return code;
  old_decomposition(log, model, before.cells);
  model.put("history", "temp", 0);
  model.advance(1);
  thalweg_session* const copy = model.session;
  const int code = model.finish();
  stale_handles(log, model, copy);
  return code;
}

// ---- times

int times(outcomes::Log& log) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Model model(log);
  if (const int code = model.begin({"history"}); code != 0) return code;
  log("set_time NaN", [&] { return thalweg_set_time(model.session, nan); });
  const auto advance = [&](const char* label, double time_s) {
    log(label, [&] { return thalweg_advance(model.session, time_s); });
  };
  model.put("history", "temp", 0);
  advance("advance NaN", nan);
  advance("advance infinity", infinity);
  advance("advance 1e300", 1e300);
  advance("advance 1e15", 1e15);
  advance("advance standing", 0.0);
  model.advance(1);
  return model.finish();
}

// 'history' has an initial record, 'restart' has none, and both are put whether they are due or not.
int initial(outcomes::Log& log) {
  Model model(log);
  if (const int code = model.begin({"restart", "history"}); code != 0) return code;
  for (int step = 0; step < 3; ++step) {
    for (const char* name : {"restart", "history"}) {
      int due = 0;
      thalweg_is_due(model.opened[name], &due);
      log(std::string(name) + (due != 0 ? " is due" : " is not due"), [] { return 0; });
      model.put(name, "temp", step);
    }
    model.advance(step);
  }
  return model.finish();
}

// ---- ranks that do not make the same steps

void meet() {
  MPI_Barrier(model_comm);
}

// Ranks wait for each other between their first puts, which no other rank is needed for.
int early(outcomes::Log& log) {
  Model model(log);
  if (const int code = model.begin({"history"}); code != 0) return code;
  std::array<double, 48> field{};
  const Rows rows = own_rows();
  if (rank == 0) model.put("history", "temp", 0);
  meet();
  log("put twice", [&] {
    if (rank != 0) return 0;
    return thalweg_put(model.opened["history"], "temp", field.data(), THALWEG_FLOAT64, 2, rows.count.data(), nullptr);
  });
  const std::array<std::int64_t, 2> wrong = {rows.count[0] + 1, rows.count[1]};
  log("put a wrong shape", [&] {
    return thalweg_put(model.opened["history"], "temp", field.data(), THALWEG_FLOAT64, 2, wrong.data(), nullptr);
  });
  log("put unknown", [&] {
    return thalweg_put(model.opened["history"], "tmep", field.data(), THALWEG_FLOAT64, 2, rows.count.data(), nullptr);
  });
  if (rank != 0) model.put("history", "temp", 0);
  thalweg_define_attribute(model.opened["history"], "temp", "level", THALWEG_INT32, 1, wrong.data());
  meet();
  for (int step = 1; step <= 2; ++step) {
    model.advance(step);
    if (step == 1) model.put("history", "temp", step);
  }
  return model.finish();
}

// The last rank goes to another time in the second step, and is the last to come to it.
int apart(outcomes::Log& log) {
  Model model(log);
  if (const int code = model.begin({"history"}); code != 0) return code;
  const bool is_other = rank == size - 1;
  thalweg_ready(model.session);  // all ranks meet there, and not in the first advance
  for (int step = 1; step <= 2; ++step) {
    model.put("history", "temp", step - 1);
    if (is_other) meet();
    log("advance", [&] { return thalweg_advance(model.session, step * 60.0 + (is_other && step == 2 ? 1.0 : 0.0)); });
    if (!is_other) meet();
  }
  model.finish();
  return 0;
}

// The last rank ends after two steps, which are committed then, the others make four.
int stops(outcomes::Log& log) {
  Model model(log);
  if (const int code = model.begin({"history"}); code != 0) return code;
  const int steps = rank == size - 1 ? 2 : 4;
  for (int step = 1; step <= steps; ++step) {
    model.put("history", "temp", step - 1);
    if (model.advance(step) != 0) break;
    if (step == 2) thalweg_wait(model.session);
  }
  model.finish();
  return 0;
}

// The same, but all wait for what they have put, and the last rank is the one that goes on.
int waits_early(outcomes::Log& log) {
  Model model(log);
  if (const int code = model.begin({"history"}); code != 0) return code;
  const int steps = rank == size - 1 ? 3 : 1;
  for (int step = 1; step <= steps; ++step) {
    model.put("history", "temp", step - 1);
    if (model.advance(step) != 0) break;
  }
  log("wait", [&] { return thalweg_wait(model.session); });
  model.finish();
  return 0;
}

// MPI ends while the session is open.
int leaves(outcomes::Log& log) {
  Model model(log);
  if (const int code = model.begin({"history"}); code != 0) return code;
  for (int step = 1; step <= 3; ++step) {
    model.put("history", "temp", step - 1);
    model.advance(step);
  }
  MPI_Finalize();
  model.put("history", "temp", 3);
  model.advance(4);
  model.finish();
  std::exit(0);
}

// ---- values beyond the range of float32, in a model that ends at the first floating-point exception

int overflow(outcomes::Log& log) {
  feclearexcept(FE_ALL_EXCEPT);
  feenableexcept(FE_OVERFLOW | FE_INVALID | FE_DIVBYZERO);
  Model model(log);
  if (const int code = model.begin({"history"}, {}); code != 0) return code;
  thalweg_collection* const history = model.opened["history"];
  thalweg_define_variable(history, "narrow", "time,y,x", THALWEG_FLOAT32, model.cells, nullptr);
  thalweg_define_variable(history, "wide", "time,y,x", THALWEG_FLOAT64, model.cells, nullptr);
  const Pair own = own_rows().count;
  const auto cells = static_cast<std::size_t>(own[0] * own[1]);
  std::vector<std::uint64_t> narrow(cells, std::bit_cast<std::uint64_t>(1.25));
  std::vector<std::uint32_t> wide(cells, std::bit_cast<std::uint32_t>(1.25F));
  // Infinite, finite, infinite; an infinity, a NaN and a signalling NaN of the model's own.
  const std::uint64_t odd[] = {0x7e37e43c8800759c, 0x47efffffefffffff, 0xc7effffff0000000,
                               0x7ff0000000000000, 0x7ff8000000000000, 0x7ff4000000000000};
  std::copy(std::begin(odd), std::end(odd), narrow.begin());
  wide[0] = 0x7fa00000;
  for (int step = 1; step <= 2; ++step) {
    log("put narrow",
        [&] { return thalweg_put(history, "narrow", narrow.data(), THALWEG_FLOAT64, 2, own.data(), nullptr); });
    log("put wide", [&] { return thalweg_put(history, "wide", wide.data(), THALWEG_FLOAT32, 2, own.data(), nullptr); });
    model.advance(step);
  }
  log("advance NaN", [&] { return thalweg_advance(model.session, std::bit_cast<double>(odd[5])); });
  const int code = model.finish();
  log(fegetexcept() == (FE_OVERFLOW | FE_INVALID | FE_DIVBYZERO) ? "traps are on" : "traps are off", [] { return 0; });
  log(fetestexcept(FE_OVERFLOW | FE_INVALID) == 0 ? "no flags" : "flags", [] { return 0; });
  fedisableexcept(FE_ALL_EXCEPT);
  return code;
}

using Command = int (*)(outcomes::Log&);
const std::map<std::string, Command> commands = {
    {"apart", apart},       {"early", early}, {"handles", handles}, {"initial", initial},         {"leaves", leaves},
    {"overflow", overflow}, {"stops", stops}, {"times", times},     {"waits-early", waits_early},
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int code = 0;
  batch::each(argc, argv, [&](const batch::Words& words) {
    outcomes::Log log(rank);
    code |= commands.at(words.at(0))(log);
  });
  outcomes::leave(code);
}
