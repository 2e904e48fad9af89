#include "read/declared_variable.hpp"

#include <gtest/gtest.h>

#include <memory>

using namespace thalweg;
using namespace thalweg::read;

namespace {

const InputVariable variable{
    .name = "temp", .type = Type::float64, .dimensions = {"y", "x"}, .shape = {6, 9}, .chunk = {1, 1}, .packing = {}};

// The model may declare more decompositions later, and those that there are move in memory.
template <typename Make>
DeclaredVariable declared_by_one_that_is_gone(const Make& make) {
  const auto decomposition = std::make_unique<geometry::Decomposition>(make());
  return {variable, {.dims = "", .decomposition = 0, .memory_dims = "", .periodic = ""}, decomposition.get(), "a.nc"};
}

TEST(DeclaredVariable, knows_its_box_without_the_decomposition) {
  const DeclaredVariable declared = declared_by_one_that_is_gone([] {
    return geometry::Decomposition{.dimensions = {"y", "x"},
                                   .shape = {6, 9},
                                   .boxes = {{{2, 3}, {2, 4}}},
                                   .halo_low = {1, 0},
                                   .halo_high = {0, 2}};
  });
  EXPECT_TRUE(declared.is_held());
  EXPECT_EQ(declared.wanted().needs, (std::vector<Need>{{{{1, 3}, {3, 6}}, {0, 0}}}));
}

TEST(DeclaredVariable, knows_its_list_without_the_decomposition) {
  const DeclaredVariable declared = declared_by_one_that_is_gone([] {
    const auto list = std::make_shared<geometry::IndexList>(
        geometry::IndexList{.count = 5, .runs = {{.local = 3, .global = 1, .length = 2}}});
    return geometry::Decomposition{.dimensions = {"x"},
                                   .shape = {9},
                                   .boxes = {{{0}, {5}}},
                                   .halo_low = {0},
                                   .halo_high = {0},
                                   .list = list,
                                   .listed = list,
                                   .joined_sizes = {9}};
  });
  const Wanted wanted = declared.wanted();
  EXPECT_EQ(wanted.along, 1);
  EXPECT_EQ(wanted.runs, (std::vector<geometry::IndexRun>{{.local = 3, .global = 1, .length = 2}}));
}

}  // namespace
