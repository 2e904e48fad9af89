// Makes ready what a rank puts and receives of a collection, from its plans.
#pragma once

#include "block/transfers.hpp"
#include "client/collection.hpp"
#include "exchange/plan.hpp"
#include "receive/receiver.hpp"
#include "roles/roles.hpp"

namespace thalweg::client {

void open_puts(Collection& collection, block::CollectionTransfers transfers, const roles::Roles& roles,
               const std::vector<exchange::Decomposition>& decompositions, receive::Receiver& receiver);

}  // namespace thalweg::client
