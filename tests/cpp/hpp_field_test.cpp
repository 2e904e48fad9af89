// What the C side receives when the C++ interface defines and puts fields, as in hpp_input_test.cpp.
#include <gtest/gtest.h>

#include <vector>

#include "fake_core.hpp"
#include "thalweg.hpp"

namespace {

TEST(HppField, is_defined_and_put) {
  thw::Session io(MPI_COMM_SELF);
  const thw::Decomposition cells = io.decompose("y,x", {4, 3}, {0, 0}, {4, 3});
  taken();
  io.define_field_dimension("z", 5);
  thw::Field temp = io.define_field("ocean/temp", "z,y,x", thw::Type::float32, cells, "y,x,z");
  const thw::Field axis = io.define_field("x", "x", thw::Type::float64, {}, "", thw::InTime::is_static);
  EXPECT_EQ(taken(),
            "define_field_dimension name='z' size=5\n"
            "define_field name='ocean/temp' dims='z,y,x' type=9 decomposed memory='y,x,z' static=0\n"
            "define_field name='x' dims='x' type=10 memory=null static=1");
  temp.define_attribute("units", "degC");
  temp.define_attribute("missing_value", 7);
  temp.define_attribute("valid_range", std::vector<int>{1, 2});
  EXPECT_EQ(taken(),
            "define_field_text name='units' text='degC'\n"
            "define_field_attribute name='missing_value' type=3 rank=1 extent=1 stride=null data: 7\n"
            "define_field_attribute name='valid_range' type=3 rank=1 extent=2 stride=null data: 1 2");
  temp.put(std::vector<int>{1, 2, 3, 4}, {2, 2});
  temp.put_box(1, 5);
  io.step(60);
  EXPECT_EQ(taken(),
            "put_field box=0 type=3 rank=2 extent=2,2 stride=null data: 1 2 3 4\n"
            "put_field box=1 type=3 rank=0 extent= stride=null data: 5\n"
            "step end=60");
  io.checkpoint();
  EXPECT_EQ(taken(), "checkpoint");
  temp.put_weighted(0.5, std::vector<int>{1, 2});
  temp.put_masked(std::vector<std::int8_t>{1, 0}, std::vector<int>{1, 2});
  EXPECT_EQ(taken(),
            "put_field_on box=0 weight=0.5 type=3 rank=1 extent=2 stride=null data: 1 2\n"
            "put_field_on box=0 type=3 rank=1 extent=2 stride=null data: 1 2 mask type=1 rank=1 extent=2 stride=null "
            "data: 1 0");
  temp.put_part({2}, std::vector<int>{1, 2});
  EXPECT_EQ(taken(), "put_field_on box=0 start=2 type=3 rank=1 extent=2 stride=null data: 1 2");
  EXPECT_TRUE(temp.is_wanted());
  EXPECT_FALSE(axis.is_wanted_now());
  taken();
  fake_fail(THALWEG_ERROR_STATE);
  EXPECT_THROW(temp.put(1), thw::Exception);
  taken();
}

}  // namespace
