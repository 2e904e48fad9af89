#include "writer/opened_file.hpp"

#include <algorithm>
#include <utility>

namespace thalweg::writer {

OpenedFile::OpenedFile(store::OpenFile opening, const store::CollectionPlan& plan, StorageAccess& access)
    : command(std::move(opening)), fixed_written(plan.fixed_blocks.size(), false) {
  for (const store::FileNames& names : command.parts)
    parts.push_back(std::make_unique<FileWriter>(names, plan, access));
}

void OpenedFile::write(RunsOfParts& runs) {
  for (std::size_t part = 0; part < runs.size(); ++part)
    if (!runs[part].empty()) parts[part]->write(runs[part]);
}

bool OpenedFile::has_all_fixed() const {
  return std::count(fixed_written.begin(), fixed_written.end(), false) == 0;
}

}  // namespace thalweg::writer
