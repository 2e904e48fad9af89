// The files of all collections that this rank writes.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "block/command_book.hpp"
#include "client/file_desk.hpp"
#include "client/group_failures.hpp"
#include "health/failures.hpp"
#include "health/heartbeat.hpp"
#include "profile/server_times.hpp"
#include "storage/storage_calls.hpp"

namespace thalweg::client {

class FileDesks {
 public:
  // Of a session; all of it outlives this.
  struct Of {
    const roles::Roles& roles;
    staging::Control& control;
    block::CommandBook& book;
    const std::vector<Collection*>& ready;
    GroupFailures& groups;
    health::Failures& failures;
    health::Heartbeat& heartbeat;
    profile::Phases& phases;
    std::deque<double>& forward_s;  // by the number of a collection
  };
  explicit FileDesks(const Of& of) : of_(of) {}

  // Of the next collection; null if this rank writes nothing of it.
  void add(std::unique_ptr<FileDesk> desk) { desks_.push_back(std::move(desk)); }
  // Null on ranks that do not write the collection, and where they have no part in it.
  FileDesk* of(const Collection& collection) const {
    return of_.roles.self.writes ? desks_[static_cast<std::size_t>(collection.number)].get() : nullptr;
  }

  // Work on the files of a collection, if this rank writes it. What goes wrong with them concerns all who wait for
  // them.
  template <typename Work>
  void at(const Collection& collection, const Work& work) {
    FileDesk* desk = of(collection);
    if (desk == nullptr || of_.groups.is_given_up(collection)) return;
    const profile::Phases::Phase phase(of_.phases, of_.forward_s[static_cast<std::size_t>(collection.number)]);
    const storage::StorageCallWatch watch([this] { of_.heartbeat.note_storage_call(); });
    try {
      work(*desk);
    } catch (const Error& error) {
      if (of_.groups.give_up(collection, error)) return;
      of_.control.report_failure(error.code(), error.what());
      of_.failures.spread();
      throw;
    }
  }

  // In every call: places what is overdue, and hears what the writer of this rank has done.
  void go_on();
  // A message about files waits until no collective step is under way; whether one had waited.
  void keep(transport::Notice notice) { kept_.push_back(std::move(notice)); }
  bool hear_kept();
  // Until something of them is overdue, at most this long.
  double sleep_s(double longest_s) const;
  void clear() { desks_.clear(); }

 private:
  void hear(const transport::Notice& notice);
  void hear_events();

  Of of_;
  std::deque<transport::Notice> kept_;
  std::vector<std::unique_ptr<FileDesk>> desks_;  // by number, on ranks that write
};

}  // namespace thalweg::client
