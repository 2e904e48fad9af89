// The workload: which variables on which grid, how many records, how much computing between them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

enum class Shape { scalar, plane, volume };

struct Variable {
  std::string name;
  Shape shape;
};

struct Case {
  int nx = 0, ny = 0, nz = 0;
  int halo = 2;
  int records = 0;
  std::int64_t work = 0;  // dependent multiply-adds of each rank before each record
  bool refill = true;     // new values for each record; otherwise record 0's stay
  bool smooth = false;    // values as of real fields, which compress; otherwise every bit is noise
  std::vector<Variable> variables = {};

  std::int64_t points(const Variable& variable) const;  // global, without halo
  std::int64_t bytes_per_record() const;
};

// By name: "large", "drain" (the same grid without computing or filling), "small", "compressed" (as drain, smooth) or
// "chunks" (smooth, on a grid that I/O domains and chunks cut evenly). scale < 1 shrinks the grid's area; records = 0
// keeps the case's own number.
Case make_case(const std::string& name, double scale, int records, std::int64_t work);

// The part of the horizontal grid that a rank holds.
struct Part {
  int x0 = 0, nx = 0, y0 = 0, ny = 0;
};

Part part_of(const Case& workload, int rank, int ranks);

}  // namespace bench
