#include "mpiio/ompio.hpp"

#include <mpi.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>

namespace thalweg::mpiio {
namespace {

// ROMIO's name in Open MPI has a version in it.
constexpr std::array romio_priorities = {"io_romio321_priority", "io_romio341_priority"};

std::string library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  return text.data();
}

std::string in_environment(const std::string& parameter) {
  return "OMPI_MCA_" + parameter;
}

// Whether it was not set.
bool set_unless_set(const std::string& parameter, const char* value) {
  const std::string name = in_environment(parameter);
  return ::getenv(name.c_str()) == nullptr && ::setenv(name.c_str(), value, 0) == 0;
}

// MPI's tool interface, which knows the settings in force.
class Tool {
 public:
  Tool() { MPI_T_init_thread(MPI_THREAD_SINGLE, &provided_); }
  ~Tool() { MPI_T_finalize(); }
  Tool(const Tool&) = delete;
  Tool& operator=(const Tool&) = delete;

  std::optional<int> number(const char* name) const {
    int value = 0;
    return read(name, &value, 1) ? std::optional(value) : std::nullopt;
  }
  std::string text(const char* name) const {
    std::array<char, 4096> value{};
    return read(name, value.data(), static_cast<int>(value.size()) - 1) ? value.data() : "";
  }

 private:
  static bool read(const char* name, void* value, int room) {
    int variable = 0;
    int count = 0;
    MPI_T_cvar_handle handle = nullptr;
    if (MPI_T_cvar_get_index(name, &variable) != MPI_SUCCESS) return false;
    if (MPI_T_cvar_handle_alloc(variable, nullptr, &handle, &count) != MPI_SUCCESS) return false;
    const bool is_read = count <= room && MPI_T_cvar_read(handle, value) == MPI_SUCCESS;
    MPI_T_cvar_handle_free(&handle);
    return is_read;
  }

  int provided_ = 0;
};

}  // namespace

bool has_faulty_ompio(const std::string& version) {
  int major = 0;
  int minor = 0;
  if (std::sscanf(version.c_str(), "Open MPI v%d.%d.", &major, &minor) != 2) return false;
  return (major == 4 && minor == 1) || (major == 5 && minor == 0);
}

bool avoid_faulty_ompio() {
  if (!has_faulty_ompio(library_version())) return false;
  bool is_changed = false;
  for (const char* priority : romio_priorities) is_changed |= set_unless_set(priority, "100");
  set_unless_set("fbtl_posix_write_datasieving", "0");
  return is_changed && ::getenv(in_environment("io").c_str()) == nullptr;
}

// "io" is a list of what may be taken, or, after '^', of what may not.
bool uses_faulty_ompio() {
  if (!has_faulty_ompio(library_version())) return false;
  const Tool tool;
  const std::string wanted = tool.text("io");
  const bool is_named = wanted.find("ompio") != std::string::npos;
  if (!wanted.empty() && (wanted.front() == '^') == is_named) return false;
  if (is_named) return true;
  const int own = tool.number("io_ompio_priority").value_or(0);
  for (const char* priority : romio_priorities)
    if (tool.number(priority).value_or(-1) > own) return false;
  return true;
}

}  // namespace thalweg::mpiio
