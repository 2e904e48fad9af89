// Makes ready what a rank puts and receives of a collection, from its plans.
#pragma once

#include "block/transfers.hpp"
#include "receive/receiver.hpp"
#include "roles/roles.hpp"
#include "session/declared.hpp"

namespace thalweg::session {

// What a put has to know of a variable. where: the rank that puts.
put::PutVariable variable_of(const Collection& collection, int number, int rank, const Declared& declared);

// The boxes of this rank that it may put of a variable, in the dimensions of the variable.
std::vector<Box> boxes_to_put(const Collection& collection, int number, const Declared& declared);

void open_puts(Collection& collection, block::CollectionTransfers transfers, const roles::Roles& roles,
               const Declared& declared, receive::Receiver& receiver);

}  // namespace thalweg::session
