// Why blocks are not complete or free, in words for a report. Reads shared memory as it is now.
#pragma once

#include <cstdint>
#include <string>

#include "block/node_blocks.hpp"
#include "roles/roles.hpp"

namespace thalweg::health {

// Why a variable's block is not free for a moment: which pieces of an earlier one in the same slot are missing, and who
// should have put them.
std::string why_not_free(const roles::Roles& roles, const block::NodeBlocks& blocks, int variable,
                         const block::BlockPlace& block, std::int64_t moment);
// Of the first block of a moment that is not complete; "" if all are.
std::string missing_blocks(const roles::Roles& roles, const block::NodeBlocks& blocks, std::int64_t moment);

}  // namespace thalweg::health
