#include "formats/cdf/file.hpp"
#include "formats/record_times.hpp"

namespace thalweg::formats::cdf {

FoundRecords first_in_cdf(const std::string& path) {
  const std::unique_ptr<ReadableFile> file = open_readable_cdf(path);
  if (file->records() == 0) return {};
  return {.has_records = true, .first = time_of_record(*file, 0)};
}

}  // namespace thalweg::formats::cdf
