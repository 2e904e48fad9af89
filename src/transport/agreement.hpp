// Collective steps of the definitions: that all ranks agree, and one voice when they do not.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "roles/circle.hpp"
#include "roles/counts.hpp"
#include "transport/packing.hpp"

namespace thalweg::transport {

// Runs body on every rank; if it throws on some, every rank throws the error of the lowest one of them, so that nobody
// goes on alone. Collective; but who has waited in vain for others within body does not wait for them again.
void together(const roles::Circle& circle, const std::function<void()>& body);

// The text of rank 0 (a description, one item a line) against one's own. On a difference, the lowest differing rank's
// first differing line is reported by all with AGREEMENT. subject: "definitions of collection 'history'". Collective.
void check_same(const roles::Circle& circle, const std::string& subject, const std::string& description);
// The same, of ranks that may have met an error: `rethrow` throws it, and then it is thrown on all as by together().
void check_same(const roles::Circle& circle, const std::string& subject, const std::string& description,
                const std::function<void()>& rethrow);
// The same for several, in their order, in one step where all agree. Of ranks that have more of them than others an
// earlier description differs.
struct Described {
  std::string subject;
  std::string description;
};
void check_same(const roles::Circle& circle, const std::vector<Described>& all);

// Sends each rank in `to` its bytes and returns what came, by source; nobody needs to know who sends to whom
// (non-blocking consensus: Hoefler, Siebert, Lumsdaine 2010). Collective; cost grows with one's own partners.
// most_bytes: of a part of a message.
std::map<int, Bytes> exchange_sparsely(const roles::Circle& circle, std::map<int, Bytes> to,
                                       std::size_t most_bytes = roles::part_bytes);

// Bytes of root on every rank. Collective.
Bytes broadcast(const roles::Circle& circle, int root, Bytes bytes, std::size_t most_bytes = roles::part_bytes);

// What rank 0 makes, on every rank; its error is thrown on all. Collective.
Bytes told_by_first(const roles::Circle& circle, const std::function<Bytes()>& make);

}  // namespace thalweg::transport
