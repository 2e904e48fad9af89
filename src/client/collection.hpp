// A collection on the model's side: its declaration, its schedule and, once definitions have ended, its plans, its view
// of the node's blocks and its messages.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "block/collection_plan.hpp"
#include "catalog/declaration.hpp"
#include "client/puts.hpp"
#include "client/record_schedule.hpp"
#include "exchange/plan.hpp"
#include "sets/file_set.hpp"
#include "staging/ready_queue.hpp"

namespace thalweg::client {

class LibraryDesk;

// A file of a set.
struct FilePart {
  int number = 0;                       // of the domain or the rank
  int node = 0;                         // that writes it,
  int writer = 0;                       // by this rank,
  int place = 0;                        // which has so many before it
  std::vector<sets::Section> sections;  // of each dimension of the definition
};

// What one writer of this node writes of a collection. All processes of the node know of it.
struct Share {
  int writer = -1;            // rank; -1: the node writes nothing
  int place = -1;             // of the writer among the processes of the node
  bool participates = false;  // it writes some of the files, or owns them
  std::shared_ptr<const block::CollectionPlan> plan;
  staging::ReadyQueue ready_queue;
};

struct Collection {
  Collection(int its_number, config::CollectionSettings settings, const config::Settings& session_settings)
      : number(its_number),
        name(settings.name),
        folder(session_settings.folder),
        run_id(session_settings.run_id),
        session_id(session_settings.session_id),
        declaration(settings),
        schedule(std::move(settings), session_settings) {}

  int number;
  std::string name;
  std::string folder;  // that its relative paths are meant from
  std::string run_id;
  std::string session_id;
  catalog::Declaration declaration;
  RecordSchedule schedule;
  std::optional<block::Callback> procedure;  // format: user; without its variables

  // ---- from the end of definitions on
  bool is_ready = false;
  std::int64_t confirmed_records = 0;  // known to be committed
  std::int64_t begun_records = 0;      // that this rank was given a field of
  std::int64_t named_files = 0;        // whose names are noted as in use
  int home = 0;                        // node that owns the files; of a set: that says what the set is,
  int home_writer = -1;                // by this rank
  std::int64_t files = 0;              // known at the end
  std::vector<int> other_writers;      // ranks that write it, beside the home writer
  std::vector<FilePart> parts;         // of a set: those that this rank writes
  std::vector<FilePart> set;           // all of them, on the home writer
  std::int64_t files_in_set = 0;
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::unordered_map<std::string, int, Hash, std::equal_to<>> variable_numbers;
  std::vector<VariablePuts> puts;  // of each variable
  std::vector<Inbox> inboxes;
  std::map<std::int64_t, std::int64_t> index_in_file;  // of closed records whose pieces may still come by message
  void keep_index(const Upcoming& closed);
  std::vector<Share> shares;                          // of this node's writers; at least one
  std::shared_ptr<const block::CollectionPlan> plan;  // of this rank's share; where it writes none, the first
  // Each record goes to any one of a node's writers (staging/record_claims.hpp).
  bool by_claims = false;
  // Chunked formats, on the home writer: the chunks of the record blocks of each rank that takes part in writing, and
  // of its encoded fixed blocks, in its own order. By claims: those that are claimed, under the number of their node.
  struct Chunk {
    int variable = 0;
    std::int64_t number = 0;
    bool is_encoded = false;
    int part = 0;  // among those of the rank
  };
  std::map<int, std::vector<Chunk>> record_chunks;
  std::map<int, std::vector<Chunk>> fixed_chunks;
  static int claimed_on(int node) { return -1 - node; }
  std::map<int, std::vector<int>> chunks_of;  // of each rank that takes part: under which numbers, in its blocks' order

  std::shared_ptr<LibraryDesk> library;  // engine library: on the ranks that call it

  // The upcoming record has a field of this rank, so that its file may be open.
  bool has_begun_record() const { return begun_records > schedule.upcoming().record; }
  // Throws CONFIG for a record that a file with FMS's checksums has no room for.
  void require_record(const Upcoming& record) const;
  bool by_library() const { return declaration.settings().engine == config::Engine::library; }
  bool is_claimed(const BlockPlace& block, bool has_record) const {
    return has_record && plan_of(block).is_claimed(block.number);
  }
  // The share that a block of this record goes to; who asks has a part of it, so that it is claimed.
  const Share& share_of(const BlockPlace& block, bool has_record, std::int64_t record) const {
    const auto claimant = is_claimed(block, has_record) ? plan_of(block).claims.writer_of(record) : std::nullopt;
    return shares[static_cast<std::size_t>(claimant.value_or(block.share))];
  }
  const block::CollectionPlan& plan_of(const BlockPlace& block) const {
    return *shares[static_cast<std::size_t>(block.share)].plan;
  }
  // Leading records that all of the node's writers have written and, on the home, committed; those without records are
  // not waited for.
  std::int64_t written_records() const;
  // So many leading records are to be written; whoever asks rings the bell then.
  void ask_for(std::int64_t records) const {
    for (const Share& share : shares) share.plan->record_ring.ask_for(records);
  }
  // Those before this one, by who may have the block of one of them.
  void ask_for_room(const BlockPlace& block, std::int64_t record) const {
    if (is_claimed(block, true)) return ask_for(record);
    plan_of(block).record_ring.ask_for(record);
  }
  // The variable's shape in a file that this rank makes.
  Index shape_in_part(int v, std::size_t part) const {
    return parts.empty() ? declaration.definition().shape(variable(v))
                         : sets::box_of(variable(v), parts[part].sections).count;
  }
  const catalog::Variable& variable(int v) const {
    return declaration.definition().variables[static_cast<std::size_t>(v)];
  }
};

struct InboxPlace {
  Collection* collection = nullptr;
  std::size_t number = 0;  // among its inboxes
  Inbox& inbox() const { return collection->inboxes[number]; }
};

}  // namespace thalweg::client
