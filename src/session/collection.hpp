// A collection on the model's side: what was declared, what follows from it once definitions have ended, and how far
// the run has come.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "base/subject.hpp"
#include "block/callback.hpp"
#include "block/collection_plan.hpp"
#include "block/node_blocks.hpp"
#include "catalog/collection_identity.hpp"
#include "catalog/declaration.hpp"
#include "files/continued.hpp"
#include "files/file_plan.hpp"
#include "files/mpiio_files.hpp"
#include "files/record_schedule.hpp"
#include "files/series.hpp"
#include "health/file_waits.hpp"
#include "health/group_failures.hpp"
#include "put/early_puts.hpp"
#include "put/puts.hpp"
#include "receive/inboxes.hpp"
#include "sets/file_set.hpp"

namespace thalweg::session {

struct Collection;

// What the model opened has a collection for each group of servers that writes files of the series in turn: itself
// first, and others behind it, which have none of their own.
struct Shares {
  std::vector<Collection*> shares;
  bool is_successor = false;  // earlier files of the series are another one's

  // Where the upcoming record belongs, or the file that the program closes now.
  Collection& upcoming_share() const;
  Collection& ending_share() const;
  // That of the open file.
  Collection& open_share() const;
  bool has_open_file() const;
  std::int64_t closed_records() const;
};

struct Collection : catalog::CollectionIdentity, Shares {
  Collection(int its_number, config::CollectionSettings settings, const config::Settings& session_settings,
             files::FileTurns turns = {})
      : CollectionIdentity{its_number,
                           settings.name,
                           session_settings.folder,
                           session_settings.run_id,
                           session_settings.session_id,
                           kept_word(settings.name)},
        declaration(settings),
        schedule(std::move(settings), session_settings, turns) {}
  Collection(const Collection&) = delete;
  Collection& operator=(const Collection&) = delete;

  catalog::Declaration declaration;
  files::RecordSchedule schedule;
  std::optional<block::Callback> callback;  // format: user; without its variables

  // ---- until definitions end
  bool is_sketch() const { return number < 0; }
  put::EarlyPuts early;
  bool has_failed = false;  // they ended with an error

  // ---- from then on
  bool is_ready() const { return inboxes.is_open; }
  block::NodeBlocks blocks;
  files::FilePlan file_plan;
  put::Puts puts{*this, blocks};
  receive::Inboxes inboxes{*this, blocks, [this](std::int64_t moment) { return index_in_file(moment); }};
  health::Standing standing{*this, blocks, [this] { return schedule.file_name(); }};
  std::unique_ptr<files::MpiioFiles> mpiio;   // engine library: on the ranks that call it
  std::optional<files::Continued> continued;  // the file that this run goes on with

  health::NodeFiles node_files() const { return {*this, blocks}; }

  // ---- the run
  std::int64_t begun_records = 0;  // that this rank was given a field of
  std::int64_t named_files = 0;    // whose names are noted as in use
  // Of closed moments whose pieces may still come by message.
  std::map<std::int64_t, std::int64_t> closed_indices;

  void keep_index(const files::Upcoming& closed);
  // Where a moment lies in its file, as far as this rank has come to it.
  std::optional<std::int64_t> index_in_file(std::int64_t moment) const;
  // The upcoming record has a field of this rank, so that its file may be open.
  bool has_begun_record() const { return begun_records > schedule.upcoming().record; }
  // Throws CONFIG for a record that a file with FMS's checksums has no room for.
  void require_record(const files::Upcoming& record) const;
  bool by_mpiio() const { return declaration.settings().engine == config::Engine::library; }
  files::Series series() const { return {*this, declaration, schedule, continued}; }
  const catalog::Variable& variable(int v) const { return declaration.definition().variable(v); }
};

}  // namespace thalweg::session
