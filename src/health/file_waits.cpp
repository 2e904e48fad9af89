#include "health/file_waits.hpp"
#include "base/told.hpp"

#include <optional>

namespace thalweg::health {
namespace {

staging::WaitFor commit_of(const NodeFiles& of, std::int64_t moments) {
  return {staging::WaitCause::commit, of.identity.number, -1, moments - 1};
}

}  // namespace

void FileWaits::until_written(const NodeFiles& of, std::int64_t moments) {
  waits_.until([&] { return of.blocks.written_moments() >= moments; }, commit_of(of, moments), "");
}

void FileWaits::until_finished(const NodeFiles& of, std::int64_t files, std::int64_t moments) {
  waits_.until([&] { return of.blocks.has_finished(files); }, commit_of(of, moments),
               "Its last file is not published.\n");
}

void FileWaits::until_written_alone(const NodeFiles& of, std::int64_t moments) {
  std::optional<staging::FileError> error;
  const auto is_over = [&] {
    if (of.blocks.written_moments() >= moments) return true;
    if (board_.has_failed()) error = of.blocks.error();  // else it has failed with its group, which ends the wait
    return error.has_value();
  };
  waits_.until(is_over, commit_of(of, moments), "");
  if (error) throw_error(of, *error);
}

// The word of a file has room for a code alone; texts are on the board, which has that of the first failure.
void FileWaits::throw_error(const NodeFiles& of, const staging::FileError& error) const {
  fail(error.code,
       "collection '{}': number {} of its files, counted from {}, has met an error, and nothing more is written to it. "
       "The first failure was: {}",
       of.identity.name, told::number(error.file), told::first(), board_.failure().what());
}

}  // namespace thalweg::health
