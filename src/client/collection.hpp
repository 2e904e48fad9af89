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

#include "catalog/declaration.hpp"
#include "client/puts.hpp"
#include "client/record_schedule.hpp"
#include "exchange/plan.hpp"
#include "staging/ready_queue.hpp"
#include "store/file_set.hpp"
#include "store/orders.hpp"

namespace thalweg::client {

class LibraryDesk;

// A file of a set.
struct FilePart {
  int number = 0;                        // of the domain or the rank
  int node = 0;                          // that writes it
  std::vector<store::Section> sections;  // of each dimension of the definition
};

struct Collection {
  Collection(int its_number, config::CollectionSettings settings, const config::Settings& session_settings)
      : number(its_number),
        name(settings.name),
        declaration(settings),
        schedule(std::move(settings), session_settings) {}

  int number;
  std::string name;
  catalog::Declaration declaration;
  RecordSchedule schedule;
  std::optional<store::Procedure> procedure;  // format: user; without its variables

  // ---- from the end of definitions on
  bool is_ready = false;
  std::int64_t begun_records = 0;  // that this rank has put something of
  int home = 0;                    // node that owns the files; of a set: that says what the set is
  std::int64_t files = 0;          // known at the end
  bool participates = false;       // this node writes a part, or owns the files
  std::vector<int> other_writers;  // ranks that write it on other nodes than the home
  std::vector<FilePart> parts;     // of a set: those that this node writes; empty: no set
  std::vector<FilePart> set;       // all of them, on the writer of the home
  std::int64_t files_in_set = 0;
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::unordered_map<std::string, int, Hash, std::equal_to<>> variable_numbers;
  std::vector<VariablePuts> puts;  // of each variable
  std::vector<Inbox> inboxes;
  std::map<std::int64_t, std::int64_t> index_in_file;  // of closed records whose pieces may still come by message
  std::shared_ptr<const store::CollectionPlan> plan;
  staging::ReadyQueue ready_queue;
  // Chunked formats, on the home: the chunks of the record blocks of each node that takes part, and of its encoded
  // fixed blocks, in the node's own order.
  struct Chunk {
    int variable = 0;
    std::int64_t number = 0;
    bool is_encoded = false;
    int part = 0;  // among those of the node
  };
  std::map<int, std::vector<Chunk>> record_chunks;
  std::map<int, std::vector<Chunk>> fixed_chunks;

  std::shared_ptr<LibraryDesk> library;  // engine library: on the ranks that call it

  bool by_library() const { return declaration.settings().engine == config::Engine::library; }
  // The variable's shape in a file that this node makes.
  Index shape_in_part(int v, std::size_t part) const {
    return parts.empty() ? declaration.definition().shape(variable(v))
                         : store::box_of(variable(v), parts[part].sections).count;
  }
  const catalog::Variable& variable(int v) const {
    return declaration.definition().variables[static_cast<std::size_t>(v)];
  }
};

}  // namespace thalweg::client
