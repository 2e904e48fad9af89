// Whether blocks are complete and free, and why not, in words for a report. Reads shared memory as it is now.
#pragma once

#include <cstdint>
#include <string>

#include "block/node_blocks.hpp"
#include "roles/roles.hpp"

namespace thalweg::block {

// All blocks of a moment, or of variables without records, have all their pieces.
bool is_complete(const block::CollectionPlan& plan, std::int64_t moment);
bool is_fixed_complete(const block::CollectionPlan& plan);

// Why a variable's block is not free for a moment: which pieces of an earlier one in the same slot are missing, and who
// should have put them.
std::string why_not_free(const roles::Roles& roles, const NodeBlocks& blocks, int variable, const BlockPlace& block,
                         std::int64_t moment);
// Of the first block of a moment that is not complete; "" if all are.
std::string missing_blocks(const roles::Roles& roles, const NodeBlocks& blocks, std::int64_t moment);

}  // namespace thalweg::block
