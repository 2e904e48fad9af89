// Gets a variable of an input into arrays that held nothing but marks, and writes the arrays down:
//   CONFIGURATION input=PATH variable=NAME record=R type=T out=NAME [dims=… cut=… shape=… boxes=… | points=…]
//   [halo=…] [memory=…] [periodic=…] [missing=V] [extents=…] [reversed=1]
// boxes: of each rank, "start,start:count,count", between "|", empty for one that holds nothing; points: its indices;
// extents: of its array. Rank R writes OUT.R; an error is written to OUT.error.R in its place. KEY@R=… is for rank R
// alone. stop=R: that rank stops itself between the open and the get. replace=PATH: what is there then takes the place
// of the input; with "" it is only removed. again=1: that rank opens the input again in place of the get.
#include <mpi.h>
#include <thalweg.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "batch.hpp"

namespace {

using Numbers = std::vector<int64_t>;

Numbers numbers(const std::string& text, char separator = ',') {
  Numbers values;
  for (const std::string& word : batch::split(text, separator)) values.push_back(std::stoll(word));
  return values;
}

struct Spec {
  std::map<std::string, std::string> words;
  int rank = 0;

  explicit Spec(const batch::Words& given) {
    for (std::size_t i = 1; i < given.size(); ++i) {
      const std::size_t at = given[i].find('=');
      words[given[i].substr(0, at)] = given[i].substr(at + 1);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  }
  // What a rank is told by "KEY@RANK=" is its own.
  const char* text(const std::string& key) const {
    for (const std::string& name : {key + "@" + std::to_string(rank), key})
      if (words.contains(name)) return words.at(name).c_str();
    return nullptr;
  }
  std::string of(const std::string& key) const { return text(key) == nullptr ? "" : text(key); }
  std::string of_rank(const std::string& key) const {
    const batch::Words all = batch::split(of(key), '|');
    return static_cast<std::size_t>(rank) < all.size() ? all[static_cast<std::size_t>(rank)] : std::string();
  }
};

struct Failed {};
void check(int code) {
  if (code != THALWEG_OK) throw Failed();
}

thalweg_decomposition* decomposed(thalweg_session* session, const Spec& spec) {
  thalweg_decomposition* made = nullptr;
  const Numbers shape = numbers(spec.of("shape"));
  const std::string cut = spec.of("cut");
  if (spec.words.contains("points")) {
    const Numbers points = numbers(spec.of_rank("points"));
    check(thalweg_decompose_points(session, cut.c_str(), shape.data(), static_cast<int64_t>(points.size()),
                                   points.data(), 1, &made));
  } else {
    Numbers low(shape.size(), 0), high(shape.size(), 0), start, count;
    if (const batch::Words halo = batch::split(spec.of("halo"), ':'); halo.size() == 2) {
      low = numbers(halo[0]);
      high = numbers(halo[1]);
    }
    if (const batch::Words box = batch::split(spec.of_rank("boxes"), ':'); box.size() == 2) {
      start = numbers(box[0]);
      count = numbers(box[1]);
    }
    check(thalweg_decompose(session, cut.c_str(), shape.data(), start.empty() ? 0 : 1, start.data(), count.data(),
                            low.data(), high.data(), 1, &made));
  }
  return made;
}

std::size_t size_of(int type) {
  constexpr std::size_t sizes[] = {0, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 1};
  return type < 12 ? sizes[type] : 1;
}

void replace(const Spec& spec) {
  namespace fs = std::filesystem;
  const std::string path = spec.of("input");
  if (spec.rank == 0) {
    fs::rename(path, path + ".before");
    if (const std::string by = spec.of("replace"); !by.empty()) fs::rename(by, path);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

void get(thalweg_session* session, const Spec& spec) {
  thalweg_input* input = nullptr;
  check(thalweg_open_input(session, spec.text("input"), &input));
  const char* variable = spec.text("variable");
  if (spec.words.contains("cut"))
    check(thalweg_declare_input(input, variable, spec.text("dims"), decomposed(session, spec), spec.text("memory"),
                                spec.text("periodic")));
  if (spec.words.contains("missing"))
    check(thalweg_set_missing(input, variable, std::strtod(spec.text("missing"), nullptr)));
  if (spec.of("stop") == std::to_string(spec.rank)) raise(SIGSTOP);
  if (spec.words.contains("replace")) replace(spec);
  const int type = std::stoi(spec.of("type"));
  const auto bytes = static_cast<int64_t>(size_of(type));
  const std::string extents_text = spec.of_rank("extents");
  const bool holds = extents_text != "-";
  const Numbers extents = holds ? numbers(extents_text) : Numbers();
  int64_t cells = 1;
  for (const int64_t extent : extents) cells *= extent;
  std::vector<char> array(static_cast<std::size_t>(cells * bytes), 0x5a);
  Numbers strides(extents.size());
  char* first = array.data();
  int64_t step = bytes;
  for (std::size_t d = extents.size(); d-- > 0; step *= extents[d]) {
    strides[d] = step;
    if (!spec.words.contains("reversed")) continue;
    first += (extents[d] - 1) * step;
    strides[d] = -step;
  }
  if (spec.text("again") != nullptr) check(thalweg_open_input(session, spec.text("input"), &input));
  const int64_t record = spec.words.contains("record") ? std::stoll(spec.of("record")) : -1;
  check(thalweg_get(input, variable, record, holds ? first : nullptr, static_cast<thalweg_type>(type),
                    static_cast<int>(extents.size()), extents.data(), strides.data()));
  check(thalweg_close_input(&input));
  std::ofstream out(spec.of("out") + "." + std::to_string(spec.rank), std::ios::binary);
  if (holds) out.write(array.data(), static_cast<std::streamsize>(array.size()));
}

void run(const batch::Words& words) {
  thalweg_session* session = nullptr;
  const Spec spec(words);
  const auto tell = [&] {
    std::ofstream(spec.of("out") + ".error." + std::to_string(spec.rank)) << thalweg_error_text();
  };
  if (thalweg_start(MPI_COMM_WORLD, words.at(0).c_str(), &session) != THALWEG_OK) return tell();
  try {
    int is_client = 0;
    check(thalweg_is_client(session, &is_client));
    if (is_client != 0) get(session, spec);
  } catch (const Failed&) {
    tell();
  }
  if (thalweg_finish(&session) != THALWEG_OK) tell();
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  batch::each(argc, argv, run);
  MPI_Finalize();
}
