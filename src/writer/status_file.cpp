#include "writer/status_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <span>
#include <string_view>

#include "base/clock.hpp"
#include "base/date_clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "storage/file_identity.hpp"
#include "storage/posix.hpp"

namespace thalweg::writer {
namespace {

const char* word_of(staging::WaitCause cause) {
  switch (cause) {
    case staging::WaitCause::block: return "a free block";
    case staging::WaitCause::send: return "messages to leave";
    case staging::WaitCause::commit: return "commits";
    case staging::WaitCause::peers:
    case staging::WaitCause::orders:
    case staging::WaitCause::nothing: break;
  }
  return "other ranks";
}

template <typename Look>
void for_clients(const staging::ProcessStates& processes, const Look& look) {
  for (int c = 0; c < processes.client_count(); ++c)
    if (const staging::ClientState& of = processes.client(c); of.rank >= 0 && !of.is_server) look(of);
}

void find_extremes(const staging::ProcessStates& processes, profile::ModelStatus& model) {
  for_clients(processes, [&](const staging::ClientState& of) {
    const profile::RankStep here{of.rank, of.steps.made()};
    if (!model.slowest || here.steps < model.slowest->steps) model.slowest = here;
    if (!model.fastest || here.steps > model.fastest->steps) model.fastest = here;
  });
  if (!model.slowest || model.slowest->steps != model.fastest->steps) return;
  model.slowest.reset();
  model.fastest.reset();
}

// since: by now_s().
std::optional<profile::RankWait> longest_wait(const staging::ProcessStates& processes) {
  std::optional<profile::RankWait> longest;
  for_clients(processes, [&](const staging::ClientState& of) {
    const staging::WaitCause cause = of.cause;
    const double since_s = of.since_s;
    if (cause == staging::WaitCause::nothing || (longest && longest->since <= since_s)) return;
    longest = {of.rank, word_of(cause), since_s};
  });
  return longest;
}

// epoch_s: what now_s() is of 1970.
profile::ModelStatus model_status(const profile::ModelProgress& model, double epoch_s) {
  profile::ModelStatus status{.steps = model.steps.load(std::memory_order_acquire), .start_s = model.start_s};
  if (const double end_s = model.end_s; !std::isnan(end_s)) status.end_s = end_s;
  if (status.steps == 0) return status;
  const auto moment = [&](const profile::ModelProgress::Made& made) {
    return profile::ModelMoment{made.at_s - epoch_s, made.time_s};
  };
  status.first = moment(model.first);
  status.last = moment(model.last);
  return status;
}

// Nothing but an earlier status gives way.
void require_status(const std::string& path) {
  if (!storage::is_there(path)) return;
  const storage::Descriptor file = storage::open_file(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const std::string_view wanted = profile::status_beginning;
  std::array<char, 32> begun{};
  const std::int64_t bytes =
      storage::read_all(file, path, 0, std::as_writable_bytes(std::span(begun).first(wanted.size())));
  if (std::string_view(begun.data(), static_cast<std::size_t>(bytes)) != wanted)
    fail(THALWEG_ERROR_STORAGE, "'{}' is no status, so it is not replaced; name another folder", path);
}

}  // namespace

// Dates of what is past stay the same by one difference of the two clocks, and are no news.
StatusFile::StatusFile(StatusOptions options, const staging::ProcessStates& processes,
                       const staging::FailureBoard& failures)
    : options_(std::move(options)),
      processes_(processes),
      failures_(failures),
      epoch_s_(now_s() - seconds_since_1970()) {}

profile::WriterStatus StatusFile::status(profile::SessionState state,
                                         std::vector<profile::CollectionStatus> collections) {
  profile::WriterStatus status{.state = state};
  if (failures_.has_writer_failed()) {
    const int group = processes_.own().group;
    const bool is_of_group = !failures_.has_failed() && group >= 0;
    status.error = (is_of_group ? failures_.group_failure(group) : failures_.failure()).what();
    status.state = profile::SessionState::failed;
  }
  std::int64_t bytes = 0;
  for (const profile::CollectionStatus& of : collections) bytes += of.file_bytes;
  status.bytes_per_s = std::round(rate_.since_last(bytes, now_s()));
  has_told_failure_ = status.state == profile::SessionState::failed;
  status.model = model_status(*options_.model, epoch_s_);
  find_extremes(processes_, status.model);
  status.wait = longest_wait(processes_);
  if (status.wait) status.wait->since -= epoch_s_;
  status.collections = std::move(collections);
  return status;
}

bool StatusFile::is_due(double now_s) const {
  if (now_s >= next_s_) return true;
  return !has_told_failure_ && !std::isinf(next_s_) && failures_.has_failed();
}

void StatusFile::tell(profile::SessionState state, std::vector<profile::CollectionStatus> collections) {
  if (std::isinf(next_s_)) return;
  const double now = now_s();
  next_s_ = now + options_.origin.interval_s;
  std::string body = profile::body_of(options_.origin, status(state, std::move(collections)));
  if (body == body_ && now < written_s_ + options_.origin.longest_s) return;
  try {
    if (body_.empty()) {
      std::filesystem::create_directories(std::filesystem::path(options_.path).parent_path());
      require_status(options_.path);
    }
    replace(profile::status_text(body, seconds_since_1970()));
    body_ = std::move(body);
    written_s_ = now;
  } catch (const std::exception& error) {
    log::warning("rank {}: 'status' is not written any more: {}", options_.origin.rank, error.what());
    next_s_ = std::numeric_limits<double>::infinity();
  }
}

// The temporary name is always the same: what a killed process leaves under it is replaced by the next one.
void StatusFile::replace(const std::string& text) {
  const std::string growing = options_.path + ".new";
  try {
    storage::Descriptor file = storage::open_file(growing, O_CREAT | O_TRUNC | O_NOFOLLOW | O_WRONLY);
    storage::write_all(file, growing, 0, std::as_bytes(std::span(text)));
    file.close(growing);
    if (std::rename(growing.c_str(), options_.path.c_str()) != 0)
      storage::fail_storage("rename '" + growing + "' to '" + options_.path + "'", errno);
  } catch (const Error&) {
    ::unlink(growing.c_str());
    throw;
  }
}

}  // namespace thalweg::writer
