// Writes an unstructured mesh: variables over cells, edges and nodes that are decomposed by index lists
// (indices_map.hpp), with values that anybody can compute again (conform_values.hpp).
//
//   indices @FILE                        several runs, one after the other (batch.hpp)
//   indices CONFIG [option=value ...]
//     points=N    cells; there are 3/2 as many edges and 4/5 as many nodes
//     mean=N      points of a run     levels=N     records=N
//     holes=1     some points belong to nobody; masked=0 does not say so
//     copies=1    some points are listed twice: by a higher rank, or later by the same one
//     empty=N     the last N ranks hold nothing
//     missing=1   rank 1 does not put 'flag' in record 2
//     bad=range|twice   what rank 1 does wrong
//     refused=1         what came of declaring the cells is written to rank<N>.jsonl, and nothing else is done
#include <cstdio>
#include <map>

#include "batch.hpp"
#include "indices_map.hpp"
#include "outcomes.hpp"

namespace indices {
namespace {

constexpr double step_s = 3600.0;
constexpr auto f32 = THALWEG_FLOAT32, f64 = THALWEG_FLOAT64;

void check(int code) {
  if (code == THALWEG_OK) return;
  std::fprintf(stderr, "indices: error %d: %s\n", code, thalweg_error_text());
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, code);
}

class Options {
 public:
  explicit Options(const batch::Words& words) : config(words.at(0)) {
    for (const std::string& word : words) values_[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  }
  std::string text(const std::string& key) const { return values_.count(key) == 0 ? "" : values_.at(key); }
  std::int64_t number(const std::string& key, std::int64_t otherwise) const {
    return values_.count(key) == 0 ? otherwise : std::stoll(values_.at(key));
  }
  std::string config;

 private:
  std::map<std::string, std::string> values_;
};

struct Space {
  std::int64_t size = 0;
  Map map;
  thalweg_decomposition* handle = nullptr;
};

// Other dimensions come before or behind the one of the list, or there is none.
struct Variable {
  std::string name;
  thalweg_type type;
  std::string dims;  // in the file, without time
  bool has_record;
  thalweg_type memory_type;
  std::string memory_dims;
  std::int64_t gap;  // elements of memory between elements of the fastest dimension
};

class Model {
 public:
  explicit Model(const Options& options) : options_(options) {
    check(thalweg_start(MPI_COMM_WORLD, options.config.c_str(), &session_));
    check(thalweg_is_client(session_, &is_client_));
    if (is_client_ == 0) return;
    MPI_Comm model = MPI_COMM_NULL;
    check(thalweg_model_comm(session_, &model));
    MPI_Comm_rank(model, &rank_);
    MPI_Comm_size(model, &ranks_);
  }

  void run() {
    if (is_client_ == 0) return check(thalweg_finish(&session_));
    const std::int64_t cells = options_.number("points", 500);
    sizes_ = {{"lev", options_.number("levels", 5)}, {"four", 4}};
    for (const auto& [dim, size] : {std::pair{"cell", cells}, {"edge", 3 * cells / 2}, {"node", 4 * cells / 5}}) {
      const int code = declare(dim, size);
      if (options_.number("refused", 0) == 0) continue;
      outcomes::Log log(rank_);
      log("decompose", [&] { return code; });
      return check(thalweg_finish(&session_));
    }
    define();
    for (std::int64_t step = 1; step <= options_.number("records", 3); ++step) {
      for (const Variable& variable : variables_)
        if (variable.has_record || step == 1) put(variable, variable.has_record ? step : 0);
      check(thalweg_advance(session_, step_s * static_cast<double>(step)));
    }
    check(thalweg_finish(&session_));
  }

 private:
  int declare(const std::string& dim, std::int64_t size) {
    const Deal deal{options_.number("mean", 10), options_.number("holes", 0) != 0, options_.number("copies", 0) != 0,
                    std::max(1, ranks_ - static_cast<int>(options_.number("empty", 0)))};
    sizes_[dim] = size;
    Space& space = spaces_[dim];
    space = {size, map_of(dim, size, deal, rank_)};
    Indices& index = space.map.index;
    if (rank_ == 1 && options_.text("bad") == "range") index.at(5) = size + 3;
    if (rank_ == 1 && options_.text("bad") == "twice") index.at(5) = index.at(1) = std::max(index.at(1), index.at(5));
    const int masked = static_cast<int>(options_.number("masked", options_.number("holes", 0)));
    const int code = thalweg_decompose_indices(session_, dim.c_str(), size, static_cast<std::int64_t>(index.size()),
                                               index.empty() ? nullptr : index.data(), masked, &space.handle);
    if (options_.number("refused", 0) == 0) check(code);
    return code;
  }

  void define() {
    check(thalweg_open_collection(session_, "mesh", &mesh_));
    for (const char* dim : {"lev", "four"}) check(thalweg_define_dimension(mesh_, dim, sizes_.at(dim)));
    check(thalweg_define_variable(mesh_, "mesh2d", "", THALWEG_INT32, nullptr, nullptr));
    const std::int32_t dimension = 2;
    check(thalweg_define_text(mesh_, "mesh2d", "cf_role", "mesh_topology"));
    check(thalweg_define_attribute(mesh_, "mesh2d", "topology_dimension", THALWEG_INT32, 1, &dimension));
    check(thalweg_define_text(mesh_, "mesh2d", "node_coordinates", "node_lon node_lat"));
    check(thalweg_define_text(mesh_, "mesh2d", "face_node_connectivity", "face_nodes"));
    variables_ = {{"face_nodes", THALWEG_INT32, "cell,four", false, THALWEG_INT32, "cell,four", 0},
                  {"node_lon", f64, "node", false, f64, "node", 0},
                  {"node_lat", f64, "node", false, f64, "node", 1},
                  {"temp", f32, "lev,cell", true, f64, "lev,cell", 0},
                  {"salt", f64, "lev,cell", true, f64, "cell,lev", 0},
                  {"tracer", f32, "cell,lev", true, f64, "cell,lev", 0},
                  {"dye", f32, "cell,lev", true, f32, "lev,cell", 0},
                  {"widened", f64, "cell,lev", true, f32, "cell,lev", 2},
                  {"flag", THALWEG_INT16, "cell", true, THALWEG_INT16, "cell", 0},
                  {"flux", f32, "lev,edge", true, f32, "lev,edge", 1},
                  {"vorticity", f64, "node", true, f64, "node", 0}};
    for (const Variable& variable : variables_) {
      const std::string dims = (variable.has_record ? "time," : "") + variable.dims;
      check(thalweg_define_variable(mesh_, variable.name.c_str(), dims.c_str(), variable.type,
                                    spaces_.at(space_of(variable)).handle, variable.memory_dims.c_str()));
    }
    const float fill = -1e30F;
    check(thalweg_define_attribute(mesh_, "temp", "_FillValue", THALWEG_FLOAT32, 1, &fill));
  }

  static std::string space_of(const Variable& variable) {
    for (const char* dim : {"cell", "edge", "node"})
      if (variable.dims.find(dim) != std::string::npos) return dim;
    return "";
  }

  void put(const Variable& variable, std::int64_t step) const {
    if (variable.name == "flag" && rank_ == 1 && step == 2 && options_.number("missing", 0) != 0) return;
    const std::string dim = space_of(variable);
    const Space& space = spaces_.at(dim);
    const std::int64_t points = static_cast<std::int64_t>(space.map.index.size());
    if (points == 0) return;
    const bool has_other = variable.dims.find(',') != std::string::npos;
    const std::string other = has_other ? other_dim(variable.dims, dim) : "";
    const std::int64_t others = has_other ? sizes_.at(other) : 1;
    const bool list_fastest = variable.memory_dims.rfind(dim) + dim.size() == variable.memory_dims.size();
    const bool list_fastest_in_file = variable.dims.rfind(dim) + dim.size() == variable.dims.size();
    const std::int64_t element = conform::bytes_of(variable.memory_type);
    const std::int64_t near = element * (1 + variable.gap);
    const std::int64_t point_step = list_fastest ? near : near * others;
    const std::int64_t other_step = list_fastest ? near * points : near;
    std::vector<std::byte> bytes(static_cast<std::size_t>(near * points * others));
    const std::uint64_t seed = conform::seed_of(variable.name);
    for (std::int64_t p = 0; p < points; ++p)
      for (std::int64_t k = 0; k < others; ++k) {
        const std::int64_t global = space.map.index[static_cast<std::size_t>(p)];
        const std::int64_t linear = list_fastest_in_file ? k * space.size + global : global * others + k;
        const std::uint64_t value = conform::hash(seed, step, linear);
        const bool is_wrong = space.map.is_copy[static_cast<std::size_t>(p)];
        conform::store(is_wrong ? ~value : value, variable.memory_type, bytes.data() + p * point_step + k * other_step);
      }
    const std::int64_t two[] = {list_fastest ? others : points, list_fastest ? points : others};
    const std::int64_t strides[] = {list_fastest ? other_step : point_step, near};
    check(thalweg_put(mesh_, variable.name.c_str(), bytes.data(), variable.memory_type, has_other ? 2 : 1,
                      has_other ? two : &points, has_other ? strides : &near));
  }

  static std::string other_dim(const std::string& dims, const std::string& dim) {
    const std::string first = dims.substr(0, dims.find(','));
    return first == dim ? dims.substr(dims.find(',') + 1) : first;
  }

  const Options& options_;
  int rank_ = 0;
  int ranks_ = 1;
  int is_client_ = 0;
  thalweg_session* session_ = nullptr;
  thalweg_collection* mesh_ = nullptr;
  std::map<std::string, std::int64_t> sizes_;
  std::map<std::string, Space> spaces_;
  std::vector<Variable> variables_;
};

}  // namespace
}  // namespace indices

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  batch::each(argc, argv, [](const batch::Words& words) {
    const indices::Options options(words);
    indices::Model(options).run();
  });
  MPI_Finalize();
  return 0;
}
