#include "staging/failure_board.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <mutex>

namespace thalweg::staging {

namespace {

std::int64_t bytes_of_reporters(int groups) {
  const std::int64_t bytes = (1 + groups) * static_cast<std::int64_t>(sizeof(std::atomic<std::int32_t>));
  return (bytes + 7) / 8 * 8;
}

}  // namespace

// Memory of findings is zero as it comes, and taken from the machine when something is found.
std::int64_t FailureBoard::bytes_for(int clients, int groups) {
  return bytes_of_reporters(groups) +
         static_cast<std::int64_t>(clients) * (1 + groups) * static_cast<std::int64_t>(sizeof(Finding));
}

FailureBoard::FailureBoard(int groups, std::byte* memory, const ProcessStates& processes, WakeUps& wake_ups)
    : group_count_(groups),
      reporters_(reinterpret_cast<std::atomic<std::int32_t>*>(memory)),
      findings_(reinterpret_cast<Finding*>(memory + bytes_of_reporters(groups))),
      processes_(processes),
      wake_ups_(wake_ups) {}

void FailureBoard::report_of(int subject, thalweg_status code, const std::string& text) {
  if (put_up(subject, code, text)) wake_ups_.wake_all();
}

// Threads of a process share its memory.
bool FailureBoard::put_up(int subject, thalweg_status code, const std::string& text) {
  static std::mutex of_process;
  const std::lock_guard held(of_process);
  std::int32_t nobody = reporter(subject);
  if (nobody != 0) return false;
  const int number = processes_.own_number();
  Finding& own = finding(number, subject);
  const std::size_t length = std::min(text.size(), Finding::text_bytes - 1);
  std::memcpy(own.text, text.data(), length);
  own.text[length] = '\0';
  own.code = static_cast<std::uint32_t>(code);
  own.pid = getpid();
  return reporters_[subject].compare_exchange_strong(nobody, number + 1, std::memory_order_acq_rel);
}

bool FailureBoard::was_reported_here(int subject) const {
  const std::int32_t by = reporter(subject);
  return by != 0 && finding(by - 1, subject).pid == getpid();
}

Error FailureBoard::failure_of(int subject) const {
  const std::int32_t by = reporter(subject);
  if (by == 0) return {THALWEG_OK, ""};
  const Finding& found = finding(by - 1, subject);
  return {static_cast<thalweg_status>(found.code), found.text};
}

void FailureBoard::throw_failure() const {
  if (has_failed()) throw failure_of(session);
}

void FailureBoard::report_writer(const Error& error) {
  const int group = processes_.own().group;
  report_of(group >= 0 ? subject_of(group) : session, error.code(), error.what());
}

bool FailureBoard::has_writer_failed() const {
  const int group = processes_.own().group;
  return has_failed() || (group >= 0 && has_group_failed(group));
}

}  // namespace thalweg::staging
