#include "mpiio/mpi_hints.hpp"

#include <array>

namespace thalweg::mpiio {

MpiInfo::MpiInfo(const config::Hints& hints) {
  if (hints.empty()) return;
  MPI_Info_create(&info_);
  for (const auto& [name, value] : hints) MPI_Info_set(info_, name.c_str(), value.c_str());
}

MpiInfo::~MpiInfo() {
  if (info_ != MPI_INFO_NULL) MPI_Info_free(&info_);
}

config::Hints MpiInfo::hints() const {
  config::Hints hints;
  if (info_ == MPI_INFO_NULL) return hints;
  int count = 0;
  MPI_Info_get_nkeys(info_, &count);
  for (int i = 0; i < count; ++i) {
    std::array<char, MPI_MAX_INFO_KEY + 1> name{};
    std::array<char, MPI_MAX_INFO_VAL + 1> value{};
    int is_set = 0;
    MPI_Info_get_nthkey(info_, i, name.data());
    MPI_Info_get(info_, name.data(), MPI_MAX_INFO_VAL, value.data(), &is_set);
    if (is_set != 0) hints[name.data()] = value.data();
  }
  return hints;
}

config::Hints hints_in_force(MPI_Comm comm, const std::string& path, MPI_Info asked) {
  MPI_File file = MPI_FILE_NULL;
  if (MPI_File_open(comm, path.c_str(), MPI_MODE_RDWR, asked, &file) != MPI_SUCCESS) return {};
  MPI_Info info = MPI_INFO_NULL;
  MPI_File_get_info(file, &info);
  const MpiInfo kept(info);
  MPI_File_close(&file);
  return kept.hints();
}

bool take_out_repeated(config::Hints& told, const config::Hints& asked) {
  if (told.erase(unknown_hint) == 0) return false;
  std::erase_if(told, [&](const auto& hint) { return asked.contains(hint.first) && !hint.first.starts_with("nc_"); });
  return true;
}

}  // namespace thalweg::mpiio
