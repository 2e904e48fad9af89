#include "sets/set_publisher.hpp"

#include <fcntl.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "formats/first_record.hpp"
#include "formats/readable_file.hpp"
#include "sets/file_set.hpp"
#include "storage/partial_name.hpp"
#include "storage/posix.hpp"

namespace thalweg::sets {
namespace {

namespace fs = std::filesystem;

// How many files the set has that a file says it is a part of; 0: it does not say so.
std::int64_t files_said_in(const std::string& path) {
  try {
    return describe_part(formats::open_readable(path)->definition(), path).identity.files;
  } catch (const std::exception& error) {
    log::debug("'{}' is not known as a part of a set: {}", path, error.what());
    return 0;
  }
}

// Its values are those of the parts beside it.
bool shows_parts(const std::string& path) {
  try {
    return formats::first_record_of(path).shows_others;
  } catch (const std::exception& error) {
    log::debug("'{}' is not known as the master of a set: {}", path, error.what());
    return false;
  }
}

bool is_part(const std::string& path, std::int64_t number) {
  return number < files_said_in(path);
}

}  // namespace

bool has_known_parts(const std::string& set) {
  return std::ranges::any_of(storage::numbers_beside(set), [&](std::int64_t number) {
    const std::string path = storage::part_name(set, number);
    return storage::identity_at(path) && is_part(path, number);
  });
}

SetPublisher::SetPublisher(storage::NameRules rules, const std::string& set, std::set<std::int64_t> numbers,
                           bool durable)
    : rules_(std::move(rules)), set_(set), numbers_(std::move(numbers)), durable_(durable) {
  look_at_surplus();
}

std::string SetPublisher::prepare_master() {
  return master_.emplace(rules_, set_).partial_path();
}

void SetPublisher::own_master() {
  const auto made = storage::identity_at(master_->partial_path());
  if (made) made_ = *made;
}

void SetPublisher::look_at_other_whole() {
  const auto there = storage::identity_at(set_);
  if (there && has_known_parts(set_) && shows_parts(set_))
    earlier_master_ = there;
  else if (there)
    log::warning(
        "collection '{}': '{}' is not of this run, which makes a set of files beside it ('{}', …); it stays as it is, "
        "and who reads '{}' reads that: move it away",
        rules_.collection, set_, storage::part_name(set_, *numbers_.begin()), set_);
}

void SetPublisher::publish() const {
  if (master_) {
    if (durable_) storage::sync_file(master_->partial_path());
    master_->publish(made_, durable_);
  }
  if (earlier_master_) remove(set_, *earlier_master_, "it showed the parts of an earlier set, which this one replaces");
  remove_surplus();
}

void SetPublisher::discard() const {
  if (master_) master_->discard();
}

// They keep their names until this set has its own.
void SetPublisher::look_at_surplus() {
  for (const std::int64_t number : storage::numbers_beside(set_)) {
    if (numbers_.contains(number)) continue;
    const std::string path = storage::part_name(set_, number);
    const bool is_unfinished = storage::identity_at(path + storage::partial_ending).has_value();
    if (is_unfinished || rules_.append == config::Append::fail) storage::OutputName(rules_, path);
    const auto there = storage::identity_at(path);
    if (!there) continue;
    if (is_part(path, number)) {
      if (rules_.check_complete) rules_.check_complete(path);
      surplus_.emplace(path, *there);
    } else {
      log::warning(
          "collection '{}': '{}' is called like a part of this set, but does not say that it was one of an "
          "earlier one; it is left alone",
          rules_.collection, path);
    }
  }
}

// Readers would take them for parts of this set.
void SetPublisher::remove_surplus() const {
  for (const auto& [path, seen] : surplus_) remove(path, seen, "the new one has no file of this number");
}

void SetPublisher::remove(const std::string& path, const block::FileIdentity& seen, const char* why) const {
  try {
    const storage::NameLock lock(path);
    storage::require_same(seen, path);
    storage::remove_checksums(path);
    std::filesystem::remove_all(path);
    log::warning("collection '{}': removed '{}' of an earlier set, because {}", rules_.collection, path, why);
  } catch (const std::exception& error) {
    log::warning("collection '{}': cannot remove '{}' of an earlier set: {}", rules_.collection, path, error.what());
  }
}

}  // namespace thalweg::sets
