// zarr_store write PATH RECORDS [sharded] [crc32c] [zstd] [durable] [open]: writes the sample store, and says each
// record that is committed; open: leaves it as a growing store.
// zarr_store recover PATH: prints the number of whole records.
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

#include "../../support/zarr_sample.hpp"
#include "base/error.hpp"
#include "formats/format_file.hpp"

namespace {

using namespace thalweg;
using formats::zarr_sample::Options;
using formats::zarr_sample::Writer;

void write(const std::string& path, std::int64_t records, const std::set<std::string>& words) {
  const Options options{.sharded = words.contains("sharded"),
                        .crc32c = words.contains("crc32c"),
                        .codec = words.contains("zstd") ? config::codec_named("zstd") : config::Codec()};
  Writer writer(path, options, words.contains("durable"));
  for (std::int64_t record = 0; record < records; ++record) {
    writer.add(record);
    std::printf("%lld\n", static_cast<long long>(record + 1));
    std::fflush(stdout);
  }
  if (!words.contains("open")) writer.close(records);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return EXIT_FAILURE;
  try {
    const std::string verb = argv[1];
    if (verb == "write" && argc > 3) write(argv[2], std::atoll(argv[3]), {argv + 4, argv + argc});
    if (verb == "recover") std::printf("%lld\n", static_cast<long long>(formats::recover(argv[2])));
    return EXIT_SUCCESS;
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return error.code();
  }
}
