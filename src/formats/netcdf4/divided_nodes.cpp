#include "formats/netcdf4/divided_nodes.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/little_endian.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

// "Version 1 B-trees" of the HDF5 file format specification, with addresses of 8 bytes.
constexpr std::int64_t most_children = 64;  // HDF5's default, which netCDF-C leaves as it is
constexpr std::size_t type_at = 4, level_at = 5, children_at = 6, left_at = 8, right_at = 16, keys_at = 24;
constexpr std::size_t pointer_bytes = 8;
constexpr std::byte type_of_chunks{1};
constexpr std::int64_t none = -1;  // an undefined address

// A node by its bytes: pointers to the nodes on either side, then keys and pointers to children in turn.
class NodeBytes {
 public:
  // Nothing: it is something else.
  static std::optional<NodeBytes> in(std::span<const std::byte> bytes) {
    constexpr std::size_t least = keys_at + most_children * pointer_bytes;
    if (bytes.size() <= least || std::memcmp(bytes.data(), "TREE", 4) != 0 || bytes[type_at] != type_of_chunks ||
        (bytes.size() - least) % (most_children + 1) != 0)
      return std::nullopt;
    NodeBytes node(bytes, (bytes.size() - least) / (most_children + 1));
    return node.children() <= most_children ? std::optional(node) : std::nullopt;
  }

  int children() const { return static_cast<int>(little_endian(bytes_.subspan(children_at, 2))); }
  bool has_nodes_below() const { return bytes_[level_at] != std::byte{0}; }
  std::int64_t pointer(std::size_t place) const {
    return static_cast<std::int64_t>(little_endian(bytes_.subspan(place, pointer_bytes)));
  }
  // The places of its pointers to other nodes.
  std::vector<std::size_t> pointers() const {
    std::vector<std::size_t> places{left_at, right_at};
    for (int child = 0; has_nodes_below() && child < children(); ++child) places.push_back(place_of(child));
    return places;
  }
  bool has_child(std::int64_t offset) const {
    for (int child = 0; has_nodes_below() && child < children(); ++child)
      if (pointer(place_of(child)) == offset) return true;
    return false;
  }

 private:
  NodeBytes(std::span<const std::byte> bytes, std::size_t key_bytes) : bytes_(bytes), key_bytes_(key_bytes) {}
  std::size_t place_of(int child) const {
    return keys_at + key_bytes_ + static_cast<std::size_t>(child) * (key_bytes_ + pointer_bytes);
  }

  std::span<const std::byte> bytes_;
  std::size_t key_bytes_;
};

void translate(std::span<std::byte> bytes, const std::map<std::int64_t, std::int64_t>& translations) {
  const std::optional<NodeBytes> node = NodeBytes::in(bytes);
  if (!node || translations.empty()) return;
  for (const std::size_t place : node->pointers())
    if (const auto found = translations.find(node->pointer(place)); found != translations.end())
      put_little_endian(bytes.data() + place, static_cast<std::uint64_t>(found->second), pointer_bytes);
}

}  // namespace

std::int64_t DividedNodes::place(std::int64_t offset) const {
  const auto found = places_.find(offset);
  return found == places_.end() ? offset : found->second;
}

// Those that have lost children and to which a node among the writes points. Of the root, which keeps its place, the
// children go to two new nodes.
std::vector<DividedNodes::Node> DividedNodes::divided(const WriteOverlay& writes) const {
  std::vector<Node> smaller;
  std::vector<NodeBytes> above;
  writes.each([&](std::int64_t place, std::span<const std::byte> bytes) {
    const std::optional<NodeBytes> node = NodeBytes::in(bytes);
    if (!node) return;
    const auto before = children_.find(place);
    const auto own = offsets_.find(place);
    if (before != children_.end() && node->children() < before->second)
      smaller.push_back({own == offsets_.end() ? place : own->second, std::ssize(bytes)});
    if (node->has_nodes_below()) above.push_back(*node);
  });
  std::erase_if(smaller, [&](const Node& of) {
    return std::ranges::none_of(above, [&](const NodeBytes& node) { return node.has_child(of.offset); });
  });
  return smaller;
}

std::int64_t DividedNodes::bytes_to_move(const WriteOverlay& writes) const {
  std::int64_t bytes = 0;
  for (const Node& of : divided(writes)) bytes += of.bytes;
  return bytes;
}

// The node on the right of a divided one is new.
std::vector<DividedNodes::Node> DividedNodes::move(WriteOverlay& writes, std::int64_t to) {
  std::vector<Node> beside;
  for (const Node& of : divided(writes)) {
    const std::vector<std::byte> bytes = writes.take(place(of.offset));
    writes.write(to, bytes);
    places_[of.offset] = to;
    offsets_[to] = of.offset;
    to += of.bytes;
    if (const std::int64_t left = NodeBytes::in(bytes)->pointer(left_at); left != none)
      beside.push_back({left, of.bytes});
  }
  std::erase_if(beside, [&](const Node& of) { return writes.has(place(of.offset)); });
  return beside;
}

void DividedNodes::note(WriteOverlay& writes) {
  writes.each([this](std::int64_t place, std::span<std::byte> bytes) {
    translate(bytes, places_);
    if (const std::optional<NodeBytes> node = NodeBytes::in(bytes)) children_[place] = node->children();
  });
}

void DividedNodes::translate_back(std::span<std::byte> node) const {
  translate(node, offsets_);
}

}  // namespace thalweg::formats::netcdf4
