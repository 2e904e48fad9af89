// Thalweg, CDF-5, with its defaults for everything but writers, format and file.
#include <thalweg.h>

#include <array>
#include <stdexcept>

#include "check.hpp"
#include "way.hpp"

namespace bench {
namespace {

class Thalweg : public Way {
 public:
  Thalweg(const std::string& writers, bool of_grid, const Mesh& mesh, const Fields& fields, const std::string& file)
      : mesh_(mesh), fields_(fields) {
    const std::string yaml =
        "writers: " + writers + "\nreport: none\ncollections:\n  mesh:\n    file: \"" + file + "\"\n    format: cdf5\n";
    check_thalweg(thalweg_start_text(MPI_COMM_WORLD, yaml.c_str(), "benchmark", &session_));
    thalweg_decomposition* cells = of_grid ? points_of_grid() : points_of_mesh();
    const char* dims = of_grid ? "time,lat,lon" : "time,cell";
    check_thalweg(thalweg_open_collection(session_, "mesh", &collection_));
    for (int v = 0; v < mesh.variables; ++v)
      check_thalweg(thalweg_define_variable(collection_, name_of(v).c_str(), dims, THALWEG_FLOAT32, cells, nullptr));
    check_thalweg(thalweg_ready(session_));
  }

  void put_record(int record) override {
    const std::int64_t extent = points();
    for (int v = 0; v < mesh_.variables; ++v)
      check_thalweg(
          thalweg_put(collection_, name_of(v).c_str(), fields_.data(v), THALWEG_FLOAT32, 1, &extent, nullptr));
    check_thalweg(thalweg_advance(session_, 3600.0 * (record + 1)));
  }

  void finish() override { check_thalweg(thalweg_finish(&session_)); }

 private:
  thalweg_decomposition* points_of_mesh() {
    thalweg_decomposition* cells = nullptr;
    check_thalweg(
        thalweg_decompose_indices(session_, "cell", mesh_.points, points(), fields_.index().data(), 0, &cells));
    return cells;
  }
  thalweg_decomposition* points_of_grid() {
    constexpr std::int64_t columns = 2048;
    if (mesh_.points % columns != 0) throw std::runtime_error("a grid has rows of 2048 points");
    const std::array<std::int64_t, 2> shape{mesh_.points / columns, columns};
    thalweg_decomposition* cells = nullptr;
    check_thalweg(
        thalweg_decompose_points(session_, "lat,lon", shape.data(), points(), fields_.index().data(), 0, &cells));
    return cells;
  }
  std::int64_t points() const { return static_cast<std::int64_t>(fields_.index().size()); }

  Mesh mesh_;
  const Fields& fields_;
  thalweg_session* session_ = nullptr;
  thalweg_collection* collection_ = nullptr;
};

}  // namespace

std::unique_ptr<Way> make_thalweg(const std::string& writers, bool of_grid, const Mesh& mesh, const Fields& fields,
                                  const std::string& file) {
  return std::make_unique<Thalweg>(writers, of_grid, mesh, fields, file);
}

}  // namespace bench
