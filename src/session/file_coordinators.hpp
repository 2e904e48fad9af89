// The files of all collections that this rank writes.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

#include "block/command_book.hpp"
#include "files/file_coordinator.hpp"
#include "health/failures.hpp"
#include "health/group_failures.hpp"
#include "health/heartbeat.hpp"
#include "profile/server_times.hpp"
#include "session/collection.hpp"
#include "storage/storage_calls.hpp"

namespace thalweg::session {

class FileCoordinators {
 public:
  // Of a session; all of it outlives this.
  struct Of {
    const roles::Roles& roles;
    staging::WakeUps& wake_ups;
    staging::FailureBoard& board;
    block::CommandBook& book;
    const std::vector<Collection*>& ready;
    health::GroupFailures& groups;
    health::Failures& failures;
    health::Heartbeat& heartbeat;
    profile::Phases& phases;
    std::deque<Seconds>& forward_s;  // by the number of a collection
  };
  explicit FileCoordinators(const Of& of) : of_(of) {}

  // Of the next collection; null if this rank writes nothing of it.
  void add(std::unique_ptr<files::FileCoordinator> files) { coordinators_.push_back(std::move(files)); }
  // Null on ranks that do not write the collection, and where they have no part in it.
  files::FileCoordinator* of(const Collection& collection) const {
    return of_.roles.self.writes ? coordinators_[static_cast<std::size_t>(collection.number)].get() : nullptr;
  }

  // Work on the files of a collection, if this rank writes it. What goes wrong with them concerns all who wait for
  // them.
  template <typename Work>
  void at(const Collection& collection, const Work& work) {
    files::FileCoordinator* files = of(collection);
    if (files == nullptr || of_.groups.is_given_up(collection.number)) return;
    const bool has_record = subject_of_thread.collection == collection.word;
    const profile::Phases::Phase phase(of_.phases, of_.forward_s[static_cast<std::size_t>(collection.number)],
                                       has_record ? subject_of_thread : Subject{collection.word});
    const storage::StorageCallWatch watch([this] { of_.heartbeat.note_storage_call(); });
    try {
      work(*files);
    } catch (const Error& error) {
      const bool is_given_up = of_.groups.give_up(collection.number, error);
      if (!is_given_up) of_.board.report(error.code(), error.what());
      const std::int64_t file = std::max(std::int64_t{0}, files->files() - 1);
      collection.blocks.own->rings.moments().progress().note_error(file, error.code());
      if (is_given_up) return;
      of_.failures.spread();
      throw;
    }
  }

  // In every call: places what is overdue, and hears what the writer of this rank has done.
  void go_on();
  void hear(const files::messages::Message& message) { pass_on(message); }
  // Until something of them is overdue, at most this long.
  double sleep_s(double longest_s) const;
  void clear() { coordinators_.clear(); }

 private:
  void hear_results();
  // What concerns the files of one collection.
  template <typename Message>
  void pass_on(const Message& message) {
    const auto number = std::visit([](const auto& of) { return static_cast<std::size_t>(of.collection); }, message);
    at(*of_.ready[number], [&](files::FileCoordinator& files) { files.hear(message); });
  }

  Of of_;
  std::vector<std::unique_ptr<files::FileCoordinator>> coordinators_;  // by number, on ranks that write
};

}  // namespace thalweg::session
