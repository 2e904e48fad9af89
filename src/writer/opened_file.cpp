#include "writer/opened_file.hpp"

#include <algorithm>
#include <utility>

namespace thalweg::writer {

OpenedFile::OpenedFile(block::OpenFile opening, const block::CollectionPlan& plan, storage::StorageAccess& access)
    : command(std::move(opening)), fixed_written(plan.fixed_blocks.size(), false) {
  for (const block::FileNames& names : command.parts)
    parts.push_back(std::make_unique<FileWriter>(names, plan, access));
}

void OpenedFile::write(const std::vector<storage::BlockToWrite>& blocks) {
  if (blocks.empty()) return;
  if (parts.size() == 1) return first_part().write(blocks);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    std::vector<storage::BlockToWrite> of_part;
    const auto is_of_part = [part](const storage::BlockToWrite& block) {
      return static_cast<std::size_t>(block.block->place.part) == part;
    };
    std::ranges::copy_if(blocks, std::back_inserter(of_part), is_of_part);
    if (!of_part.empty()) parts[part]->write(of_part);
  }
}

bool OpenedFile::has_all_fixed() const {
  return std::count(fixed_written.begin(), fixed_written.end(), false) == 0;
}

}  // namespace thalweg::writer
