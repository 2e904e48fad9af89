// The nodes of the indices in which HDF5 finds the chunks of a variable (B-trees of version 1, one for each variable),
// so that a reader meets whole ones while the file grows.
//
// HDF5 divides a full node in its place: the last of its children go to a new node, to which the node above points from
// then on. A reader that has looked at the node above before, and looks at this one after that, finds those children
// nowhere, and takes the fill value for chunks that are there. So the node stays as it is, for such readers, and what
// is left of it gets a place of its own, to which the nodes above and beside it point. Then the one node that is
// changed where it is only gets children.
//
// HDF5 does not know: for it the node is where it was. What it writes and reads there goes to the other place, and the
// pointers in what it writes and reads are translated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "formats/netcdf4/write_overlay.hpp"

namespace thalweg::formats::netcdf4 {

class DividedNodes {
 public:
  struct Node {
    std::int64_t offset = 0;  // as HDF5 knows it
    std::int64_t bytes = 0;
  };

  // Where in the file that is which HDF5 has at this offset.
  std::int64_t place(std::int64_t offset) const;

  // How many bytes move() needs for what HDF5 has divided since writes were last noted.
  std::int64_t bytes_to_move(const WriteOverlay& writes) const;
  // Gives each of them a place, from there on. Returns the nodes that have to be written once more, because they point
  // to those.
  std::vector<Node> move(WriteOverlay& writes, std::int64_t to);
  // Translates the pointers in nodes that HDF5 has written, and remembers how many children they have.
  void note(WriteOverlay& writes);
  // Translates them back, in what HDF5 reads.
  void translate_back(std::span<std::byte> node) const;

 private:
  std::vector<Node> divided(const WriteOverlay& writes) const;

  std::map<std::int64_t, std::int64_t> places_;   // by offsets that HDF5 knows; of nodes that have another one
  std::map<std::int64_t, std::int64_t> offsets_;  // the other way round
  std::map<std::int64_t, int> children_;          // of all nodes, by their places in the file
};

}  // namespace thalweg::formats::netcdf4
