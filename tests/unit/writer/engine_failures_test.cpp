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

catalog::Definition cdf_field() {
  catalog::Definition definition = sample::chunked_field(64, 256, {64, 256});
  definition.format = config::format_named("cdf5");
  return definition;
}

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

TEST(EngineFailures, of_a_file_are_said_of_that_file) {
  sample::Node node(1);
  sample::Collection well(node, cdf_field(), {.name = "well"});
  sample::Collection ill(node, cdf_field(), {.name = "ill"});
  Engine engine(*node.control, node.book, {});
  engine.listen_to(node.queue, 0);
  for (sample::Collection* collection : {&well, &ill}) {
    collection->start();
    collection->open(0);
    collection->place_and_commit(0, 0, 0);
    collection->put_all(0, 0);
    collection->close(0, 1, 1);
  }
  while (engine.step()) {
  }
  ill.open(1);
  std::filesystem::remove(ill.partial_path(1));
  while (engine.step()) {
  }
  EXPECT_TRUE(node.control->failures.has_failed());
  const staging::FileProgress& progress = ill.plan().rings.moments().progress();
  EXPECT_EQ(progress.moments(), 1);
  EXPECT_EQ(progress.files(), 1);
  ASSERT_TRUE(progress.error());
  EXPECT_EQ(progress.error()->file, 1);
  EXPECT_EQ(progress.error()->code, THALWEG_ERROR_STORAGE);
  EXPECT_FALSE(well.plan().rings.moments().progress().error());
}

TEST(EngineFailures, of_a_name_that_cannot_be_given_are_said_of_the_file) {
  sample::Node node(1);
  sample::Collection collection(node, cdf_field(), {});
  Engine engine(*node.control, node.book, {});
  engine.listen_to(node.queue, 0);
  collection.start();
  collection.open(0);
  std::filesystem::create_directories(collection.path(0) + "/full");
  collection.place_and_commit(0, 0, 0);
  collection.put_all(0, 0);
  collection.close(0, 1, 1);
  while (engine.step()) {
  }
  const staging::FileProgress& progress = collection.plan().rings.moments().progress();
  EXPECT_EQ(progress.moments(), 1);
  ASSERT_TRUE(progress.error());
  EXPECT_EQ(progress.error()->file, 0);
}

}  // namespace
}  // namespace thalweg::writer
