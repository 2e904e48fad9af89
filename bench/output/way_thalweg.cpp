// Thalweg, through its C interface and with its defaults for everything but writers, format, codec and file, and what
// --settings says. Idle: the session, its memory and its writer are there, but nothing is put.
#include <thalweg.h>

#include <array>
#include <stdexcept>

#include "check.hpp"
#include "way.hpp"

namespace bench {
namespace {

std::string configuration(const ThalwegKind& kind, const Options& options) {
  std::string yaml = "writers: " + (options.writers.empty() ? kind.writers : options.writers) + "\nreport: none\n";
  if (!options.nodes.empty()) yaml += "emulate-nodes: " + options.nodes + "\n";
  if (!options.profile.empty()) yaml += "profile: \"" + options.profile + "\"\n";
  yaml += "collections: {bench: {file: \"" + options.file + "\", format: " + kind.format;
  if (kind.codec != "none") yaml += ", compression: {codec: " + kind.codec + "}";
  if (!options.settings.empty()) yaml += ", " + options.settings;
  return yaml + "}}\n";
}

// On all ranks, of which the last ones serve and come back when there is nothing left to do.
thalweg_session* start(const ThalwegKind& kind, const Options& options, bool serves) {
  thalweg_session* session = nullptr;
  check_thalweg(thalweg_start_text(MPI_COMM_WORLD, configuration(kind, options).c_str(), "benchmark", &session));
  int is_client = 0;
  check_thalweg(thalweg_is_client(session, &is_client));
  if ((is_client != 0) == serves) throw std::runtime_error("the last ranks are not those that serve");
  return session;
}

class Thalweg : public Way {
 public:
  explicit Thalweg(ThalwegKind kind) : kind_(std::move(kind)) {}

  void setup(const Model& model) override {
    model_ = &model;
    session_ = start(kind_, model.options, false);
    decompose();
    check_thalweg(thalweg_open_collection(session_, "bench", &collection_));
    check_thalweg(thalweg_define_dimension(collection_, "z", model.workload.nz));
    for (const Variable& variable : model.workload.variables) define(variable);
    check_thalweg(thalweg_ready(session_));
  }

  void put_record(int record) override {
    if (kind_.idle) return;
    for (std::size_t v = 0; v < model_->workload.variables.size(); ++v) put(v);
    check_thalweg(thalweg_advance(session_, 3600.0 * (record + 1)));
  }

  void finish() override { check_thalweg(thalweg_finish(&session_)); }

  void serve(const Options& options) override {
    session_ = start(kind_, options, true);
    finish();
  }

 private:
  void decompose() {
    const Part& part = model_->part;
    const std::int64_t shape[2] = {model_->workload.ny, model_->workload.nx};
    const std::int64_t start[2] = {part.y0, part.x0}, count[2] = {part.ny, part.nx};
    const std::int64_t halo[2] = {model_->workload.halo, model_->workload.halo};
    check_thalweg(thalweg_decompose(session_, "y,x", shape, 1, start, count, halo, halo, 0, &cells_));
  }

  void define(const Variable& variable) {
    const bool scalar = variable.shape == Shape::scalar;
    const char* dims = scalar ? "time" : variable.shape == Shape::plane ? "time,y,x" : "time,z,y,x";
    check_thalweg(thalweg_define_variable(collection_, variable.name.c_str(), dims, THALWEG_FLOAT32,
                                          scalar ? nullptr : cells_, nullptr));
  }

  void put(std::size_t v) {
    const Variable& variable = model_->workload.variables[v];
    const auto local = model_->fields.extents(v);
    const std::array<std::int64_t, 3> extents{local[0], local[1], local[2]};
    const int rank = variable.shape == Shape::scalar ? 0 : variable.shape == Shape::plane ? 2 : 3;
    check_thalweg(thalweg_put(collection_, variable.name.c_str(), model_->fields.data(v), THALWEG_FLOAT32, rank,
                              extents.data() + (3 - rank), nullptr));
  }

  ThalwegKind kind_;
  const Model* model_ = nullptr;
  thalweg_session* session_ = nullptr;
  thalweg_decomposition* cells_ = nullptr;
  thalweg_collection* collection_ = nullptr;
};

}  // namespace

std::unique_ptr<Way> make_thalweg(const ThalwegKind& kind) {
  return std::make_unique<Thalweg>(kind);
}

}  // namespace bench
