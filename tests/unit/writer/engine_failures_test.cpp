// What fails in threads of the engine.
#include <gtest/gtest.h>

#include "staging/waiter.hpp"
#include "writer/engine.hpp"
#include "writer/sample_collection.hpp"
#include "writer/sample_desk.hpp"

namespace thalweg::writer {
namespace {

using sample::patience_s;
using staging::WaitCause;

TEST(EngineFailures, of_a_thread_that_encodes_name_the_block_and_wake_who_waits) {
  sample::Node node(1);
  catalog::Definition definition = sample::chunked_field(64, 256, {64, 256});
  definition.format = config::format_named("netcdf4");
  definition.variables[0].encoding = {.codec = config::codec_named("zstd"), .level = 1};
  sample::Collection collection(node, definition, {});
  collection.plan().record_blocks[0].encoding.level = 99;  // zstd has none such
  Engine engine(*node.control, node.book, {});
  engine.listen_to(node.queue, 0);
  collection.start();
  collection.open(0);
  engine.start();
  collection.put_all(0, 0);
  staging::Waiter waiter = waiter_of(node.control, 0, [](int, int) { return "history"; });
  try {
    waiter.wait(node.control->wake_ups.progress_word(), {WaitCause::commit}, [] { return false; }, [] { return ""; });
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), THALWEG_ERROR_ARGUMENT);
    EXPECT_STREQ(error.what(),
                 "a chunk of 65536 bytes cannot be encoded: collection 'history', variable 'a', record 0: compression "
                 "level 99 of zstd is not one of 1 to 19");
  }
}

}  // namespace
}  // namespace thalweg::writer
