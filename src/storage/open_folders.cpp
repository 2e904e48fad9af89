#include "storage/open_folders.hpp"

#include <sys/resource.h>

#include <atomic>
#include <utility>

namespace thalweg::storage {
namespace {

constexpr std::size_t most_of_a_store = 64;

std::atomic<std::size_t> open_in_all{0};

std::size_t most_in_all() {
  rlimit limit{};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur / 4 : most_of_a_store;
}

}  // namespace

const Descriptor* OpenFolders::find(const std::string& key) const {
  const auto known = open_.find(key);
  return known == open_.end() ? nullptr : &known->second;
}

const Descriptor& OpenFolders::add(const std::string& key, Descriptor folder) {
  if (open_.size() >= most_of_a_store || open_in_all.load(std::memory_order_relaxed) >= most_in_all()) close_all();
  open_in_all.fetch_add(1, std::memory_order_relaxed);
  return open_.emplace(key, std::move(folder)).first->second;
}

bool OpenFolders::close_all_but(const Descriptor* kept) {
  const std::size_t closed = std::erase_if(open_, [&](const auto& entry) { return &entry.second != kept; });
  open_in_all.fetch_sub(closed, std::memory_order_relaxed);
  return closed > 0;
}

}  // namespace thalweg::storage
