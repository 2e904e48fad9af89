// Collective steps with a deadline. After an error one of them may still be under way: then its communicator is left
// (roles/left_communicators.hpp), and its memory with it.
#pragma once

#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "roles/circle.hpp"
#include "roles/counts.hpp"
#include "roles/left_communicators.hpp"

namespace thalweg::roles {

// work->is_done() is asked until it says so. Work holds all that the MPI library may look at.
template <typename Work>
void meet(const Circle& circle, std::unique_ptr<Work>& work) {
  try {
    circle.wait_until([&] { return work->is_done(); });
  } catch (...) {
    circle.patience()->is_broken = true;
    leave(circle);
    leave_memory(std::shared_ptr<Work>(std::move(work)));
    throw;
  }
}

void barrier(const Circle& circle);

// In place; bytes: of all values.
void reduce_bytes(const Circle& circle, std::byte* values, std::size_t bytes, int count, MPI_Datatype type, MPI_Op op);
template <typename T>
void reduce(const Circle& circle, std::span<T> values, MPI_Datatype type, MPI_Op op) {
  const auto bytes = std::as_writable_bytes(values);
  reduce_bytes(circle, bytes.data(), bytes.size(), count_of(std::ssize(values), "numbers"), type, op);
}
template <typename T>
T reduced(const Circle& circle, T value, MPI_Datatype type, MPI_Op op) {
  reduce(circle, std::span<T>(&value, 1), type, op);
  return value;
}

// What this rank and those below it have, added up.
std::int64_t sum_up_to(const Circle& circle, std::int64_t value);

// In parts of most_bytes.
void broadcast_bytes(const Circle& circle, int root, std::span<std::byte> bytes, std::size_t most_bytes = part_bytes);
template <typename T>
void broadcast_value(const Circle& circle, int root, T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  broadcast_bytes(circle, root, std::as_writable_bytes(std::span<T>(&value, 1)));
}

// What each rank has, on all of them, or on rank 0.
std::vector<int> gather_to_all(const Circle& circle, int value);
std::vector<std::int64_t> gather_at_first(const Circle& circle, std::int64_t value);
// Texts of these lengths, which rank 0 knows; one behind the other.
std::string gather_at_first(const Circle& circle, const std::string& text, const std::vector<std::int64_t>& lengths);

// The MPI library makes communicators in calls that block. They are called when all ranks say that they are there.
MPI_Comm split(const Circle& circle, int color, int key);
MPI_Comm split_by_memory(const Circle& circle, int key);
MPI_Comm duplicate(const Circle& circle);

}  // namespace thalweg::roles
