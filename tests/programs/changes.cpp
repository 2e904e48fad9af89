// Changes attributes between files, rightly and wrongly; what the calls returned is in rank<N>.jsonl, and the
// configuration in thalweg.yaml.
//   changes           calls that are refused, in a session that goes on to write two files
//   changes disagree  ranks change different things
#include <string>
#include <vector>

#include "outcomes.hpp"

namespace {

constexpr std::int64_t rows = 3;
int rank = 0;
int size = 0;

struct Model {
  thalweg_session* session = nullptr;
  thalweg_collection* history = nullptr;
};

int begin(Model& model) {
  if (const int code = thalweg_start(MPI_COMM_WORLD, "thalweg.yaml", &model.session); code != 0) return code;
  const std::int64_t shape = rows * size, start = rows * rank;
  thalweg_decomposition* line = nullptr;
  thalweg_decompose(model.session, "y", &shape, 1, &start, &rows, nullptr, nullptr, 0, &line);
  thalweg_open_collection(model.session, "history", &model.history);
  thalweg_define_variable(model.history, "temp", "time,y", THALWEG_FLOAT32, line, nullptr);
  thalweg_define_variable(model.history, "rain", "time,y", THALWEG_FLOAT32, line, nullptr);
  return thalweg_define_text(model.history, nullptr, "title", "before");
}

int put(const Model& model, const char* variable, int record) {
  const std::vector<float> field(rows, static_cast<float>(10 * record + rank));
  return thalweg_put(model.history, variable, field.data(), THALWEG_FLOAT32, 1, &rows, nullptr);
}

int write_record(const Model& model, int record) {
  put(model, "temp", record);
  put(model, "rain", record);
  return thalweg_advance(model.session, 60.0 * record);
}

int refused(outcomes::Log& log) {
  Model model;
  if (const int code = log("start", [&] { return begin(model); }); code != 0) return code;
  const auto change = [&](const char* label, const char* variable, const char* name, const std::string& text) {
    log(label, [&] { return thalweg_change_text(model.history, variable, name, text.c_str()); });
  };
  const double number = 1.0;
  const std::int64_t wide = 1;
  change("before ready", nullptr, "title", "early");
  log("ready", [&] { return thalweg_ready(model.session); });
  change("no collection", nullptr, "", "nameless");
  change("unknown variable", "tepm", "units", "K");
  change("fill value", "temp", "_FillValue", "none");
  change("units of the time", "time", "units", "days since 1900-01-01");
  change("calendar of the time", "time", "calendar", "none");
  change("long name of the time", "time", "long_name", "model time");
  change("rounding", "temp", "quantization", "no");
  change("how it is rounded", "quantization_info_granular_bitround", "algorithm", "bitround");
  change("longer than the reserve", nullptr, "history", std::string(2000, 'h'));
  change("text of the file", nullptr, "title", "first");
  log("type that the format lacks",
      [&] { return thalweg_change_attribute(model.history, "temp", "flag", THALWEG_INT64, 1, &wide); });
  log("less than no values",
      [&] { return thalweg_change_attribute(model.history, "temp", "flag", THALWEG_FLOAT64, -1, &number); });
  log("put", [&] { return put(model, "temp", 1); });
  change("behind the first put", nullptr, "title", "late");
  log("new file behind the first put", [&] { return thalweg_new_file(model.history, "other.nc"); });
  put(model, "rain", 1);
  log("advance", [&] { return thalweg_advance(model.session, 60.0); });
  change("for the next file", nullptr, "title", "second");
  log("advance", [&] { return write_record(model, 2); });
  log("new file", [&] { return thalweg_new_file(model.history, "second.nc"); });
  log("advance", [&] { return write_record(model, 3); });
  return log("finish", [&] { return thalweg_finish(&model.session); });
}

int disagree(outcomes::Log& log) {
  Model model;
  if (const int code = log("start", [&] { return begin(model); }); code != 0) return code;
  thalweg_ready(model.session);
  if (rank == 0) log("change", [&] { return thalweg_change_text(model.history, nullptr, "title", "of rank 0"); });
  log("advance", [&] { return write_record(model, 1); });
  log("finish", [&] { return thalweg_finish(&model.session); });
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int code = 0;
  {
    outcomes::Log log(rank);
    code = argc > 1 ? disagree(log) : refused(log);
  }
  outcomes::leave(code);
}
