#include "transport/index_plan.hpp"

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/names.hpp"
#include "base/told.hpp"
#include "transport/agreement.hpp"

namespace thalweg::transport {
namespace {

using geometry::Claim;
using geometry::IndexPart;
using geometry::IndexRun;
using geometry::Ownership;
using geometry::Stretch;

// ---- who owns what

void check_conflict(const geometry::Decomposition& decomposition, const Ownership& ownership, config::Owner owner) {
  const std::string dim = told::names(decomposition.dimensions);
  if (const auto& twice = ownership.conflict; twice && owner == config::Owner::error)
    fail(THALWEG_ERROR_AGREEMENT,
         "index lists of dimension '{}': rank {} and rank {} both list point {} (counted from {}){}; mark copies by an "
         "index below, or set 'owner: lowest-rank'",
         dim, twice->first, twice->second, geometry::text_of_point(decomposition.sizes(), twice->point), told::first(),
         ownership.surplus > 1 ? fmt::format(", and {}", counted(ownership.surplus - 1, "more point")) : "");
}

void check_holes(const geometry::Decomposition& decomposition, const geometry::Gaps& gaps) {
  if (gaps.points == 0 || decomposition.masked) return;
  fail(THALWEG_ERROR_AGREEMENT,
       "index lists of dimension '{}': no rank lists {} of the {} points, the first of them {} (counted from {}); if "
       "that is intended (land), declare the decomposition as masked",
       told::names(decomposition.dimensions), gaps.points, decomposition.shape[0],
       geometry::text_of_point(decomposition.sizes(), gaps.first), told::first());
}

// What a rank tells of its points: stretches, read where they are, because a leader has those of many ranks.
std::span<const Stretch> stretches_in(const Bytes& offer) {
  return {reinterpret_cast<const Stretch*>(offer.data()), offer.size() / sizeof(Stretch)};
}

geometry::StretchLists lists_in(const std::map<int, Bytes>& offers) {
  geometry::StretchLists lists;
  for (const auto& [rank, offer] : offers) lists.push_back(stretches_in(offer));
  return lists;
}

std::vector<Claim> claims_in(const std::map<int, Bytes>& offers) {
  std::vector<Claim> claims;
  for (const auto& [rank, offer] : offers)
    for (const Stretch& stretch : stretches_in(offer)) claims.push_back({stretch.start, stretch.length, rank});
  return claims;
}

void offer(const IndexPart& part, Bytes& offers) {
  std::size_t bytes = offers.size();
  geometry::take_stretches(part, [&](const Stretch&) { bytes += sizeof(Stretch); });
  offers.reserve(bytes);
  geometry::take_stretches(part, [&](const Stretch& stretch) {
    const auto* first = reinterpret_cast<const std::byte*>(&stretch);
    offers.insert(offers.end(), first, first + sizeof(Stretch));
  });
}

// What is left to the ranks that lost points to others.
std::map<int, Bytes> verdicts(const std::map<int, Bytes>& offers, const Ownership& ownership) {
  std::map<int, Packer> kept;
  std::map<int, std::int64_t> points;
  for (const Claim& owned : ownership.owned) {
    const int rank = static_cast<int>(owned.claimant);
    kept[rank].put(Stretch{owned.start, owned.length});
    points[rank] += owned.length;
  }
  std::map<int, Bytes> told;
  for (const auto& [rank, offer] : offers) {
    for (Unpacker unpacker(offer); !unpacker.done();) points[rank] -= unpacker.get<Stretch>().length;
    if (points[rank] != 0) told[rank] = kept[rank].take();
  }
  return told;
}

std::vector<Stretch> unpacked(const Bytes& bytes) {
  std::vector<Stretch> stretches;
  for (Unpacker unpacker(bytes); !unpacker.done();) stretches.push_back(unpacker.get<Stretch>());
  return stretches;
}

// ---- plans

geometry::Piece piece_of(const geometry::Layout& layout, int domain, std::int64_t points) {
  return {domain, 0, {layout.domain(domain).start, {points}}};
}

// What ranks list of each domain of a node, its holes, and who receives what comes from afar.
class IndexOwner {
 public:
  IndexOwner(const roles::Roles& roles, bool masked, std::map<int, Bytes> offers, Plan& plan)
      : roles_(roles), masked_(masked), offers_(std::move(offers)), plan_(plan) {}

  void count() {
    const geometry::StretchLists lists = lists_in(offers_);
    for (OwnedDomain& owned : plan_.owned) {
      const Box box = plan_.layout.domain(owned.domain);
      const Stretch domain{box.start[0], box.count[0]};
      for (const std::span<const Stretch> list : lists) owned.pieces += has_points_in(domain, list) ? 1 : 0;
      if (!masked_) continue;  // there are no holes
      PointRuns holes = geometry::holes_between(domain, lists);
      if (holes.points() > 0) owned.hole_points = std::make_shared<PointRuns>(std::move(holes));
    }
  }

  // The sender is told the receiver; the receiver is told the sender and its points.
  std::map<int, Bytes> assignments() {
    std::map<int, Packer> to;
    Receivers receivers(roles_);
    for (const auto& [rank, offer] : offers_) {
      if (!receivers.is_remote(rank)) continue;
      const int receiver = receivers.of(rank);
      to[rank].put(receiver);
      Packer& task = to[receiver].put(rank).put(static_cast<std::int64_t>(offer.size() / sizeof(Stretch)));
      for (Unpacker unpacker(offer); !unpacker.done();) task.put(unpacker.get<Stretch>());
    }
    std::map<int, Bytes> bytes;
    for (auto& [rank, packer] : to) bytes[rank] = packer.take();
    return bytes;
  }

 private:
  static bool has_points_in(const Stretch& domain, std::span<const Stretch> list) {
    const auto ends_before = [&](const Stretch& stretch) { return stretch.stop() <= domain.start; };
    const auto first = std::ranges::partition_point(list, ends_before);
    return first != list.end() && first->start < domain.stop();
  }

  const roles::Roles& roles_;
  bool masked_;
  std::map<int, Bytes> offers_;
  Plan& plan_;
};

int leader_of(const roles::Roles& roles, const Plan& plan, int domain) {
  return roles.nodes[static_cast<std::size_t>(plan.node_of_domain[static_cast<std::size_t>(domain)])].leader;
}

std::map<int, Bytes> offers_of(const roles::Roles& roles, const Plan& plan, const std::vector<IndexPart>& parts) {
  std::map<int, Bytes> to;
  for (const IndexPart& part : parts) offer(part, to[leader_of(roles, plan, part.part)]);
  return to;
}

void plan_local(const roles::Roles& roles, const std::vector<IndexPart>& parts, Plan& plan) {
  for (const IndexPart& part : parts) {
    if (plan.node_of_domain[static_cast<std::size_t>(part.part)] != roles.node) continue;
    const geometry::Piece piece = piece_of(plan.layout, part.part, geometry::points_of(part));
    plan.local.push_back({piece, std::make_shared<PointRuns>(geometry::local_to_global(part, piece.region.start[0]))});
  }
}

void plan_sends(const roles::Roles& roles, const std::vector<IndexPart>& parts, int leader, int receiver, Plan& plan) {
  for (const IndexPart& part : parts) {
    if (leader_of(roles, plan, part.part) != leader) continue;
    const geometry::Piece piece = piece_of(plan.layout, part.part, geometry::points_of(part));
    plan.outgoing.push_back({{piece, std::make_shared<PointRuns>(geometry::local_to_packed(part))}, receiver});
  }
}

// Pieces of one sender come in the order in which plan_sends lists them: domains ascend.
void plan_receives(Unpacker& unpacker, Plan& plan) {
  const int sender = unpacker.get<int>();
  std::vector<IndexRun> runs(static_cast<std::size_t>(unpacker.get<std::int64_t>()));
  for (IndexRun& run : runs) {
    const Stretch stretch = unpacker.get<Stretch>();
    run = {0, stretch.start, stretch.length};
  }
  for (const IndexPart& part : geometry::cut_runs(runs, plan.layout.edges(0))) {
    const geometry::Piece piece = piece_of(plan.layout, part.part, geometry::points_of(part));
    const std::vector<Stretch> stretches = geometry::stretches_of(part);
    plan.incoming.push_back(
        {{piece, std::make_shared<PointRuns>(geometry::packed_to_global(stretches, piece.region.start[0]))}, sender});
  }
}

// A leader of another node says who receives this rank's points; that of one's own whose points this rank receives.
void take_assignments(const roles::Roles& roles, const std::map<int, Bytes>& assignments,
                      const std::vector<IndexPart>& parts, Plan& plan) {
  const int own_leader = roles.nodes[static_cast<std::size_t>(roles.node)].leader;
  for (const auto& [leader, bytes] : assignments) {
    Unpacker unpacker(bytes);
    if (leader != own_leader) plan_sends(roles, parts, leader, unpacker.get<int>(), plan);
    while (!unpacker.done()) plan_receives(unpacker, plan);
  }
}

}  // namespace

std::shared_ptr<const geometry::IndexList> assign_owners(const roles::Roles& roles,
                                                         const geometry::Decomposition& decomposition,
                                                         config::Owner owner) {
  const geometry::IndexList& list = *decomposition.list;
  const std::int64_t parts = std::min<std::int64_t>(roles.node_count, decomposition.shape[0]);
  const geometry::Layout nodes = geometry::Layout::even(decomposition.shape, {parts});
  std::map<int, Bytes> offers;
  for (const IndexPart& part : geometry::cut_runs(list.runs, nodes.edges(0)))
    offer(part, offers[roles.nodes[static_cast<std::size_t>(part.part)].leader]);
  offers = exchange_sparsely(roles.world, std::move(offers));

  std::map<int, Bytes> told;
  together(roles.world, [&] {
    if (!roles.leads_node() || roles.node >= parts) return;
    const Box box = nodes.domain(roles.node);
    const Stretch domain{box.start[0], box.count[0]};
    const geometry::Gaps gaps = geometry::gaps_between(domain, lists_in(offers));
    if (gaps.overlap) {  // Only then it is worth the memory to know who has what.
      const Ownership ownership = geometry::find_owners(domain, claims_in(offers));
      check_conflict(decomposition, ownership, owner);
      told = verdicts(offers, ownership);
    }
    check_holes(decomposition, gaps);
  });
  offers.clear();
  if (owner == config::Owner::error) return decomposition.list;

  geometry::IndexList assigned{list.count, {}};
  const std::map<int, Bytes> verdicts_here = exchange_sparsely(roles.world, told);
  for (const IndexPart& part : geometry::cut_runs(list.runs, nodes.edges(0))) {
    const auto verdict = verdicts_here.find(roles.nodes[static_cast<std::size_t>(part.part)].leader);
    std::vector<IndexRun> kept = part.runs();
    if (verdict != verdicts_here.end()) kept = geometry::within(kept, unpacked(verdict->second));
    assigned.runs.insert(assigned.runs.end(), kept.begin(), kept.end());
  }
  return std::make_shared<const geometry::IndexList>(std::move(assigned));
}

Plan make_index_plan(const roles::Roles& roles, const geometry::Decomposition& decomposition,
                     const geometry::Layout& layout, const Writing& writing) {
  Plan plan;
  plan.layout = layout;
  const std::vector<IndexPart> parts = geometry::cut_runs(decomposition.list->runs, layout.edges(0));
  std::vector<long> points(static_cast<std::size_t>(layout.domain_count()), 0);
  for (const IndexPart& part : parts) points[static_cast<std::size_t>(part.part)] = geometry::points_of(part);
  plan.node_of_domain = choose_nodes(roles, std::move(points), writing);
  for (int d = 0; d < layout.domain_count(); ++d)
    if (plan.node_of_domain[static_cast<std::size_t>(d)] == roles.node) plan.owned.push_back({d, 0, {}, nullptr});
  std::map<int, Bytes> assignments;
  {
    IndexOwner owner(roles, decomposition.masked, tell_leaders(roles, offers_of(roles, plan, parts)), plan);
    if (roles.leads_node() || roles.self.writes) owner.count();
    if (roles.leads_node()) assignments = owner.assignments();
  }
  plan_local(roles, parts, plan);  // when what others have told is let go
  if (roles.node_count > 1)
    take_assignments(roles, exchange_sparsely(roles.world, std::move(assignments)), parts, plan);
  share_counts(roles, plan);
  return plan;
}

}  // namespace thalweg::transport
