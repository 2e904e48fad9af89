#include "read/coverage.hpp"

#include "read/placing.hpp"

namespace thalweg::read {

// The get itself, of a variable of ones in a single window.
std::vector<std::byte> coverage_of(const InputVariable& variable, const DeclaredVariable& held, int box,
                                   const Index& extent, const std::string& where) {
  std::vector<std::byte> covered(static_cast<std::size_t>(extent.product()), std::byte{0});
  const put::Field field{covered.data(), Type::int8, extent, contiguous_strides(extent, 1)};
  const Target target = held.target(field, where, box);
  const Window all{0, whole(variable.shape), whole(held.joined().joined(variable.shape))};
  if (const auto share = share_of(held.wanted(box), 0, all, Side::getter)) {
    const std::vector<std::byte> ones(static_cast<std::size_t>(share->cells), std::byte{1});
    place_message(*share, ones, target);
    held.place_copies(target);
  }
  return covered;
}

}  // namespace thalweg::read
