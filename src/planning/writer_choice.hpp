// Which ranks write a collection, and which of them each of its blocks. Every rank finds the same by itself.
#pragma once

#include "planning/draft.hpp"
#include "planning/writer_loads.hpp"

namespace thalweg::planning {

// The writers of each node, the pattern and the owner node, from what writers have been given before. Adds this
// collection to loads. Errors: CONFIG, to be told to all ranks by the caller.
void choose_writers(Draft& draft, const WriterLoads& loads);
void choose_writing(Draft& draft, WriterLoads& loads);

// Of one file or a shared one: the writer of each block, where a node has several. After the plans.
void divide_blocks(Draft& draft);
// Of a set: the writer of each file.
void divide_set(Draft& draft);

}  // namespace thalweg::planning
