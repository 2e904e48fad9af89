// A collection on its way through the end of definitions: what each step of planning has found, for those behind it.
// The steps are functions; what they fill in is said there.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "block/node_blocks.hpp"
#include "block/slot_layout.hpp"
#include "catalog/collection_identity.hpp"
#include "catalog/declaration.hpp"
#include "config/settings.hpp"
#include "files/file_plan.hpp"
#include "geometry/chunking.hpp"
#include "geometry/plan.hpp"
#include "roles/roles.hpp"
#include "transport/plan_exchange.hpp"

namespace thalweg::planning {

// What planning is given, beside the collections. Outlives all that is planned.
struct Given {
  const roles::Roles& roles;
  const config::Settings& settings;
  const std::vector<geometry::Decomposition>& decompositions;
  const std::vector<int>& content_of;  // Declared::content_of

  const geometry::Decomposition& decomposition(int number) const {
    return decompositions[static_cast<std::size_t>(number)];
  }
  int content(int decomposition) const { return content_of[static_cast<std::size_t>(decomposition)]; }
};

// What one writer of this node writes.
struct PartDraft {
  int writer = -1;
  bool participates = false;
  std::shared_ptr<block::CollectionPlan> plan;
  block::SlotLayout record_slot;
  block::SlotLayout fixed_slot;
  staging::BlockId first_block{0};
  // Places in the segment.
  std::int64_t record_states = 0, fixed_states = 0, record_data = 0, fixed_data = 0, assignment = 0;
  std::int64_t burst_data = 0;  // in the burst memory
};

// Who writes a collection.
struct WriterChoice {
  std::vector<std::vector<int>> of_node;  // ranks that may write it, of each node
  // Of each (variable, domain) the rank that writes it; only where a node has several, and of no set.
  std::vector<std::vector<int>> of_block;

  bool is_divided() const;
};

// Records that staging holds at once: as a rule, and more while a burst lasts.
struct Depth {
  std::int64_t usual = 1;
  std::int64_t burst = 0;
  std::int64_t all() const { return usual + burst; }
};

// Messages of this rank.
struct MessageSizes {
  std::int64_t bytes = 0;
  std::int64_t longest_bytes = 0;
};

// What planning is given of a collection. All of it outlives what is made of it.
struct Subject {
  const Given& given;
  const catalog::CollectionIdentity& identity;
  const catalog::Declaration& declaration;
  const block::Callback* callback;  // of the model, which writes the collection; null: Thalweg does
};

struct Draft : Subject {
  explicit Draft(const Subject& subject);

  catalog::Definition definition;  // as files have it: with chunks
  WriterChoice writers;
  config::Pattern pattern = config::Pattern::single;
  std::vector<files::FilePart> set;                 // its files, by number; empty: no set
  std::map<int, const transport::Plan*> set_plans;  // of a set, by decomposition
  bool chunked = false;
  bool by_mpiio = false;
  files::FilePlan file_plan;
  std::vector<const transport::Plan*> plans;  // of each variable
  std::vector<PartDraft> writer_parts;        // of this node's writers; at least one
  // Of each file of this node, by its number in the set: where variables begin in it, and at the end the distance of
  // records.
  std::map<int, std::vector<std::int64_t>> places;
  std::map<std::pair<int, int>, std::int64_t> first_fixed_place;  // of (variable, domain); of no set, domain 0
  std::map<std::pair<int, int>, block::BlockPlace> block_of;      // of (variable, domain)
  MessageSizes messages;
  Depth depth;

  // Of a set, the file of this domain; null if it has none.
  const files::FilePart* part_of(int domain) const;
  int writer_of(int variable, int domain) const;
  // All that may have it.
  std::vector<int> writers_of(int variable, int domain) const;
  std::int64_t writer_count() const;
  bool is_pinned(int variable) const;
  bool follows_first(const PartDraft& part) const;
  // Whoever writes them is told of a block as a box of the file's dimensions.
  bool has_boxes_only() const { return by_mpiio || !definition.format->traits.makes_files(); }

  // Boxes and extents of a variable: dimensions that an index list joins are one.
  Box in_variable(int variable, const Box& box) const { return declaration.in_variable(variable, box); }
  const catalog::Variable& variable(int number) const { return definition.variable(number); }
  Box box_of(int variable, int domain) const;
  Index file_shape(int variable, int domain) const;
  Index file_origin(int variable, int domain) const;
  std::optional<geometry::ChunkGrid> chunks_of(int variable, int domain) const;
  std::uint32_t expected_pieces(int variable, int domain) const;
  const block::PlannedBlock& block(int variable, const block::BlockPlace& place) const;
};

}  // namespace thalweg::planning
