// Some of the session's ranks, with a communicator of their own.
#pragma once

#include <mpi.h>

#include <utility>

#include "roles/circle.hpp"

namespace thalweg::transport {

class Group {
 public:
  // Collective over `of`; ranks that are no member get a group without communicator.
  Group(const roles::Circle& of, bool is_member);
  Group(Group&& other) noexcept : circle_(std::exchange(other.circle_, roles::Circle())) {}
  Group& operator=(Group&&) = delete;
  ~Group();

  const roles::Circle& circle() const { return circle_; }
  int size() const;

 private:
  roles::Circle circle_;
};

}  // namespace thalweg::transport
