// As user_write.c, in C++: the procedure throws where the other returns a code.
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <memory>
#include <thalweg.hpp>

namespace {

constexpr std::int64_t nz = 3, ny = 128, nx = 130, land = 2, records = 5, second_file = 3, masked = nx - land;

double value(int variable, std::int64_t record, std::int64_t index) {
  return static_cast<double>((variable * 1000003 + record * 7919 + index * 31) % 16777213);
}

class Keeper {
 public:
  Keeper(int rank, std::int64_t failing) : file_("events." + std::to_string(rank)), failing_(failing) {}

  void operator()(const thalweg_block& block) {
    file_ << std::dec << block.event << ' ' << block.collection << ' ' << block.file << ' '
          << (block.variable == nullptr ? "-" : block.variable) << ' ' << block.record << ' ' << block.record_in_file
          << ' ' << block.time_s << ' ' << block.type;
    keep(block.start, block.rank);
    const std::int64_t cells = keep(block.count, block.rank);
    keep(block.shape, block.rank);
    keep(block.stride, block.rank);
    file_ << ' ' << block.checksum << ' ';
    if (block.event == THALWEG_EVENT_BLOCK)
      keep_bytes(static_cast<const unsigned char*>(block.data),
                 cells * (block.type == THALWEG_FLOAT64 ? 8 : 4));  // the types of this program
    else
      file_ << '-';
    file_ << std::endl;
    if (block.event == THALWEG_EVENT_RECORD && block.record == failing_) throw std::runtime_error("the disk of user");
  }

 private:
  std::int64_t keep(const std::int64_t* values, int count) {
    std::int64_t product = 1;
    file_ << (count == 0 ? " -" : " ");
    for (int d = 0; d < count; ++d) {
      file_ << (d > 0 ? "," : "") << values[d];
      product *= values[d];
    }
    return product;
  }
  void keep_bytes(const unsigned char* bytes, std::int64_t count) {
    file_ << std::hex << std::setfill('0');
    for (std::int64_t i = 0; i < count; ++i) file_ << std::setw(2) << int{bytes[i]};
  }

  std::ofstream file_;
  std::int64_t failing_;
};

struct Rows {
  std::int64_t begin, end;

  template <class Number>
  std::vector<Number> field(int variable, std::int64_t record, std::int64_t levels) const {
    std::vector<Number> values;
    for (std::int64_t k = 0; k < levels; ++k)
      for (std::int64_t j = begin; j < end; ++j)
        for (std::int64_t i = 0; i < masked; ++i)
          values.push_back(static_cast<Number>(value(variable, record, (k * ny + j) * nx + i)));
    return values;
  }
};

using Procedure = std::function<void(const thalweg_block&)>;

Rows rows_of(MPI_Comm clients) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(clients, &rank);
  MPI_Comm_size(clients, &ranks);
  return {ny * rank / ranks, ny * (rank + 1) / ranks};
}

// procedure: null if it was registered.
void run_model(thw::Session& io, Procedure* procedure) {
  const Rows rows = rows_of(io.model_comm());
  const std::int64_t count = rows.end - rows.begin;
  const auto cells = io.decompose("y,x", {ny, nx}, {rows.begin, 0}, {count, masked}, {}, {}, true);
  auto history = io.open_collection("history");
  history.define_dimension("z", nz);
  history.define_variable("depth", "y,x", thw::Type::int32, cells);
  history.define_variable("temp", "time,z,y,x", thw::Type::float32, cells);
  history.define_variable("wide", "time,y,x", thw::Type::float64, cells);
  history.define_variable("mean", "time", thw::Type::float64);
  if (procedure != nullptr) history.set_procedure(*procedure);
  history.put("depth", rows.field<std::int32_t>(0, 0, 1), {count, masked});
  for (std::int64_t record = 0; record < records; ++record) {
    if (record == second_file) history.new_file("second");
    history.put("temp", rows.field<float>(1, record, nz), {nz, count, masked});
    history.put("wide", rows.field<double>(2, record, 1), {count, masked});
    const double mean = value(3, record, 0);
    history.put("mean", thw::View(&mean, {}));
    io.advance(600.0 * static_cast<double>(record + 1));
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const bool registers = std::getenv("THALWEG_TEST_REGISTER") != nullptr;
  Procedure procedure = [keeper = std::make_shared<Keeper>(rank, argc > 1 ? std::atoi(argv[1]) : -1)](
                            const thalweg_block& block) { (*keeper)(block); };
  try {
    if (registers) thw::register_procedure("history", procedure);
    thw::Session io(MPI_COMM_WORLD, "thalweg.yaml");
    if (io.is_client()) run_model(io, registers ? nullptr : &procedure);
    io.finish();
  } catch (const thw::Exception& error) {
    std::cerr << "user_write_cpp: " << error.what() << std::endl;
    MPI_Abort(MPI_COMM_WORLD, error.code());
  }
  MPI_Finalize();
  return 0;
}
