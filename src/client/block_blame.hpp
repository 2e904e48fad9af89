// Why a block is not free, or not complete, in words for a report. Reads shared memory as it is at the moment.
#pragma once

#include <string>

#include "client/piece_arrival.hpp"
#include "roles/roles.hpp"

namespace thalweg::client {

// Which pieces of the record before in the same slot are missing, and who should have put them.
std::string block_blame(const roles::Roles& roles, const BlockOf& block);
// Of the first block of a record that is not complete; "" if all are.
std::string missing_blocks(const roles::Roles& roles, const Collection& collection, std::int64_t record);

}  // namespace thalweg::client
