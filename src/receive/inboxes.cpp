#include "receive/inboxes.hpp"

#include <algorithm>

namespace thalweg::receive {

std::int64_t Inboxes::oldest_expected(std::int64_t moment) const {
  for (const Inbox& inbox : all)
    if (inbox.has_record) moment = std::min(moment, inbox.channel.next_record());
  return moment;
}

std::int64_t Inboxes::settled_files() const {
  std::int64_t files = staging::BlockRing::all_moments;
  for (const Inbox& inbox : all)
    if (!inbox.has_record) files = std::min(files, inbox.settled_files);
  return files;
}

}  // namespace thalweg::receive
