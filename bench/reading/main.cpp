// Ways of reading one field of a CDF-5 file, and of a netCDF-4 one, into boxes of all ranks, in turn, in one launch:
//   thalweg_bench_reading FILE LEVELS ROWS COLUMNS ROUNDS warm|cold
// Rank 0 prints a line of JSON: seconds of each way in each round, the slowest rank's, and as "WAY: open" what of them
// came before the first value was asked for.
#include <fcntl.h>
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <pnetcdf.h>
#include <thalweg.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "check.hpp"

namespace {

struct Grid {
  long levels, rows, columns;
  long cells() const { return levels * rows * columns; }
};

struct Part {
  int rank = 0, ranks = 1;
  long first_row = 0, rows = 0, first_column = 0, columns = 0;
};

// Boxes of two columns of ranks, where they are an even number.
Part part_of(const Grid& grid, int rank, int ranks) {
  const int across = ranks % 2 == 0 ? 2 : 1;
  const int down = ranks / across;
  const auto edge = [](long extent, int parts, int part) { return extent * part / parts; };
  Part part{rank, ranks};
  part.first_row = edge(grid.rows, down, rank / across);
  part.rows = edge(grid.rows, down, rank / across + 1) - part.first_row;
  part.first_column = edge(grid.columns, across, rank % across);
  part.columns = edge(grid.columns, across, rank % across + 1) - part.first_column;
  return part;
}

// By MPI_Wtime(), when the way that is under way had its file open.
double opened_s = 0.0;

double value_at(long cell) {
  return static_cast<double>(cell % 1000003) * 0.5;
}

void write_file(const std::string& path, const Grid& grid) {
  int file = 0, dims[3], variable = 0;
  bench::check_pnetcdf(ncmpi_create(MPI_COMM_SELF, path.c_str(), NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file),
                       "create");
  const char* names[] = {"z", "y", "x"};
  const long sizes[] = {grid.levels, grid.rows, grid.columns};
  for (int d = 0; d < 3; ++d) bench::check_pnetcdf(ncmpi_def_dim(file, names[d], sizes[d], &dims[d]), "def_dim");
  bench::check_pnetcdf(ncmpi_def_var(file, "temp", NC_DOUBLE, 3, dims, &variable), "def_var");
  bench::check_pnetcdf(ncmpi_enddef(file), "enddef");
  std::vector<double> level(static_cast<std::size_t>(grid.rows * grid.columns));
  for (long z = 0; z < grid.levels; ++z) {
    for (std::size_t i = 0; i < level.size(); ++i)
      level[i] = value_at(z * grid.rows * grid.columns + static_cast<long>(i));
    const MPI_Offset start[] = {z, 0, 0}, count[] = {1, grid.rows, grid.columns};
    bench::check_pnetcdf(ncmpi_put_vara_double_all(file, variable, start, count, level.data()), "put_vara_double_all");
  }
  bench::check_pnetcdf(ncmpi_close(file), "close");
}

// The same in one piece.
void write_netcdf4_file(const std::string& path, const Grid& grid) {
  int file = 0, dims[3], variable = 0;
  bench::check_netcdf(nc_create(path.c_str(), NC_CLOBBER | NC_NETCDF4, &file), "create");
  const char* names[] = {"z", "y", "x"};
  const long sizes[] = {grid.levels, grid.rows, grid.columns};
  for (int d = 0; d < 3; ++d)
    bench::check_netcdf(nc_def_dim(file, names[d], static_cast<std::size_t>(sizes[d]), &dims[d]), "def_dim");
  bench::check_netcdf(nc_def_var(file, "temp", NC_DOUBLE, 3, dims, &variable), "def_var");
  bench::check_netcdf(nc_def_var_chunking(file, variable, NC_CONTIGUOUS, nullptr), "def_var_chunking");
  std::vector<double> field(static_cast<std::size_t>(grid.cells()));
  for (std::size_t i = 0; i < field.size(); ++i) field[i] = value_at(static_cast<long>(i));
  bench::check_netcdf(nc_put_var_double(file, variable, field.data()), "put_var_double");
  bench::check_netcdf(nc_close(file), "close");
}

// The same bytes, in as many pieces as there are ranks: what the storage gives.
void read_raw(const std::string& path, const Grid& grid, const Part& part, std::vector<double>& field) {
  const long each = grid.cells() / part.ranks;
  const int file = open(path.c_str(), O_RDONLY);
  opened_s = MPI_Wtime();
  long offset = 4096 + part.rank * each * 8;  // about there
  for (long left = std::min<long>(each, static_cast<long>(field.size())) * 8; left > 0;) {
    const ssize_t got =
        pread(file, reinterpret_cast<char*>(field.data()), static_cast<std::size_t>(std::min(left, 4L << 20)), offset);
    if (got <= 0) break;
    left -= got;
    offset += got;
  }
  close(file);
}

// The bytes of the rank's own box, row by row, and to their places; they are not turned into this machine's order.
void read_rows(const std::string& path, const Grid& grid, const Part& part, std::vector<double>& field) {
  const int file = open(path.c_str(), O_RDONLY);
  opened_s = MPI_Wtime();
  double* to = field.data();
  for (long z = 0; z < grid.levels; ++z)
    for (long y = 0; y < part.rows; ++y, to += part.columns) {
      const long cell = (z * grid.rows + part.first_row + y) * grid.columns + part.first_column;
      if (pread(file, to, static_cast<std::size_t>(part.columns) * 8, 4096 + cell * 8) <= 0) break;
    }
  close(file);
}

// As models do it by themselves: one rank reads level by level, and sends every rank its box.
void read_and_scatter(const std::string& path, const Grid& grid, const Part& own, std::vector<double>& field) {
  const long box = own.rows * own.columns;
  int file = 0;
  std::vector<double> level, packed;
  if (own.rank == 0)
    bench::check_pnetcdf(ncmpi_open(MPI_COMM_SELF, path.c_str(), NC_NOWRITE, MPI_INFO_NULL, &file), "open");
  if (own.rank == 0) bench::check_pnetcdf(ncmpi_begin_indep_data(file), "begin_indep_data");
  opened_s = MPI_Wtime();
  std::vector<int> counts(static_cast<std::size_t>(own.ranks)), offsets = counts;
  for (int r = 0, at = 0; r < own.ranks; ++r) {
    const Part part = part_of(grid, r, own.ranks);
    offsets[static_cast<std::size_t>(r)] = at;
    at += counts[static_cast<std::size_t>(r)] = static_cast<int>(part.rows * part.columns);
  }
  if (own.rank == 0) level.resize(static_cast<std::size_t>(grid.rows * grid.columns));
  packed.resize(level.size());
  for (long z = 0; z < grid.levels; ++z) {
    if (own.rank == 0) {
      const MPI_Offset start[] = {z, 0, 0}, count[] = {1, grid.rows, grid.columns};
      bench::check_pnetcdf(ncmpi_get_vara_double(file, 0, start, count, level.data()), "get_vara_double");
      double* to = packed.data();
      for (int r = 0; r < own.ranks; ++r) {
        const Part part = part_of(grid, r, own.ranks);
        for (long y = 0; y < part.rows; ++y, to += part.columns)
          std::memcpy(to, &level[static_cast<std::size_t>((part.first_row + y) * grid.columns + part.first_column)],
                      static_cast<std::size_t>(part.columns) * 8);
      }
    }
    MPI_Scatterv(packed.data(), counts.data(), offsets.data(), MPI_DOUBLE, &field[static_cast<std::size_t>(z * box)],
                 static_cast<int>(box), MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
  if (own.rank == 0) bench::check_pnetcdf(ncmpi_close(file), "close");
}

void read_pnetcdf(const std::string& path, const Grid& grid, const Part& part, std::vector<double>& field) {
  int file = 0;
  bench::check_pnetcdf(ncmpi_open(MPI_COMM_WORLD, path.c_str(), NC_NOWRITE, MPI_INFO_NULL, &file), "open");
  opened_s = MPI_Wtime();
  const MPI_Offset start[] = {0, part.first_row, part.first_column}, count[] = {grid.levels, part.rows, part.columns};
  bench::check_pnetcdf(ncmpi_get_vara_double_all(file, 0, start, count, field.data()), "get_vara_double_all");
  bench::check_pnetcdf(ncmpi_close(file), "close");
}

void read_netcdf4(const std::string& path, const Grid& grid, const Part& part, std::vector<double>& field) {
  int file = 0;
  bench::check_netcdf(nc_open_par(path.c_str(), NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file), "open_par");
  bench::check_netcdf(nc_var_par_access(file, 0, NC_COLLECTIVE), "var_par_access");
  opened_s = MPI_Wtime();
  const auto size = [](long of) { return static_cast<std::size_t>(of); };
  const std::size_t start[] = {0, size(part.first_row), size(part.first_column)};
  const std::size_t count[] = {size(grid.levels), size(part.rows), size(part.columns)};
  bench::check_netcdf(nc_get_vara_double(file, 0, start, count, field.data()), "get_vara_double");
  bench::check_netcdf(nc_close(file), "close");
}

void read_thalweg(thalweg_session* session, const std::string& path, const Grid& grid, const Part& part,
                  std::vector<double>& field) {
  const int64_t shape[] = {grid.rows, grid.columns}, start[] = {part.first_row, part.first_column};
  const int64_t count[] = {part.rows, part.columns}, extent[] = {grid.levels, part.rows, part.columns};
  thalweg_decomposition* cells = nullptr;
  thalweg_input* input = nullptr;
  bench::check_thalweg(thalweg_open_input(session, path.c_str(), &input));
  opened_s = MPI_Wtime();
  bench::check_thalweg(thalweg_decompose(session, "y,x", shape, 1, start, count, nullptr, nullptr, 0, &cells));
  bench::check_thalweg(thalweg_declare_input(input, "temp", nullptr, cells, nullptr, nullptr));
  bench::check_thalweg(thalweg_get(input, "temp", 0, field.data(), THALWEG_FLOAT64, 3, extent, nullptr));
  bench::check_thalweg(thalweg_close_input(&input));
}

void check_field(const Grid& grid, const Part& part, const std::vector<double>& field, const char* way) {
  const double* at = field.data();
  for (long z = 0; z < grid.levels; ++z)
    for (long y = 0; y < part.rows; ++y)
      for (long x = 0; x < part.columns; ++x, ++at)
        if (*at != value_at((z * grid.rows + part.first_row + y) * grid.columns + part.first_column + x)) {
          std::fprintf(stderr, "%s: rank %d has a wrong value\n", way, part.rank);
          MPI_Abort(MPI_COMM_WORLD, 1);
        }
}

void forget_pages(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY);
  fdatasync(file);
  posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  close(file);
}

struct Way {
  std::string name;
  std::function<void(std::vector<double>&)> read;
  std::vector<double> seconds{};
  std::vector<double> open_seconds{};
};

std::string listed(const std::string& name, const std::vector<double>& seconds) {
  std::string text = "\"" + name + "\": [";
  for (std::size_t i = 0; i < seconds.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(seconds[i]);
  return text + "]";
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc < 7) return 2;
  const std::string path = argv[1];
  const Grid grid{std::atol(argv[2]), std::atol(argv[3]), std::atol(argv[4])};
  const int rounds = std::atoi(argv[5]);
  const bool is_cold = std::string(argv[6]) == "cold";
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::string netcdf4_path = path + "4";
  if (rank == 0) {
    write_file(path, grid);
    write_netcdf4_file(netcdf4_path, grid);
  }
  const Part part = part_of(grid, rank, ranks);
  std::vector<Way> ways = {
      {"raw", [&](auto& field) { read_raw(path, grid, part, field); }},
      {"raw rows", [&](auto& field) { read_rows(path, grid, part, field); }},
      {"scatter", [&](auto& field) { read_and_scatter(path, grid, part, field); }},
      {"pnetcdf", [&](auto& field) { read_pnetcdf(path, grid, part, field); }},
      {"netcdf4", [&](auto& field) { read_netcdf4(netcdf4_path, grid, part, field); }},
  };
  std::vector<thalweg_session*> sessions;
  for (const std::string reading : {"serial", "domain", "independent", "auto"}) {
    const bool has_two_nodes = ranks > 1 && reading != "auto";
    const std::string yaml =
        std::string("report: none\nemulate-nodes: ") + (has_two_nodes ? "2" : "1") + "\nreading: " + reading + "\n";
    thalweg_session* session = nullptr;
    bench::check_thalweg(thalweg_start_text(MPI_COMM_WORLD, yaml.c_str(), "bench", &session));
    sessions.push_back(session);
    ways.push_back({reading, [&, session](auto& field) { read_thalweg(session, path, grid, part, field); }});
  }
  ways.push_back({"auto of netcdf4", [&, session = sessions.back()](auto& field) {
                    read_thalweg(session, netcdf4_path, grid, part, field);
                  }});
  std::vector<double> field(
      static_cast<std::size_t>(std::max(grid.levels * part.rows * part.columns, grid.cells() / ranks)));
  for (int round = -1; round < rounds; ++round)  // the first one warms
    for (Way& way : ways) {
      std::fill(field.begin(), field.end(), -1.0);
      if (is_cold && rank == 0)
        for (const std::string& file : {path, netcdf4_path}) forget_pages(file);
      MPI_Barrier(MPI_COMM_WORLD);
      const double begin = MPI_Wtime();
      way.read(field);
      double taken[] = {MPI_Wtime() - begin, opened_s - begin};
      MPI_Allreduce(MPI_IN_PLACE, taken, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      if (!way.name.starts_with("raw")) check_field(grid, part, field, way.name.c_str());
      if (round < 0) continue;
      way.seconds.push_back(taken[0]);
      way.open_seconds.push_back(taken[1]);
    }
  for (thalweg_session* session : sessions) bench::check_thalweg(thalweg_finish(&session));
  if (rank == 0) {
    std::string line = "{";
    for (const Way& way : ways)
      line += (line.size() > 1 ? ", " : "") + listed(way.name, way.seconds) + ", " +
              listed(way.name + ": open", way.open_seconds);
    std::puts((line + "}").c_str());
    for (const std::string& file : {path, netcdf4_path}) std::remove(file.c_str());
  }
  MPI_Finalize();
}
