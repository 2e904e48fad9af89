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
  if (watch_of_thread != nullptr) watch_of_thread->begins_();
}

}  // namespace thalweg::storage
