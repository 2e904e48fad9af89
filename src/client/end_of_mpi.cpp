// Session: the program ends MPI without having finished. It cannot be made good, because to finish is collective, but
// nothing that is complete need be lost, and it is said where it is.
#include <fmt/ranges.h>

#include <algorithm>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "client/pattern.hpp"
#include "client/session.hpp"
#include "store/format_file.hpp"
#include "transport/collective.hpp"

namespace thalweg::client {

void Session::meet_end_of_mpi() {
  constexpr double patience_s = 1.0;
  constexpr const char* what =
      "MPI_Finalize was called before thalweg_finish; call thalweg_finish first, on every rank";
  end_progress_thread();
  commit_what_is_complete(patience_s);
  if (roles_->rank == roles_->first_client) log::warning("{}. {}", what, left_files());
  abandon(what);
}

// As flush does, and then as wait, but for no other rank.
void Session::commit_what_is_complete(double patience_s) {
  if (control_->has_failed() || ready_collections_.empty()) return;
  try {
    place_all();
    const auto is_written = [](const Collection* collection) {
      return collection->written_records() >= collection->schedule.closed_records();
    };
    const double start_s = now_s();
    while (!std::ranges::all_of(ready_collections_, is_written) && now_s() - start_s < patience_s &&
           !control_->has_failed()) {
      progress();
      control_->sleep_until_rung(control_->bell(), 0.001);
    }
  } catch (const Error& error) {
    log::warning("rank {}: {}", roles_->rank, error.what());
  }
}

// Where the records are that were committed, and what makes proper files of them.
std::string Session::left_files() const {
  std::vector<std::string> names;
  for (const Collection* collection : ready_collections_) {
    const config::CollectionSettings& settings = collection->declaration.settings();
    if (!store::traits_of(settings.format).makes_files || collection->schedule.file_name().empty()) continue;
    const bool is_set = collection->files_in_set > 0;
    names.push_back(fmt::format("'{}{}.partial'", collection->schedule.file_name(), is_set ? ".NNNN" : ""));
  }
  if (names.empty()) return "No file was begun.";
  return fmt::format(
      "Its last files have not got their names: what was committed is in {}, of which 'thalweg recover' makes proper "
      "files",
      fmt::join(names, ", "));
}

}  // namespace thalweg::client
