#include "receive/inboxes.hpp"

#include <algorithm>

namespace thalweg::receive {

std::int64_t Inboxes::oldest_expected(std::int64_t moment) const {
  for (const Inbox& inbox : all)
    if (inbox.has_record) moment = std::min(moment, inbox.channel.next_record());
  return moment;
}

}  // namespace thalweg::receive
