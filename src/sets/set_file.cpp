#include "sets/set_file.hpp"

#include <utility>

#include "sets/pasting.hpp"

namespace thalweg::sets {

SetFile::SetFile(FileSet set) : set_(std::move(set)) {
  for (const catalog::Variable& variable : set_.whole.variables) sources_.push_back(sources_of(variable, set_.parts));
}

void SetFile::read(int v, std::int64_t record, const Box& box, std::span<std::byte> values) {
  const catalog::Variable& variable = set_.whole.variable(v);
  const std::size_t element_bytes = size_of(variable.type);
  fill(values, catalog::fill_of(variable), element_bytes);
  for (const Source& source : sources_[static_cast<std::size_t>(v)]) {
    const auto common = intersect(box, source.box);
    if (!common) continue;
    piece_.resize(static_cast<std::size_t>(common->cells()) * element_bytes);
    set_.files[static_cast<std::size_t>(source.part)]->read(v, record, shifted(*common, source.box.start), piece_);
    paste(box, values, *common, piece_, static_cast<std::int64_t>(element_bytes));
  }
}

std::unique_ptr<formats::ReadableFile> open_whole(const std::string& path, bool is_set) {
  if (!is_set) return formats::open_readable(path);
  return std::make_unique<SetFile>(open_file_set(path));
}

}  // namespace thalweg::sets
