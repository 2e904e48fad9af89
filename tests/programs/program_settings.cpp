// A model that gives settings of its own to its collections; what its calls returned is in rank<N>.jsonl, and the
// configuration in thalweg.yaml.
//   program_settings write     two collections with settings, and one without, in four steps
//   program_settings wrong     settings that are refused, and then some that are not
//   program_settings disagree  ranks give different settings
#include "faulty_model.hpp"

namespace {

using faulty::Model;

class Settings {
 public:
  explicit Settings(outcomes::Log& log) : log_(log), model_(log) {}

  int begin() { return model_.begin({}); }

  int open(const std::string& label, const char* collection, const char* yaml) {
    thalweg_collection* made = nullptr;
    const int code = log_(label, [&] { return thalweg_open_collection_text(model_.session, collection, yaml, &made); });
    if (code == 0) model_.opened[collection] = made;
    return code;
  }
  int define(const char* collection) {
    return thalweg_define_variable(model_.opened[collection], "temp", "time,y,x", THALWEG_FLOAT64, model_.cells,
                                   nullptr);
  }
  void run(const std::vector<const char*>& collections, int steps) {
    for (const char* collection : collections) define(collection);
    if (model_.ready() != 0) return;
    for (int step = 1; step <= steps; ++step) {
      for (const char* collection : collections) model_.put(collection, "temp", step);
      model_.advance(step);
    }
  }
  Model& model() { return model_; }
  int finish() { return model_.finish(); }

 private:
  outcomes::Log& log_;
  Model model_;
};

int write(Settings& settings, outcomes::Log& log) {
  settings.open("history", "history", "{file: of_program.nc, every: 2 steps, format: netcdf4}");
  settings.open("restart", "restart", "every: 4 steps\nrecord-dimension: record\n");
  Model& model = settings.model();
  log("plain", [&] { return thalweg_open_collection(model.session, "plain", &model.opened["plain"]); });
  thalweg_define_variable(model.opened["restart"], "temp", "record,y,x", THALWEG_FLOAT64, model.cells, nullptr);
  settings.define("history");
  settings.define("plain");
  if (const int code = model.ready(); code != 0) return code;
  for (int step = 1; step <= 4; ++step) {
    for (const char* collection : {"history", "restart", "plain"}) model.put(collection, "temp", step);
    model.advance(step);
  }
  return settings.finish();
}

int refused(Settings& settings, outcomes::Log& log) {
  Model& model = settings.model();
  settings.open("several faults", "history", "every: 6 parsecs\nfromat: cdf5\ncompression: zstd\n");
  settings.open("no keys", "history", "cdf5");
  settings.open("no text", "history", "{every: [");
  settings.open("what the format lacks", "history", "{format: cdf5, compression: zstd}");
  settings.open("key of the session", "history", "staging: 1 GiB");
  settings.open("name of a file that another has", "history", "file: other.nc");
  settings.open("time without a time step", "history", "every: 6 h");
  settings.open("no name", "", "every: 2 steps");
  log("no session", [&] { return thalweg_open_collection_text(nullptr, "history", "", &model.opened["none"]); });
  settings.open("right", "history", "every: 2 steps");
  settings.open("open already", "history", "every: 2 steps");
  settings.run({"history"}, 2);
  return settings.finish();
}

int disagree(Settings& settings) {
  settings.open("open", "history", faulty::rank == 0 ? "every: 2 steps" : "every: 3 steps");
  settings.run({"history"}, 1);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &faulty::rank);
  MPI_Comm_size(MPI_COMM_WORLD, &faulty::size);
  const std::string mode = argc > 1 ? argv[1] : "";
  int code = 0;
  {
    outcomes::Log log(faulty::rank);
    Settings settings(log);
    code = settings.begin();
    if (code == 0 && mode == "write") code = write(settings, log);
    if (code == 0 && mode == "wrong") code = refused(settings, log);
    if (code == 0 && mode == "disagree") code = disagree(settings);
  }
  outcomes::leave(code);
}
