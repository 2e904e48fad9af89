// Calls to the storage as they begin: who waits for a file is to see that its writer gets on, also where many calls
// make up one commit, or one new store.
#pragma once

#include <functional>

namespace thalweg::storage {

// While this lives, begins() is called at each call to the storage that this thread makes, and so for those around it.
class StorageCallWatch {
 public:
  explicit StorageCallWatch(std::function<void()> begins);
  ~StorageCallWatch();
  StorageCallWatch(const StorageCallWatch&) = delete;
  StorageCallWatch& operator=(const StorageCallWatch&) = delete;

 private:
  friend void storage_call_begins();
  std::function<void()> begins_;
  StorageCallWatch* outer_;
};

// Before a call that a slow storage makes long.
void storage_call_begins();

}  // namespace thalweg::storage
