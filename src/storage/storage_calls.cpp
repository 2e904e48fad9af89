#include "storage/storage_calls.hpp"

#include <utility>

namespace thalweg::storage {
namespace {

thread_local StorageCallWatch* watch_of_thread = nullptr;

}  // namespace

StorageCallWatch::StorageCallWatch(std::function<void()> begins)
    : begins_(std::move(begins)), outer_(std::exchange(watch_of_thread, this)) {}

StorageCallWatch::~StorageCallWatch() {
  watch_of_thread = outer_;
}

void storage_call_begins() {
  for (const StorageCallWatch* watch = watch_of_thread; watch != nullptr; watch = watch->outer_) watch->begins_();
}

}  // namespace thalweg::storage
