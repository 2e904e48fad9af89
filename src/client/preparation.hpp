// The end of definitions: from declarations to layouts, plans, blocks, memory and messages, once and collectively.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "client/core.hpp"
#include "client/library_desk.hpp"
#include "client/writer_loads.hpp"
#include "store/slot_layout.hpp"
#include "transport/index_plan.hpp"
#include "transport/plan_exchange.hpp"

namespace thalweg::client {

class Preparation {
 public:
  // loads: what the writers have been given before, to which this adds. Both outlive this.
  Preparation(Core& core, WriterLoads& loads) : core_(core), loads_(loads) {}
  void run();

 private:
  // What one writer of this node writes.
  struct ShareDraft {
    int writer = -1;
    bool participates = false;
    std::shared_ptr<store::CollectionPlan> plan;
    store::SlotLayout record_slot;
    store::SlotLayout fixed_slot;
    // Places in the segment.
    std::int64_t record_states = 0, fixed_states = 0, record_data = 0, fixed_data = 0, claims = 0;
  };

  // A collection on its way.
  struct Draft {
    Collection* collection = nullptr;
    std::vector<std::vector<int>> writers;  // ranks that may write it, of each node
    // Of each (variable, domain) the rank that writes it; only where a node has several, and of no set.
    std::vector<std::vector<int>> writer_of;
    config::Pattern pattern = config::Pattern::single;
    std::vector<FilePart> set;                        // its files, by number; empty: no set
    std::map<int, const transport::Plan*> set_plans;  // of a set, by decomposition
    bool chunked = false;
    bool by_library = false;
    std::vector<const transport::Plan*> plans;  // of each variable
    std::vector<ShareDraft> shares;             // of this node's writers; at least one
    // Of each file of this node, by its number in the set: where variables begin in it, and at the end the distance of
    // records.
    std::map<int, std::vector<std::int64_t>> places;
    std::map<std::pair<int, int>, std::int64_t> first_fixed_place;  // of (variable, domain); of no set, domain 0
    std::map<std::pair<int, int>, BlockPlace> block_of;             // of (variable, domain)
    std::int64_t message_bytes = 0;                                 // of this rank
    std::int64_t longest_message_bytes = 0;
    std::int64_t depth = 1;
  };

  void agree();
  void start_draft(Collection& collection);
  void choose_plans(Draft& draft);
  void gather_boundaries(const Draft& draft);
  Index choose_domains(const Draft& draft, int decomposition) const;
  exchange::Layout choose_layout(const Draft& draft, int variable) const;
  transport::Writing writing_of(const Collection& collection) const;
  // ---- which of a node's writers
  void choose_writers(Draft& draft) const;
  void let_any_write(Draft& draft) const;
  bool is_kept(const Draft& draft, int variable) const;
  void share_blocks(Draft& draft) const;
  bool follows_first(const Draft& draft, const ShareDraft& share) const;
  void count_load(const Draft& draft);
  std::int64_t writer_count(const Draft& draft) const;
  void divide_blocks(Draft& draft) const;
  void divide_blocks_with(Draft& draft, bool has_record) const;
  void divide_set(Draft& draft) const;
  int writer_of(const Draft& draft, int variable, int domain) const;
  std::vector<int> writers_of(const Draft& draft, int variable, int domain) const;
  static bool is_divided(const Draft& draft);
  const transport::Plan* plan_for(int decomposition, const exchange::Layout& layout, const transport::Writing& writing);
  const transport::Plan* replicated_plan(int home);
  const transport::Plan* coordinate_plan(const Collection& collection);
  const transport::Plan* unfed_plan(int home);
  const transport::Plan* plan_of(const Draft& draft, int variable);
  void cut_set(Draft& draft);
  void refuse_index_lists(const Draft& draft, const std::vector<int>& decompositions) const;
  void cut_at_domains(Draft& draft, const std::vector<int>& decompositions);
  void cut_at_ranks(Draft& draft, const std::vector<int>& decompositions);
  const transport::Plan* plan_for_nodes(int decomposition, const exchange::Layout& layout,
                                        const std::vector<int>& node_of);
  std::vector<Box> boxes_of_ranks(int decomposition) const;
  void check_one_box(const Draft& draft, const std::vector<int>& decompositions) const;
  std::vector<std::string> empty_dimensions(const std::vector<int>& decompositions, const std::vector<Box>& held) const;
  const transport::Plan* plan_of_ranks(int decomposition, const std::vector<int>& node_of);
  int node_for_own_file(const Collection& collection) const;
  const transport::Plan* plan_of_parts(const Draft& draft, int variable);
  std::vector<int> nodes_of_parts(const Draft& draft) const;
  void add_part(Draft& draft, int number, int node, const std::vector<int>& decompositions,
                const std::vector<Box>& boxes) const;
  void check_set(const Draft& draft) const;
  std::vector<int> decompositions_of(const Collection& collection) const;
  void choose_chunk(Draft& draft, int variable) const;
  void choose_chunk_records(const Draft& draft, catalog::Variable& of, std::int64_t bytes) const;
  void explain_chunks(const Draft& draft) const;
  void probe_files(Draft& draft);
  void require_folder(const Draft& draft, const std::filesystem::path& folder) const;
  std::vector<std::int64_t> probe(const Draft& draft, const std::string& name, const catalog::Definition& of) const;
  void describe_files(Draft& draft);
  std::shared_ptr<const store::SummedFiles> summed_files(const Draft& draft, int writer) const;
  void plan_blocks(Draft& draft);
  void add_block(Draft& draft, int variable, const transport::OwnedDomain& owned);
  void lay_out(Draft& draft);
  void count_messages(Draft& draft);
  void require_room_for_blocks(const Draft& draft) const;
  void share_budget();
  void make_area();
  void place_rings(Draft& draft, std::byte* memory);
  void place_share(const Draft& draft, ShareDraft& share, std::byte* memory);
  void place_progress(const Draft& draft, ShareDraft& share, std::byte* memory);
  void place_claims(Draft& draft, std::byte* memory);
  std::int64_t first_due() const;
  void plan_puts(Draft& draft, std::byte*& messages);
  void plan_boxes(Draft& draft, int variable);
  void plan_sends(Draft& draft, int variable, std::byte*& messages);
  void plan_receives(Draft& draft, int variable, std::byte*& messages);
  void number_chunks(Draft& draft);
  void plan_chunks(Draft& draft);
  void hand_over(Draft& draft);
  void note_engine(const Draft& draft) const;
  void hand_to_engine(Collection& collection, bool writes);
  void hand_to_library(Draft& draft);
  std::set<int> io_members(const Draft& draft) const;
  LibraryShare library_share(const Draft& draft, const roles::Circle& circle) const;
  std::vector<store::LibraryBlock> own_library_blocks(const Draft& draft, int variable) const;

  Box variable_box(const Collection& collection, int variable, const Box& box) const;
  std::vector<Box> boxes_of(const Collection& collection, int variable, const transport::Plan& plan) const;
  Box domain_box(const Draft& draft, int variable, int domain) const;
  std::optional<exchange::ChunkGrid> chunks_of(const Draft& draft, int variable, int domain) const;
  const store::PlannedBlock& block_of(const Draft& draft, int variable, const BlockPlace& place) const;
  std::vector<PieceCopy> box_into(const store::PlannedBlock& block, const Box& cells);
  std::vector<PieceCopy> into_block(const Draft& draft, int variable, const transport::PlannedPiece& piece);
  int place_of_points(const Draft& draft, int variable) const;
  PiecePoints points_of(const Draft& draft, int variable, const transport::PlannedPiece& piece) const;
  std::vector<PieceCopy> points_into(const store::PlannedBlock& block, const Box& region, const PiecePoints& points);
  const std::vector<exchange::ChunkPoints>& in_chunks(const std::shared_ptr<const PointRuns>& runs,
                                                      std::int64_t chunk_points);
  void number_fixed_places(Draft& draft);
  void describe_share(const Draft& draft, ShareDraft& share) const;
  void decide_who_takes_part(Draft& draft);
  // Of a set, the file of this domain; null if it has none.
  const FilePart* part_of(const Draft& draft, int domain) const;
  Index file_shape(const Draft& draft, int variable, int domain) const;
  Index file_origin(const Draft& draft, int variable, int domain) const;
  std::uint32_t expected_pieces(const Draft& draft, int variable, int domain) const;

  Core& core_;
  WriterLoads& loads_;
  std::vector<Draft> drafts_;
  std::map<std::string, std::unique_ptr<transport::Plan>> plans_;  // by decomposition, layout and home
  std::map<int, exchange::Boundaries> boundaries_;                 // of all ranks, by decomposition
  // Runs of the plans, cut: by runs and points of a chunk. The plans live as long.
  std::map<std::pair<const PointRuns*, std::int64_t>, std::vector<exchange::ChunkPoints>> cut_points_;
  std::int64_t state_bytes_ = 0;
  std::int64_t data_bytes_ = 0;
  std::int64_t queue_offset_ = 0;
  std::int64_t messages_offset_ = 0;  // of this rank
};

}  // namespace thalweg::client
