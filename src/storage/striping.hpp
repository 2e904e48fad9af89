// How a file is spread over the storage targets of a parallel file system: Lustre's, which is set when a file is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "storage/posix.hpp"

namespace thalweg::storage {

// Whether the folder of a path is on Lustre.
bool is_on_lustre(const std::string& path);

// Creates the file, which must not exist, open for writing; on Lustre with that striping.
Descriptor make_striped(const std::string& path, const config::Striping& striping);

// The command that makes an empty file with that striping.
std::vector<std::string> striping_command(const std::string& path, const config::Striping& striping);

// Runs a command and waits for it; whether it succeeded.
bool run_command(const std::vector<std::string>& command);

// Over how many targets Lustre spreads the file; 0: not on Lustre, or not known.
std::int64_t stripe_count(const std::string& path);

// The same from the extended attribute in which Lustre tells it.
std::int64_t stripe_count_in(std::span<const std::byte> attribute);

}  // namespace thalweg::storage
