// Several boxes a rank, fewer on some, of a domain with a hole: puts and restores an array for each, and gets the field
// by time. Every value is compared with what it is; C is called for one of the two variables, C++ for the other.
//
//   boxes_cpp write|read
//
// Records are hours. The configuration is thalweg.yaml, with the collection 'state'; read is state.nc.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <thalweg.hpp>
#include <vector>

namespace {

constexpr int ny = 6, nx = 9, side = 3, records = 4, hole = 4;
constexpr double hour_s = 3600.0;
const std::array<std::string, 2> names{"height", "speed"};

int differences = 0;

double value(int variable, double record, std::int64_t y, std::int64_t x) {
  return 1000.0 * record * record + 100.0 * variable + 16.0 * static_cast<double>(y) + static_cast<double>(x) / 3.0;
}

// The first cell of 3 by 3.
struct Tile {
  std::int64_t y, x;
};

std::vector<Tile> tiles_of(int rank, int ranks) {
  std::vector<Tile> tiles;
  for (int tile = 0; tile < 6; ++tile)
    if (tile != hole && tile * tile % ranks == rank) tiles.push_back({side * (tile / 3), side * (tile % 3)});
  return tiles;
}

struct Model {
  thw::Session& io;
  int rank = 0, ranks = 0;
  std::vector<Tile> tiles;
  int most = 0;  // of any rank
  std::array<std::vector<std::array<double, side * side>>, 2> arrays;

  explicit Model(thw::Session& session) : io(session) {
    MPI_Comm_rank(io.model_comm(), &rank);
    MPI_Comm_size(io.model_comm(), &ranks);
    tiles = tiles_of(rank, ranks);
    for (int of = 0; of < ranks; ++of) most = std::max(most, static_cast<int>(tiles_of(of, ranks).size()));
    for (auto& of_variable : arrays) of_variable.resize(tiles.size());
  }

  thw::Decomposition cells() {
    std::vector<thw::Box> boxes;
    for (const Tile& tile : tiles) boxes.push_back({{tile.y, tile.x}, {side, side}});
    return io.decompose_boxes("y,x", {ny, nx}, boxes, {}, {}, true);
  }

  void set(int record) {
    for_each([&](double& element, double is) { element = is; },
             [&](int v, auto y, auto x) { return value(v, record, y, x); });
  }

  // wanted(variable, y, x)
  template <class Wanted>
  void compare(const char* what, double at, const Wanted& wanted) {
    for_each(
        [&](double& found, double is) {
          if (std::memcmp(&found, &is, sizeof is) != 0 && differences++ < 5)
            std::printf("rank %d, %s at %g: %.17g and not %.17g\n", rank, what, at, found, is);
          found = -1.0;
        },
        wanted);
  }

 private:
  template <class Use, class Is>
  void for_each(const Use& use, const Is& is) {
    for (int v = 0; v < 2; ++v)
      for (std::size_t box = 0; box < tiles.size(); ++box)
        for (int i = 0; i < side * side; ++i)
          use(arrays[v][box][i], is(v, tiles[box].y + i / side, tiles[box].x + i % side));
  }
};

thw::Collection state_of(Model& model, thw::Decomposition cells) {
  thw::Collection state = model.io.open_collection("state");
  for (const std::string& name : names) state.define_variable(name, "time,y,x", thw::Type::float64, cells);
  std::vector<double> none;
  for (int box = 0; box < std::max(1, model.most); ++box) {
    const bool is_held = box < static_cast<int>(model.tiles.size());
    if (is_held)
      state.register_box("height", box, model.arrays[0][box], {side, side});
    else
      state.register_box("height", box, none, {0, 0});
    const std::int64_t extent[] = {is_held ? side : 0, is_held ? side : 0};
    thw::detail::check(thalweg_register_box(state.c_handle(), "speed", box,
                                            is_held ? model.arrays[1][box].data() : nullptr, THALWEG_FLOAT64, 2, extent,
                                            nullptr));
  }
  return state;
}

void write(Model& model, thw::Collection state) {
  for (int record = 1; record <= records; ++record) {
    model.set(record);
    state.put_arrays();
    model.io.advance(record * hour_s);
  }
}

void read(Model& model, thw::Decomposition cells, thw::Collection state) {
  const auto whole = [](double record) {
    return [=](int v, std::int64_t y, std::int64_t x) { return value(v, record, y, x); };
  };
  state.restore("state.nc");
  model.compare("restored", records, whole(records));
  state.restore("state.nc", 1);
  model.compare("restored", 2, whole(2));

  thw::Input before = model.io.open_input("state.nc");
  for (const std::string& name : names) before.declare(name, {cells, "time,y,x"});
  std::vector<double> none;
  for (const double at : {1.0, 1.5, 2.0, 2.25, 3.5, 4.0, 1.25}) {  // and back
    for (int box = model.most - 1; box >= 0; --box) {
      const bool is_held = box < static_cast<int>(model.tiles.size());
      if (is_held)
        before.get_box_at("height", at * hour_s, box, model.arrays[0][box], {side, side});
      else
        before.get_box_at("height", at * hour_s, box, none, {0, 0});
      const std::int64_t extent[] = {side, side};
      thw::detail::check(thalweg_get_box_at(before.c_handle(), "speed", at * hour_s, box,
                                            is_held ? model.arrays[1][box].data() : nullptr, THALWEG_FLOAT64, 2, extent,
                                            nullptr));
    }
    model.compare("got", at, [&](int v, std::int64_t y, std::int64_t x) {
      const int lower = static_cast<int>(at);
      const double from = value(v, lower, y, x);
      return at == lower ? from : from + (at - lower) * (value(v, lower + 1, y, x) - from);
    });
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    thw::Session io(MPI_COMM_WORLD, "thalweg.yaml");
    if (io.is_client()) {
      Model model(io);
      const thw::Decomposition cells = model.cells();
      const thw::Collection state = state_of(model, cells);
      if (argc > 1 && std::string(argv[1]) == "write")
        write(model, state);
      else
        read(model, cells, state);
      io.finish();  // as long as the arrays are there
    } else {
      io.finish();
    }
  } catch (const thw::Exception& error) {
    std::fprintf(stderr, "boxes_cpp: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, error.code());
  }
  MPI_Finalize();
  return differences == 0 ? 0 : 1;
}
