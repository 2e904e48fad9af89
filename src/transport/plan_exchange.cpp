#include "transport/plan_exchange.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/told.hpp"
#include "roles/counts.hpp"
#include "roles/meeting.hpp"
#include "transport/collective.hpp"

namespace thalweg::transport {
namespace {

void pack_piece(Packer& packer, const geometry::Piece& piece) {
  packer.put(piece.domain).put(piece.box).put(piece.region);
}

geometry::Piece unpack_piece(Unpacker& unpacker) {
  geometry::Piece piece;
  piece.domain = unpacker.get<int>();
  piece.box = unpacker.get<int>();
  piece.region = unpacker.get<Box>();
  return piece;
}

std::string describe(const geometry::Contribution& contribution) {
  return fmt::format("rank {} box {} {}", contribution.rank, told::number(contribution.box),
                     told::box(contribution.region));
}

void check_coverage(const geometry::Decomposition& decomposition, const geometry::Coverage& coverage) {
  const std::string dims = told::names(decomposition.dimensions);
  if (!coverage.overlaps.empty()) {
    std::string text = fmt::format("decomposition ({}): boxes overlap; every cell must belong to one rank ({}):", dims,
                                   told::sections());
    for (const geometry::Overlap& overlap : coverage.overlaps)
      text += fmt::format("\n  {} and {} share {}", describe(overlap.first), describe(overlap.second),
                          told::box(overlap.common));
    throw Error(THALWEG_ERROR_AGREEMENT, text);
  }
  if (coverage.holes.empty() || decomposition.masked) return;
  std::string text = fmt::format("decomposition ({}): no rank owns these parts of the index space {} ({}):", dims,
                                 told::extents(decomposition.shape), told::sections());
  for (std::size_t i = 0; i < coverage.holes.size() && i < geometry::max_overlaps; ++i)
    text += fmt::format("\n  {}", told::box(coverage.holes[i]));
  throw Error(THALWEG_ERROR_AGREEMENT, text + "\nif they are intended (land), declare the decomposition as masked");
}

// Who contributes what to each domain of a node, checked, and who receives what comes from afar.
class DomainOwner {
 public:
  DomainOwner(const roles::Roles& roles, Plan& plan) : roles_(roles), plan_(plan) {}

  void take(const std::map<int, Bytes>& offers) {
    for (const auto& [rank, bytes] : offers)
      for (Unpacker unpacker(bytes); !unpacker.done();) {
        const geometry::Piece piece = unpack_piece(unpacker);
        contributions_[piece.domain].push_back({rank, piece.box, piece.region});
      }
  }

  void count() {
    for (OwnedDomain& owned : plan_.owned)
      owned.pieces = static_cast<std::uint32_t>(contributions_[owned.domain].size());
  }

  void check(const geometry::Decomposition& decomposition) {
    for (OwnedDomain& owned : plan_.owned) {
      geometry::Coverage coverage = geometry::cover(plan_.layout.domain(owned.domain), contributions_[owned.domain]);
      check_coverage(decomposition, coverage);
      owned.holes = std::move(coverage.holes);
    }
  }

  // Both sides are told.
  std::map<int, Bytes> assignments() {
    std::map<int, Packer> to;
    Receivers receivers(roles_);
    for (const auto& [domain, contributions] : contributions_)
      for (const geometry::Contribution& from : contributions) {
        if (!receivers.is_remote(from.rank)) continue;
        const int receiver = receivers.of(from.rank);
        const geometry::Piece piece{domain, from.box, from.region};
        pack_piece(to[from.rank].put(true).put(receiver), piece);
        pack_piece(to[receiver].put(false).put(from.rank), piece);
      }
    std::map<int, Bytes> bytes;
    for (auto& [rank, packer] : to) bytes[rank] = packer.take();
    return bytes;
  }

 private:
  const roles::Roles& roles_;
  Plan& plan_;
  std::map<int, std::vector<geometry::Contribution>> contributions_;
};

std::map<int, Bytes> offers_of(const roles::Roles& roles, const Plan& plan,
                               const std::vector<geometry::Piece>& pieces) {
  std::map<int, Packer> to;
  for (const geometry::Piece& piece : pieces)
    pack_piece(
        to[roles.nodes[static_cast<std::size_t>(plan.node_of_domain[static_cast<std::size_t>(piece.domain)])].leader],
        piece);
  std::map<int, Bytes> bytes;
  for (auto& [rank, packer] : to) bytes[rank] = packer.take();
  return bytes;
}

void take_assignments(const std::map<int, Bytes>& assignments, Plan& plan) {
  for (const auto& [leader, bytes] : assignments)
    for (Unpacker unpacker(bytes); !unpacker.done();) {
      const bool sends = unpacker.get<bool>();
      RemotePiece remote;
      remote.peer = unpacker.get<int>();
      remote.piece = {unpack_piece(unpacker), nullptr};
      (sends ? plan.outgoing : plan.incoming).push_back(remote);
    }
}

}  // namespace

// The node with most cells of each domain; the lowest of equals.
std::vector<int> choose_nodes(const roles::Roles& roles, std::vector<long> cells, const Writing& writing) {
  const int domains = roles::count_of(std::ssize(cells), "domains");
  std::vector<int> node_of(cells.size(), writing.owner_node);
  const std::vector<int>& nodes = roles.groups.writing_nodes(writing.group);
  if (domains == 1 || nodes.size() == 1) return node_of;
  roles::reduce(roles.local, std::span(cells), MPI_LONG, MPI_SUM);
  const bool writes = std::ranges::binary_search(nodes, roles.node);
  struct Candidate {
    long cells;
    int node;
  };
  std::vector<Candidate> best(cells.size());
  for (std::size_t d = 0; d < best.size(); ++d) best[d] = {writes ? cells[d] : 0, roles.node};
  roles::reduce(roles.world, std::span(best), MPI_LONG_INT, MPI_MAXLOC);
  for (std::size_t d = 0; d < best.size(); ++d)
    if (best[d].cells > 0)
      node_of[d] = best[d].node;
    else if (roles.has_servers())
      node_of[d] = nodes[d * nodes.size() / best.size()];
  return node_of;
}

std::map<int, Bytes> tell_leaders(const roles::Roles& roles, std::map<int, Bytes> offers) {
  std::map<int, Bytes> told = exchange_sparsely(roles.world, std::move(offers));
  if (roles.groups.writers_on(roles.node).size() < 2) return told;
  Packer packer;
  for (const auto& [rank, bytes] : told) packer.put(rank).put_all(bytes);
  const Bytes all = broadcast(roles.local, 0, packer.take());
  told.clear();
  for (Unpacker unpacker(all); !unpacker.done();) {
    const int rank = unpacker.get<int>();
    told[rank] = unpacker.get_all<Bytes>();
  }
  return told;
}

void share_counts(const roles::Roles& roles, Plan& plan) {
  std::vector<std::uint32_t> counts(plan.owned.size());
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = plan.owned[i].pieces;
  roles::broadcast_bytes(roles.local, 0, std::as_writable_bytes(std::span(counts)));
  for (std::size_t i = 0; i < counts.size(); ++i) plan.owned[i].pieces = counts[i];
}

namespace {

using Marks = std::vector<std::set<std::int64_t>>;

std::string packed(const Marks& marks) {
  Packer packer;
  for (const auto& of_dimension : marks) packer.put_all(of_dimension);
  const Bytes bytes = packer.take();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void add_packed(std::string_view text, Marks& marks) {
  const auto bytes = std::as_bytes(std::span(text));
  const Bytes copy(bytes.begin(), bytes.end());
  Unpacker unpacker(copy);
  for (auto& of_dimension : marks) {
    const auto indices = unpacker.get_all<std::vector<std::int64_t>>();
    of_dimension.insert(indices.begin(), indices.end());
  }
}

// Lists are brought together at rank 0, which has room for so many indices.
void list_all(const roles::Roles& roles, const geometry::Decomposition& decomposition,
              geometry::Boundaries& boundaries) {
  constexpr std::int64_t most = std::int64_t{1} << 24;
  std::int64_t own = 0;
  for (const auto& of_dimension : boundaries.marks()) own += std::ssize(of_dimension);
  if (const std::int64_t all = sum(roles.world, own); all > most)
    fail(THALWEG_ERROR_SHAPE,
         "decomposition ({}) of shape {}: its boxes begin and end at {} places, and where extents are together more "
         "than {} at most {} are possible; give ranks fewer boxes",
         told::names(decomposition.dimensions), told::extents(decomposition.shape), all,
         geometry::Boundaries::most_bits, most);
  Marks marks(boundaries.marks().size());
  for (const std::string& text : gather_texts(roles.world, packed(boundaries.marks()))) add_packed(text, marks);
  const std::string all = packed(marks);
  const auto bytes = std::as_bytes(std::span(all));
  const Bytes everywhere = broadcast(roles.world, 0, Bytes(bytes.begin(), bytes.end()));
  add_packed({reinterpret_cast<const char*>(everywhere.data()), everywhere.size()}, boundaries.marks());
}

}  // namespace

geometry::Boundaries all_boundaries(const roles::Roles& roles, const geometry::Decomposition& decomposition) {
  geometry::Boundaries boundaries(decomposition.shape);
  for (const Box& box : decomposition.boxes) boundaries.mark(box);
  if (boundaries.are_listed()) {
    list_all(roles, decomposition, boundaries);
    return boundaries;
  }
  auto& words = boundaries.words();
  roles::reduce(roles.world, std::span(words), MPI_UINT64_T, MPI_BOR);
  return boundaries;
}

std::vector<int> nodes_of_domains(const roles::Roles& roles, const geometry::Decomposition& decomposition,
                                  const geometry::Layout& layout, const Writing& writing) {
  std::vector<long> cells(static_cast<std::size_t>(layout.domain_count()), 0);
  for (const geometry::Piece& piece : geometry::pieces_of(decomposition.boxes, layout))
    cells[static_cast<std::size_t>(piece.domain)] += piece.region.cells();
  return choose_nodes(roles, std::move(cells), writing);
}

Plan make_plan(const roles::Roles& roles, const geometry::Decomposition& decomposition, const geometry::Layout& layout,
               const Writing& writing) {
  return make_plan(roles, decomposition, layout, nodes_of_domains(roles, decomposition, layout, writing));
}

namespace {

// check: what the leaders and writers of nodes find wrong with what all ranks contribute.
void connect(const roles::Roles& roles, const std::vector<geometry::Piece>& own, Plan& plan,
             const std::function<void(DomainOwner&)>& check) {
  for (int d = 0; d < std::ssize(plan.node_of_domain); ++d)
    if (plan.node_of_domain[static_cast<std::size_t>(d)] == roles.node) plan.owned.push_back({d, 0, {}, nullptr});
  for (const geometry::Piece& piece : own)
    if (plan.node_of_domain[static_cast<std::size_t>(piece.domain)] == roles.node)
      plan.local.push_back({piece, nullptr});

  DomainOwner owner(roles, plan);
  const std::map<int, Bytes> told = tell_leaders(roles, offers_of(roles, plan, own));
  if (roles.leads_node() || roles.self.writes) owner.take(told);
  owner.count();
  together(roles.world, [&] {
    if (roles.leads_node() || roles.self.writes) check(owner);
  });
  std::map<int, Bytes> assignments;
  if (roles.leads_node()) assignments = owner.assignments();
  if (roles.node_count > 1) take_assignments(exchange_sparsely(roles.world, assignments), plan);
  share_counts(roles, plan);
}

}  // namespace

Plan make_plan(const roles::Roles& roles, const geometry::Decomposition& decomposition, const geometry::Layout& layout,
               std::vector<int> node_of_domain) {
  Plan plan;
  plan.layout = layout;
  plan.node_of_domain = std::move(node_of_domain);
  connect(roles, geometry::pieces_of(decomposition.boxes, layout), plan,
          [&](DomainOwner& owner) { owner.check(decomposition); });
  return plan;
}

Plan make_plan(const roles::Roles& roles, std::vector<int> node_of_domain, const std::vector<geometry::Piece>& own) {
  Plan plan;
  plan.node_of_domain = std::move(node_of_domain);
  connect(roles, own, plan, [](DomainOwner&) {});
  return plan;
}

}  // namespace thalweg::transport
