// What the collections of a node share, in tests.
#pragma once

#include "block/command_book.hpp"
#include "formats/sample_file.hpp"
#include "staging/node.hpp"
#include "staging/ready_queue.hpp"

namespace thalweg::writer::sample {

using formats::sample::Folder;
using staging::SharedMemory;
using staging::testing::NodeControl;

struct Node {
  static constexpr std::int64_t most_blocks = 4096;
  explicit Node(int clients)
      : control(clients),
        queue_memory(SharedMemory::create(staging::ReadyQueue::bytes_for(most_blocks))),
        queue(queue_memory.data(), most_blocks) {}
  NodeControl control;
  block::CommandBook book;
  SharedMemory queue_memory;
  staging::ReadyQueue queue;
  Folder folder;
  staging::BlockId next_block{0};
  int collections = 0;
};

}  // namespace thalweg::writer::sample
