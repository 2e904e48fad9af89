#include "case.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace bench {
namespace {

void add(Case& workload, const std::string& prefix, Shape shape, int count) {
  for (int i = 0; i < count; ++i) workload.variables.push_back({prefix + std::to_string(i), shape});
}

Case large() {
  Case workload{.nx = 1440, .ny = 720, .nz = 50, .records = 6};
  add(workload, "volume_", Shape::volume, 3);
  add(workload, "plane_", Shape::plane, 10);
  return workload;
}

Case drain() {
  Case workload = large();
  workload.refill = false;
  return workload;
}

// A quarter of the area, because the slowest of the codecs are thirty times slower than the disk.
Case compressed() {
  Case workload = drain();
  workload.nx = 720;
  workload.ny = 360;
  workload.records = 10;
  workload.smooth = true;
  return workload;
}

// 5 x 3 I/O domains have 90 x 240 cells each, which 1, 3, 5 and 15 chunks along y and 1 to 4 along x divide.
Case chunks() {
  Case workload = compressed();
  workload.ny = 450;
  workload.records = 4;
  return workload;
}

Case small() {
  Case workload{.nx = 100, .ny = 100, .nz = 1, .records = 1000};
  add(workload, "plane_", Shape::plane, 1);
  add(workload, "scalar_", Shape::scalar, 20);
  return workload;
}

Case by_name(const std::string& name) {
  if (name == "large") return large();
  if (name == "drain") return drain();
  if (name == "small") return small();
  if (name == "compressed") return compressed();
  if (name == "chunks") return chunks();
  throw std::runtime_error("no case is called '" + name + "'; there are large, drain, small, compressed and chunks");
}

int shrink(int extent, double scale) {
  return std::max(4, static_cast<int>(std::lround(extent * std::sqrt(scale))));
}

}  // namespace

std::int64_t Case::points(const Variable& variable) const {
  if (variable.shape == Shape::scalar) return 1;
  return static_cast<std::int64_t>(nx) * ny * (variable.shape == Shape::volume ? nz : 1);
}

std::int64_t Case::bytes_per_record() const {
  std::int64_t sum = 0;
  for (const Variable& variable : variables) sum += points(variable);
  return sum * static_cast<std::int64_t>(sizeof(float));
}

Case make_case(const std::string& name, double scale, int records, std::int64_t work) {
  Case workload = by_name(name);
  if (records > 0) workload.records = records;
  workload.work = work;
  if (scale < 1.0) {
    workload.nx = shrink(workload.nx, scale);
    workload.ny = shrink(workload.ny, scale);
  }
  return workload;
}

Part part_of(const Case& workload, int rank, int ranks) {
  int parts[2] = {0, 0};  // along y, along x
  MPI_Dims_create(ranks, 2, parts);
  const int row = rank / parts[1], column = rank % parts[1];
  const auto edge = [](int extent, int part, int count) {
    return static_cast<int>(static_cast<std::int64_t>(extent) * part / count);
  };
  const int x0 = edge(workload.nx, column, parts[1]), x1 = edge(workload.nx, column + 1, parts[1]);
  const int y0 = edge(workload.ny, row, parts[0]), y1 = edge(workload.ny, row + 1, parts[0]);
  return {.x0 = x0, .nx = x1 - x0, .y0 = y0, .ny = y1 - y0};
}

}  // namespace bench
