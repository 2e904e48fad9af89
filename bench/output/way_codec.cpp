// What compression costs by itself: every process shuffles and compresses all chunks of a record, in the chunks that
// Thalweg makes by default, from memory to memory, and gives all of a chunk to the codec's library. With one process a
// core this is the speed of a core while all of them work.
#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "geometry/chunking.hpp"
#include "levels.hpp"
#include "transform/filters.hpp"
#include "way.hpp"

namespace bench {
namespace {

namespace transform = thalweg::transform;

class CodecAlone : public Way {
 public:
  explicit CodecAlone(transform::Codec codec) : codec_(codec) {}

  void setup(const Model& model) override {
    const Part whole{.x0 = 0, .nx = model.workload.nx, .y0 = 0, .ny = model.workload.ny};
    const Fields fields(model.workload, whole);
    for (std::size_t v = 0; v < model.workload.variables.size(); ++v) {
      std::vector<float> values(static_cast<std::size_t>(fields.interior_points(v)));
      fields.pack(v, values.data());
      variables_.push_back({std::move(values), chunk_points(fields.interior(v))});
    }
  }

  void put_record(int) override {
    for (const Chunked& variable : variables_) {
      const std::span<const float> values(variable.values);
      for (std::size_t at = 0; at < values.size(); at += variable.chunk_points)
        encode(std::as_bytes(values.subspan(at, std::min(variable.chunk_points, values.size() - at))));
    }
  }

  void finish() override {}

 private:
  struct Chunked {
    std::vector<float> values;
    std::size_t chunk_points;  // neighbours in values, because default chunks are cut along the slowest dimension
  };

  static std::size_t chunk_points(const std::array<int, 3>& extents) {
    const thalweg::Index extent{extents[0], extents[1], extents[2]};
    const auto free = thalweg::Index::filled(3, 0);
    return static_cast<std::size_t>(thalweg::geometry::choose_chunk(extent, free, sizeof(float)).product());
  }

  void encode(std::span<const std::byte> chunk) {
    if (chunk.size() > compressed_.size()) compressed_.resize(chunk.size());
    const int level = codec_->name == "zstd" ? static_cast<int>(zstd_level) : deflate_level;
    compressor_.compress(codec_, level, shuffled(chunk), compressed_);
  }

  std::span<const std::byte> shuffled(std::span<const std::byte> chunk) {
    if (chunk.size() > shuffled_.size()) shuffled_.resize(chunk.size());
    transform::shuffle(chunk, sizeof(float), shuffled_.data());
    return std::span(shuffled_).first(chunk.size());
  }

  transform::Codec codec_;
  std::vector<Chunked> variables_;
  transform::Compressor compressor_;
  std::vector<std::byte> shuffled_, compressed_;
};

}  // namespace

std::unique_ptr<Way> make_codec(const std::string& codec) {
  return std::make_unique<CodecAlone>(thalweg::config::codec_named(codec));
}

}  // namespace bench
