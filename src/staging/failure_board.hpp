// Where the processes of a node find what has failed: the session, or a group of servers that the others outlive. Of
// each the first failure counts. A view on shared memory; every process of the node holds one.
//
// Who finds one writes it into memory of his own before he says that he has: whoever dies meanwhile has reported
// nothing, and keeps nobody from it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.hpp"
#include "staging/process_states.hpp"
#include "staging/wake_ups.hpp"

namespace thalweg::staging {

// What a process has found, of the whole session or of a group.
struct Finding {
  static constexpr std::size_t text_bytes = 4080;
  std::int32_t pid = 0;
  std::uint32_t code = 0;
  char text[text_bytes] = {};
};

class FailureBoard {
 public:
  static std::int64_t bytes_for(int clients, int groups);
  // memory: bytes_for(clients, groups), zeroed and aligned to 8 bytes. processes: of the same node, and wake_ups: those
  // who sleep are to learn of a failure; both outlive this.
  FailureBoard(int groups, std::byte* memory, const ProcessStates& processes, WakeUps& wake_ups);

  // ---- of the session
  void report(thalweg_status code, const std::string& text) { report_of(session, code, text); }
  bool has_failed() const { return reporter(session) != 0; }
  Error failure() const { return failure_of(session); }                  // THALWEG_OK: there is none
  void throw_failure() const;                                            // throws the reported one, if there is one
  bool was_reported_here() const { return was_reported_here(session); }  // by this process

  // ---- of a group of servers, which ends with its collections only
  void report_group(int group, thalweg_status code, const std::string& text) {
    report_of(subject_of(group), code, text);
  }
  bool has_group_failed(int group) const { return group < group_count_ && reporter(subject_of(group)) != 0; }
  bool was_group_reported_here(int group) const { return was_reported_here(subject_of(group)); }
  Error group_failure(int group) const { return failure_of(subject_of(group)); }  // THALWEG_OK: there is none

  // ---- of the writer of this process: its group's, or the session's
  void report_writer(const Error& error);
  bool has_writer_failed() const;

 private:
  // What fails: the session, or a group.
  static constexpr int session = 0;
  static int subject_of(int group) { return 1 + group; }
  // 0: nobody has reported it; else the client's number and 1.
  std::int32_t reporter(int subject) const { return reporters_[subject].load(std::memory_order_acquire); }
  Finding& finding(int client, int subject) const { return findings_[client * (1 + group_count_) + subject]; }
  void report_of(int subject, thalweg_status code, const std::string& text);
  bool put_up(int subject, thalweg_status code, const std::string& text);
  bool was_reported_here(int subject) const;
  Error failure_of(int subject) const;

  int group_count_;
  std::atomic<std::int32_t>* reporters_;  // of each subject
  Finding* findings_;                     // of each client and subject
  const ProcessStates& processes_;
  WakeUps& wake_ups_;
};

}  // namespace thalweg::staging
