// What the configuration names and a row of a registry describes.
#pragma once

namespace thalweg::config {

// Stands for a row by its description, or for none.
template <typename Description>
class Row {
 public:
  constexpr Row() = default;
  constexpr Row(const Description& of) : of_(&of) {}

  constexpr explicit operator bool() const { return of_ != nullptr; }
  constexpr const Description* operator->() const { return of_; }
  constexpr const Description& operator*() const { return *of_; }
  friend constexpr bool operator==(Row, Row) = default;

 private:
  const Description* of_ = nullptr;
};

}  // namespace thalweg::config
