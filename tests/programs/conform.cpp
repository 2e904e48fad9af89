// Writes collections whose every value can be computed again (conform_values.hpp), over any cut of the index space.
// What a collection holds follows from its name up to the first '_': fields, shapes, small, square, region or many.
//
//   conform CONFIG[,CONFIG...] [option=value ...]     one session for each configuration, all at once
//   conform @FILE                                     several such runs, one after the other (batch.hpp)
//     mode=block|empty|deal|mask|barren   how the index spaces are cut (conform_cuts.hpp)
//     types=all|classic                   all types, or those of CDF-1 and CDF-2
//     collections=NAME,...   records=N   shape=NY,NX   variables=N (of 'many')
//     fixed-at=N             variables without records are put in step N, not in the first
//     initial=1              there is a step at the start time
//     start=N                the run starts after step N
//     rotate=1               every rank puts its variables in another order, which changes with the step
//     new-file=COLLECTION:STEP:NAME       thalweg_new_file before that step
//     change=COLLECTION:STEP:VARIABLE:NAME:TEXT,...   thalweg_change_text before that step, of the file without
//                            VARIABLE; of values float64 that are the step and its half, where TEXT is '#'
//     snapshot=FILE,...      after each step, when all is committed, FILE.partial is copied to FILE.stepN
//     pause-ms=N             each step takes so long
//     components=N,...       a coupled run: a component of N ranks for each configuration, which has no other ranks; in
//                            each step all of them wait for each other
//     deal=1                 ranks are dealt to components in turn
//     serve=N                the last N ranks of each component call thalweg_serve
//     memory=STEP,STEP,...   prints the resident memory of each rank in KiB after these steps
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <thread>

#include "batch.hpp"
#include "conform_components.hpp"
#include "conform_fields.hpp"
#include "conform_memory.hpp"

namespace conform {
namespace {

using batch::split;

constexpr double step_s = 3600.0;

void check(int code) {
  if (code == THALWEG_OK) return;
  std::fprintf(stderr, "conform: error %d: %s\n", code, thalweg_error_text());
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, code);
}

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ",") + part;
  return text;
}

class Options {
 public:
  explicit Options(const batch::Words& words) : configs(split(words.at(0))) {
    for (const std::string& word : words) values_[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  }
  std::string text(const std::string& key, const std::string& otherwise = "") const {
    const auto found = values_.find(key);
    return found == values_.end() ? otherwise : found->second;
  }
  std::int64_t number(const std::string& key, std::int64_t otherwise) const {
    return std::stoll(text(key, std::to_string(otherwise)));
  }
  std::vector<std::string> configs;

 private:
  std::map<std::string, std::string> values_;
};

struct Collection {
  std::string name;
  std::vector<Variable> variables;
  thalweg_collection* handle = nullptr;
};

class Model {
 public:
  Model(const Options& options, MPI_Comm ranks, const std::string& config) : options_(options) {
    check(thalweg_start(ranks, config.c_str(), &session_));
    int is_client = 0;
    check(thalweg_is_client(session_, &is_client));
    if (is_client == 0) return;
    check(thalweg_model_comm(session_, &comm_));
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &ranks_);
    const std::vector<std::string> shape = split(options.text("shape", "61,83"));
    const std::int64_t ny = std::stoll(shape[0]), nx = std::stoll(shape[1]);
    decompose("cells", {"y", "x"}, {ny, nx}, {2, 1}, {2, 3});
    decompose("corners", {"yc", "xc"}, {ny + 1, nx + 1}, {1, 1}, {0, 1});
    decompose("1", {"a0"}, {97}, {3}, {3});
    decompose("2", {"b0", "b1"}, {19, 13}, {0, 2}, {1, 0});
    decompose("3", {"c0", "c1", "c2"}, {7, 9, 11}, {1, 1, 1}, {1, 1, 1});
    decompose("4", {"d0", "d1", "d2", "d3"}, {5, 6, 7, 4}, {0, 0, 0, 1}, {0, 0, 1, 0});
    decompose("5", {"e0", "e1", "e2", "e3", "e4"}, {4, 3, 5, 2, 6}, {1, 0, 1, 0, 1}, {0, 1, 0, 1, 0});
    for (const std::string& name : split(options.text("collections", "fields,shapes"))) open(name);
    if (const std::int64_t start = options.number("start", 0))
      check(thalweg_set_time(session_, step_s * double(start)));
    if (!options.text("change").empty()) check(thalweg_ready(session_));
  }

  void step(std::int64_t step) {
    const bool puts_fixed = !fixed_are_put_ && step >= options_.number("fixed-at", 0);
    for (Collection& collection : collections_) {
      name_new_file(collection, step);
      change_attributes(collection, step);
      int due = 0;
      check(thalweg_is_due(collection.handle, &due));
      const auto count = static_cast<std::int64_t>(collection.variables.size());
      const std::int64_t shift = options_.number("rotate", 0) * (step + rank_);
      for (std::int64_t i = 0; i < count; ++i) {
        const Variable& variable = collection.variables[static_cast<std::size_t>((i + shift) % count)];
        if (variable.has_record ? due != 0 : puts_fixed) put(collection, variable, variable.has_record ? step : 0);
      }
    }
    fixed_are_put_ = fixed_are_put_ || puts_fixed;
    check(thalweg_advance(session_, step_s * static_cast<double>(step)));
  }

  void wait() { check(thalweg_wait(session_)); }
  void finish() { check(thalweg_finish(&session_)); }
  MPI_Comm comm() const { return comm_; }  // MPI_COMM_NULL on servers

 private:
  // Of an index space, or of a region of it, which is then an index space of its own.
  void decompose(const std::string& name, std::vector<std::string> dims, Indices shape, Indices low, Indices high,
                 const Box& region = {}) {
    const std::string mode = options_.text("mode", "block");
    std::vector<Box> boxes = boxes_of(mode, shape, rank_, ranks_);
    if (!region.count.empty()) {
      boxes = within(boxes, region);
      shape = region.count;
    }
    for (std::size_t d = 0; d < dims.size(); ++d) sizes_[dims[d]] = shape[d];
    Cut& cut = cuts_[name];
    cut = {std::move(dims), shape, low, high, std::move(boxes)};
    Indices start, count;
    for (const Box& box : cut.boxes) {
      start.insert(start.end(), box.start.begin(), box.start.end());
      count.insert(count.end(), box.count.begin(), box.count.end());
    }
    const int masked = mode == "mask" || mode == "barren";
    check(thalweg_decompose(session_, join(cut.dims).c_str(), shape.data(), static_cast<int>(cut.boxes.size()),
                            start.data(), count.data(), low.data(), high.data(), masked, &cut.handle));
  }

  void open(const std::string& name) {
    Collection& collection = collections_.emplace_back();
    collection.name = name;
    check(thalweg_open_collection(session_, name.c_str(), &collection.handle));
    const std::string kind = name.substr(0, name.find('_'));
    if (kind == "fields") define_fields(collection);
    if (kind == "shapes") define_shapes(collection);
    if (kind == "small") define_small(collection);
    if (kind == "square") define_square(collection);
    if (kind == "region") define_region(collection);
    if (kind == "many") define_many(collection);
  }

  std::vector<thalweg_type> types() const {
    if (options_.text("types", "all") == "classic")
      return {THALWEG_INT8, THALWEG_INT16, THALWEG_INT32, THALWEG_FLOAT32, THALWEG_FLOAT64, THALWEG_CHAR};
    return {THALWEG_INT8,   THALWEG_INT16,  THALWEG_INT32,   THALWEG_INT64,   THALWEG_UINT8, THALWEG_UINT16,
            THALWEG_UINT32, THALWEG_UINT64, THALWEG_FLOAT32, THALWEG_FLOAT64, THALWEG_CHAR};
  }

  static std::string name_of(thalweg_type type) {
    const char* names[] = {"",       "int8",   "int16",  "int32",   "int64",   "uint8",
                           "uint16", "uint32", "uint64", "float32", "float64", "char"};
    return names[type];
  }

  void define(Collection& collection, Variable variable) {
    if (variable.memory_dims.empty()) variable.memory_dims = variable.dims;
    std::vector<std::string> dims = variable.dims;
    if (variable.has_record) dims.insert(dims.begin(), "time");
    const std::string memory_dims = join(variable.memory_dims);
    check(thalweg_define_variable(collection.handle, variable.name.c_str(), join(dims).c_str(), variable.type,
                                  variable.cut == nullptr ? nullptr : variable.cut->handle,
                                  memory_dims.empty() ? nullptr : memory_dims.c_str()));
    collection.variables.push_back(std::move(variable));
  }

  void define_fields(Collection& collection) {
    const Cut *cells = &cuts_["cells"], *corners = &cuts_["corners"];
    constexpr auto f32 = THALWEG_FLOAT32, f64 = THALWEG_FLOAT64;
    sizes_["z"] = 7;
    check(thalweg_define_dimension(collection.handle, "z", sizes_["z"]));
    define(collection, {"area", {"y", "x"}, f64, cells, false, f64, {"x", "y"}, Memory::halo});
    define(collection, {"corner_angle", {"yc", "xc"}, f32, corners, false, f64, {}, Memory::halo});
    define(collection, {"z", {"z"}, f64, nullptr, false, f64, {}, Memory::plain});
    for (const thalweg_type type : types())
      define(collection, {"as_" + name_of(type), {"y", "x"}, type, cells, true, type, {}, Memory::plain});
    define(collection, {"temp", {"z", "y", "x"}, f32, cells, true, f64, {"y", "z", "x"}, Memory::halo});
    define(collection, {"salt", {"z", "y", "x"}, f64, cells, true, f64, {"x", "y", "z"}, Memory::halo});
    define(collection, {"widened", {"z", "y", "x"}, f64, cells, true, f32, {}, Memory::halo});
    define(collection, {"section", {"z", "y", "x"}, f32, cells, true, f32, {"z", "x", "y"}, Memory::section});
    define(collection, {"backwards", {"z", "y", "x"}, f64, cells, true, f64, {}, Memory::backwards});
    define(collection, {"level_last", {"y", "x", "z"}, f32, cells, true, f64, {"z", "y", "x"}, Memory::backwards});
    define(collection, {"vorticity", {"yc", "xc"}, f64, corners, true, f64, {}, Memory::halo});
    define(collection,
           {"flags", {"yc", "xc"}, THALWEG_INT16, corners, true, THALWEG_INT16, {"xc", "yc"}, Memory::halo});
    define(collection, {"profile", {"z"}, f32, nullptr, true, f64, {}, Memory::plain});
    define(collection, {"total", {}, f64, nullptr, true, f64, {}, Memory::plain});
    define(collection, {"count", {}, THALWEG_INT32, nullptr, true, THALWEG_INT32, {}, Memory::plain});
    define_attributes(collection);
  }

  void define_attributes(Collection& collection) {
    thalweg_collection* file = collection.handle;
    check(thalweg_define_text(file, nullptr, "title", "Conformance: every value can be computed again"));
    check(thalweg_define_text(file, "temp", "long_name", "potential temperature \xce\xb8"));
    check(thalweg_define_text(file, "temp", "units", "degC"));
    for (const thalweg_type type : types()) {
      if (type == THALWEG_CHAR) continue;  // any bytes are no text
      for (const char* variable : {static_cast<const char*>(nullptr), "salt"}) {
        std::byte values[3 * sizeof(double)];
        for (int i = 0; i < 3; ++i) store(hash(seed_of("attribute"), 0, i), type, values + i * bytes_of(type));
        check(thalweg_define_attribute(file, variable, ("a_" + name_of(type)).c_str(), type, 3, values));
      }
    }
    check(thalweg_define_attribute(file, "salt", "letters", THALWEG_CHAR, 3, "abc"));
    check(thalweg_define_attribute(file, nullptr, "nothing", THALWEG_INT16, 0, nullptr));
    check(thalweg_define_text(file, "salt", "nothing", ""));
    const float fill32 = -1e30F;
    const std::int16_t fill16 = -99;
    check(thalweg_define_attribute(file, "temp", "_FillValue", THALWEG_FLOAT32, 1, &fill32));
    check(thalweg_define_attribute(file, "flags", "_FillValue", THALWEG_INT16, 1, &fill16));
  }

  void define_shapes(Collection& collection) {
    constexpr thalweg_type types[] = {THALWEG_INT32, THALWEG_FLOAT32, THALWEG_FLOAT64, THALWEG_INT16, THALWEG_INT8};
    for (int rank = 1; rank <= 5; ++rank) {
      const Cut* cut = &cuts_[std::to_string(rank)];
      const std::vector<std::string> reversed(cut->dims.rbegin(), cut->dims.rend());
      const std::string name = "v" + std::to_string(rank);
      define(collection, {name, cut->dims, types[rank - 1], cut, true, types[rank - 1], reversed, Memory::halo});
      define(collection,
             {name + "_fixed", cut->dims, THALWEG_FLOAT32, cut, false, THALWEG_FLOAT64, {}, Memory::section});
    }
  }

  void define_small(Collection& collection) {
    constexpr auto f64 = THALWEG_FLOAT64;
    define(collection, {"ssh", {"y", "x"}, THALWEG_FLOAT32, &cuts_["cells"], true, f64, {}, Memory::halo});
    for (const char* name : {"mean", "least", "most"})
      define(collection, {name, {}, f64, nullptr, true, f64, {}, Memory::plain});
  }

  // The same dimension twice, one that another variable is decomposed by.
  void define_square(Collection& collection) {
    constexpr auto f32 = THALWEG_FLOAT32, f64 = THALWEG_FLOAT64;
    define(collection, {"plane", {"y", "x"}, f32, &cuts_["cells"], true, f64, {}, Memory::halo});
    define(collection, {"covariance", {"x", "x"}, f64, nullptr, true, f64, {}, Memory::plain});
    define(collection, {"tensor", {"x", "y", "x"}, f32, nullptr, false, f64, {"y", "x", "x"}, Memory::plain});
  }

  // What lies in a part of the plane, of whose ranks most hold nothing there.
  void define_region(Collection& collection) {
    constexpr auto f64 = THALWEG_FLOAT64;
    const Indices plane = {sizes_["y"], sizes_["x"]};
    decompose("region", {"yr", "xr"}, plane, {2, 1}, {2, 3}, region_of(plane));
    const Cut* cells = &cuts_["region"];
    sizes_["z"] = 7;
    check(thalweg_define_dimension(collection.handle, "z", sizes_["z"]));
    define(collection, {"depth", {"yr", "xr"}, f64, cells, false, f64, {"xr", "yr"}, Memory::halo});
    define(collection, {"speed", {"z", "yr", "xr"}, THALWEG_FLOAT32, cells, true, f64, {}, Memory::section});
    define(collection, {"height", {"yr", "xr"}, f64, cells, true, f64, {}, Memory::backwards});
  }

  void define_many(Collection& collection) {
    for (std::int64_t i = 0; i < options_.number("variables", 1000); ++i) {
      const thalweg_type type = i % 2 == 0 ? THALWEG_FLOAT32 : THALWEG_FLOAT64;
      define(collection,
             {"m" + std::to_string(i), {"y", "x"}, type, &cuts_["cells"], i % 10 != 9, type, {}, Memory::plain});
    }
  }

  void put(const Collection& collection, const Variable& variable, std::int64_t step) const {
    Indices shape;
    for (const std::string& dim : variable.dims) shape.push_back(sizes_.at(dim));
    if (variable.cut == nullptr) {
      const Array array = array_of(variable, part_of(variable, shape, nullptr), step);
      check(thalweg_put(collection.handle, variable.name.c_str(), array.bytes.data() + array.first,
                        variable.memory_type, static_cast<int>(shape.size()), array.extent.data(), nullptr));
      return;
    }
    int number = 0;
    for (const Box& box : variable.cut->boxes) {
      const Array array = array_of(variable, part_of(variable, shape, &box), step);
      check(thalweg_put_box(collection.handle, variable.name.c_str(), number++, array.bytes.data() + array.first,
                            variable.memory_type, static_cast<int>(shape.size()), array.extent.data(),
                            array.contiguous ? nullptr : array.stride.data()));
    }
  }

  void name_new_file(const Collection& collection, std::int64_t step) const {
    for (const std::string& order : split(options_.text("new-file"))) {
      const std::vector<std::string> words = split(order, ':');
      if (words[0] == collection.name && std::stoll(words[1]) == step)
        check(thalweg_new_file(collection.handle, words[2].c_str()));
    }
  }

  // The text may have colons.
  void change_attributes(const Collection& collection, std::int64_t step) const {
    for (const std::string& order : split(options_.text("change"))) {
      const std::vector<std::string> words = split(order, ':');
      if (words[0] != collection.name || std::stoll(words[1]) != step) continue;
      const std::string text = order.substr((words[0] + words[1] + words[2] + words[3]).size() + 4);
      const double values[2] = {static_cast<double>(step), static_cast<double>(step) / 2};
      check(text == "#" ? thalweg_change_attribute(collection.handle, words[2].c_str(), words[3].c_str(),
                                                   THALWEG_FLOAT64, 2, values)
                        : thalweg_change_text(collection.handle, words[2].c_str(), words[3].c_str(), text.c_str()));
    }
  }

  const Options& options_;
  int rank_ = 0;
  int ranks_ = 1;
  thalweg_session* session_ = nullptr;
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::map<std::string, Cut> cuts_;
  std::map<std::string, std::int64_t> sizes_;
  std::vector<Collection> collections_;
  bool fixed_are_put_ = false;
};

// What a reader finds at this moment.
void copy_growing_files(MPI_Comm comm, const Options& options, std::int64_t step) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  for (const std::string& file : split(options.text("snapshot")))
    if (rank == 0)
      std::filesystem::copy(file + ".partial", file + ".step" + std::to_string(step),
                            std::filesystem::copy_options::recursive);
  MPI_Barrier(comm);
}

void compute(const Options& options, const std::vector<std::unique_ptr<Model>>& models,
             const Component* component = nullptr) {
  const MPI_Comm comm = models.front()->comm();
  const std::vector<std::string> measured = split(options.text("memory"));
  const std::int64_t start = options.number("start", 0);
  const std::int64_t last = start + options.number("records", 4);
  for (std::int64_t step = start + (options.number("initial", 0) != 0 ? 0 : 1); step <= last; ++step) {
    std::this_thread::sleep_for(std::chrono::milliseconds(options.number("pause-ms", 0)));
    for (const auto& model : models) model->step(step);
    if (component != nullptr) component->meet_others(comm);
    const bool measure = place_of(std::to_string(step), measured) >= 0;
    if (!measure && options.text("snapshot").empty()) continue;
    for (const auto& model : models) model->wait();
    if (measure) print_memory(comm, step);
    copy_growing_files(comm, options, step);
  }
}

// With several configurations, each has its own session with all ranks; with servers there is one.
void run_all(const Options& options) {
  std::vector<std::unique_ptr<Model>> models;
  for (const std::string& config : options.configs)
    models.push_back(std::make_unique<Model>(options, MPI_COMM_WORLD, config));
  if (models.front()->comm() != MPI_COMM_NULL) compute(options, models);
  for (const auto& model : models) model->finish();
}

void run_component(const Options& options) {
  const Component own(split(options.text("components")), options.number("deal", 0) != 0);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(own.comm, &rank);
  MPI_Comm_size(own.comm, &ranks);
  const std::string& config = options.configs.at(own.number);
  if (rank >= ranks - options.number("serve", 0)) return check(thalweg_serve(own.comm, config.c_str()));
  std::vector<std::unique_ptr<Model>> models;
  models.push_back(std::make_unique<Model>(options, own.comm, config));
  if (models.front()->comm() != MPI_COMM_NULL) compute(options, models, &own);
  models.front()->finish();
}

}  // namespace
}  // namespace conform

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "conform: give the path of a configuration\n");
    return 2;
  }
  int provided = 0;
  const char* threads = std::getenv("THALWEG_TEST_MPI_THREADS");
  const bool multiple = threads != nullptr && std::string(threads) == "multiple";
  MPI_Init_thread(&argc, &argv, multiple ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED, &provided);
  batch::each(argc, argv, [](const batch::Words& words) {
    const conform::Options options(words);
    options.text("components").empty() ? conform::run_all(options) : conform::run_component(options);
  });
  MPI_Finalize();
}
