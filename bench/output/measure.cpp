#include "measure.hpp"

#include <fstream>

#include "clock.hpp"
#include "work.hpp"

namespace bench {
namespace {

void reduce(double* values, int count, MPI_Op operation, const Model& model) {
  MPI_Reduce(model.rank == 0 ? MPI_IN_PLACE : values, values, count, MPI_DOUBLE, operation, 0, model.comm);
}

void model_step(Model& model, int record) {
  compute(model.workload.work);
  if (model.workload.refill) model.fields.fill(record);
  MPI_Barrier(model.comm);  // so that waiting for a slower rank is not taken for a stall
}

void run_records(Way& way, Model& model, Measurement& measured) {
  for (int record = 0; record < model.workload.records; ++record) {
    const double model_cpu_s = thread_cpu_s();
    model_step(model, record);
    measured.cpu_model_s += thread_cpu_s() - model_cpu_s;
    const double before_s = now_s();
    way.put_record(record);
    measured.stall_s.push_back(now_s() - before_s);
  }
}

void write_shape(std::ofstream& out, const Case& workload) {
  out << "  \"nx\": " << workload.nx << ", \"ny\": " << workload.ny << ", \"nz\": " << workload.nz
      << ", \"records\": " << workload.records << ", \"refill\": " << (workload.refill ? "true" : "false")
      << ", \"smooth\": " << (workload.smooth ? "true" : "false")
      << ",\n  \"bytes\": " << workload.bytes_per_record() * workload.records << ",\n  \"variables\": [";
  const char* shapes[] = {"scalar", "plane", "volume"};
  const char* separator = "";
  for (const Variable& variable : workload.variables) {
    out << separator << "[\"" << variable.name << "\", \"" << shapes[static_cast<int>(variable.shape)] << "\"]";
    separator = ", ";
  }
  out << "],\n";
}

}  // namespace

Measurement measure(Way& way, Model& model) {
  Measurement measured;
  MPI_Barrier(model.comm);
  const double setup_cpu_s = process_cpu_s(), setup_start_s = now_s();
  way.setup(model);
  MPI_Barrier(model.comm);
  measured.start_s = now_s();
  measured.setup_s = measured.start_s - setup_start_s;
  const double cpu_start_s = process_cpu_s();
  measured.cpu_setup_s = cpu_start_s - setup_cpu_s;
  run_records(way, model, measured);
  const double finish_start_s = now_s();
  way.finish();
  measured.finish_s = now_s() - finish_start_s;
  measured.wall_s = now_s() - measured.start_s;
  measured.cpu_s = process_cpu_s() - cpu_start_s;
  reduce(&measured.setup_s, 1, MPI_MAX, model);
  reduce(&measured.wall_s, 1, MPI_MAX, model);
  reduce(&measured.finish_s, 1, MPI_MAX, model);
  reduce(&measured.cpu_setup_s, 1, MPI_SUM, model);
  reduce(&measured.cpu_s, 1, MPI_SUM, model);
  reduce(&measured.cpu_model_s, 1, MPI_SUM, model);
  reduce(measured.stall_s.data(), model.workload.records, MPI_MAX, model);
  return measured;
}

void write_json(const Measurement& measured, const Case& workload, const std::string& path) {
  std::ofstream out(path);
  out.precision(12);
  out << "{\n";
  write_shape(out, workload);
  out << "  \"setup_s\": " << measured.setup_s << ", \"start_s\": " << measured.start_s
      << ", \"wall_s\": " << measured.wall_s << ", \"finish_s\": " << measured.finish_s
      << ", \"cpu_setup_s\": " << measured.cpu_setup_s << ", \"cpu_s\": " << measured.cpu_s
      << ", \"cpu_model_s\": " << measured.cpu_model_s << ",\n  \"stall_s\": [";
  const char* separator = "";
  for (const double stall_s : measured.stall_s) {
    out << separator << stall_s;
    separator = ", ";
  }
  out << "]\n}\n";
}

}  // namespace bench
