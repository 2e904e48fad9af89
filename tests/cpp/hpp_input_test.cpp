// What the C side receives when the C++ interface reads. Linked with hpp_test.cpp and a core that records its calls.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "fake_core.hpp"
#include "thalweg.hpp"

namespace {

struct HppInput : testing::Test {
  thw::Session io{MPI_COMM_SELF, "ocean.yaml"};
  thw::Input input = io.open_input("restart.nc");
  void SetUp() override { taken(); }
  void TearDown() override { taken(); }
};

TEST(HppInputLife, is_closed_once_where_it_ends) {
  thw::Session io(MPI_COMM_SELF);
  taken();
  {
    thw::Input first = io.open_input("restart.nc");
    const thw::Input second = std::move(first);
    EXPECT_EQ(second.records(), 3);
  }
  EXPECT_EQ(taken(), "open_input path='restart.nc'\ninput_records\nclose_input");
  {
    thw::Input input = io.open_input("restart.nc");
    input.close();
  }
  EXPECT_EQ(taken(), "open_input path='restart.nc'\nclose_input");
  fake_fail(THALWEG_ERROR_STORAGE);
  EXPECT_THROW(io.open_input("none.nc"), thw::Exception);
  EXPECT_EQ(taken(), "open_input path='none.nc'");
}

TEST_F(HppInput, tells_what_the_core_does) {
  EXPECT_EQ(input.record_at(3600), 2);
  const thw::InputVariable depth = input.variable("depth");
  EXPECT_EQ(depth.type, thw::Type::int16);
  EXPECT_FALSE(depth.has_records);
  EXPECT_EQ(std::vector<std::int64_t>(depth.shape.begin(), depth.shape.end()), (std::vector<std::int64_t>{50, 70}));
  const thw::InputVariable time = input.variable("time");
  EXPECT_EQ(time.type, thw::Type::float64);
  EXPECT_TRUE(time.has_records);
  EXPECT_TRUE(time.shape.empty());
  EXPECT_EQ(taken(), "input_record_at time=3600\ninput_variable variable='depth'\ninput_variable variable='time'");
  fake_fail(THALWEG_ERROR_NAME);
  EXPECT_THROW(input.variable("dept"), thw::Exception);
}

TEST_F(HppInput, tells_what_is_there) {
  EXPECT_EQ(input.variables(), (std::vector<std::string>{"temp", "depth"}));
  EXPECT_EQ(taken(), "input_variables\ninput_variable_name number=0\ninput_variable_name number=1");
  EXPECT_EQ(input.dimensions("temp"), (std::vector<std::string>{"time", "lat", "lon"}));
  const thw::InputPacking packing = input.packing("temp");
  EXPECT_TRUE(packing.is_packed);
  EXPECT_EQ(packing.scale, 0.5);
  EXPECT_EQ(packing.offset, -3.0);
  EXPECT_EQ(taken(), "input_dimensions variable='temp'\ninput_packing variable='temp'");
  EXPECT_EQ(input.attributes(), (std::vector<std::string>{"units", "range"}));
  EXPECT_EQ(taken(),
            "input_attributes variable=null\ninput_attribute_name variable=null number=0\n"
            "input_attribute_name variable=null number=1");
  EXPECT_EQ(input.times(), (std::vector<double>{0.0, 3600.0, 7200.0}));
  input.select("temp", "z[2]");
  input.select("temp", "");
  EXPECT_EQ(taken(),
            "input_records\ninput_times\nselect_input variable='temp' selection='z[2]'\n"
            "select_input variable='temp' selection=null");
}

TEST_F(HppInput, tells_what_attributes_say) {
  const thw::InputAttribute units = input.attribute("temp", "units");
  EXPECT_TRUE(units.is_text());
  EXPECT_EQ(units.text, "degC");
  EXPECT_TRUE(units.numbers().empty());
  const thw::InputAttribute range = input.attribute("", "range");
  EXPECT_EQ(range.type, thw::Type::int16);
  EXPECT_EQ(range.text, "");
  EXPECT_EQ(range.numbers(), (std::vector<double>{-300.0, 7.0}));
  EXPECT_EQ(range.numbers<std::int64_t>(), (std::vector<std::int64_t>{-300, 7}));
  EXPECT_EQ(input.attribute("temp", "large").numbers<std::uint64_t>(), std::vector{std::uint64_t{1} << 63});
  EXPECT_EQ(taken(),
            "input_attribute variable='temp' name='units'\ninput_attribute variable=null name='range'\n"
            "input_attribute variable='temp' name='large'");
  fake_fail(THALWEG_ERROR_NAME);
  EXPECT_THROW(input.attribute("temp", "unit"), thw::Exception);
}

TEST_F(HppInput, declarations_reach_the_core) {
  const auto cells = io.decompose("y,x", {4, 4}, {0, 0}, {4, 4});
  taken();
  input.declare("temp", {cells, "time,z,y,x", "y,z,x", "x"});
  input.declare("depth", {cells});
  input.declare("depth", {});
  input.set_missing("temp", -1.5);
  EXPECT_EQ(taken(),
            "declare_input variable='temp' dims='time,z,y,x' decomposition=given memory='y,z,x' periodic='x'\n"
            "declare_input variable='depth' dims=null decomposition=given memory=null periodic=null\n"
            "declare_input variable='depth' dims=null decomposition=null memory=null periodic=null\n"
            "set_missing variable='temp' value=-1.5");
}

template <class Number>
void expect_type(thw::Input& input, int type) {
  std::vector<Number> field{1, 2, 3, 4, 5, 6};
  input.get("f", 2, field, {2, 3});
  EXPECT_EQ(taken(), "get variable='f' record=2 type=" + std::to_string(type) +
                         " rank=2 extent=2,3 stride=null data: 1 2 3 4 5 6");
}

TEST_F(HppInput, get_deduces_the_type_of_the_elements) {
  expect_type<std::int8_t>(input, THALWEG_INT8);
  expect_type<std::int16_t>(input, THALWEG_INT16);
  expect_type<std::int32_t>(input, THALWEG_INT32);
  expect_type<std::int64_t>(input, THALWEG_INT64);
  expect_type<std::uint8_t>(input, THALWEG_UINT8);
  expect_type<std::uint16_t>(input, THALWEG_UINT16);
  expect_type<std::uint32_t>(input, THALWEG_UINT32);
  expect_type<std::uint64_t>(input, THALWEG_UINT64);
  expect_type<float>(input, THALWEG_FLOAT32);
  expect_type<double>(input, THALWEG_FLOAT64);
  std::string text("abc");
  input.get("f", thw::no_record, text);
  EXPECT_EQ(taken(), "get variable='f' record=-1 type=11 rank=1 extent=3 stride=null data: a b c");
}

// What std::mdspan has of interest here.
struct Columns {
  double* handle;
  static constexpr std::size_t rank() { return 2; }
  std::size_t extent(std::size_t dimension) const { return dimension == 0 ? 3 : 2; }
  std::size_t stride(std::size_t dimension) const { return dimension == 0 ? 1 : 3; }
  double* data_handle() const { return handle; }
};

TEST_F(HppInput, get_writes_into_what_put_takes) {
  std::array<double, 6> field{1, 2, 3, 4, 5, 6};
  input.get("f", 0, Columns{field.data()});
  EXPECT_EQ(taken(), "get variable='f' record=0 type=10 rank=2 extent=3,2 stride=8,24 data: 1 4 2 5 3 6");
  input.get("f", 0, thw::View(&field[5], {2}, {-16}));
  EXPECT_EQ(taken(), "get variable='f' record=0 type=10 rank=1 extent=2 stride=-16 data: -6 -4");
  EXPECT_EQ(field, (std::array<double, 6>{-1, -2, -3, 4, -5, 6}));
  double number = 2.5, table[2][3] = {{1, 2, 3}, {4, 5, 6}};
  input.get("f", 0, number);
  EXPECT_EQ(taken(), "get variable='f' record=0 type=10 rank=0 extent= stride=null data: 2.5");
  input.get("f", 0, table);
  EXPECT_EQ(taken(), "get variable='f' record=0 type=10 rank=2 extent=2,3 stride=null data: 1 2 3 4 5 6");
  input.get_box("f", 1, 2, table);
  EXPECT_EQ(taken(), "get_box variable='f' record=1 box=2 type=10 rank=2 extent=2,3 stride=null data: 1 2 3 4 5 6");
  input.get_box_at("f", 7.5, 2, table);
  EXPECT_EQ(taken(), "get_box_at variable='f' time=7.5 box=2 type=10 rank=2 extent=2,3 stride=null data: 1 2 3 4 5 6");
  std::vector<float> nothing;
  input.get("f", 0, nothing, {0, 3});
  EXPECT_EQ(taken(), "get variable='f' record=0 type=9 rank=2 extent=0,3 stride=null data:");
}

TEST_F(HppInput, arrays_of_a_collection_are_registered_for_each_box) {
  thw::Collection state = io.open_collection("state");
  taken();
  std::array<double, 6> field{1, 2, 3, 4, 5, 6};
  state.register_array("f", field, {2, 3});
  EXPECT_EQ(taken(), "register_array variable='f' type=10 rank=2 extent=2,3 stride=null data: 1 2 3 4 5 6");
  state.register_box("f", 2, thw::View(&field[5], {2}, {-16}));
  EXPECT_EQ(taken(), "register_box variable='f' box=2 type=10 rank=1 extent=2 stride=-16 data: 6 4");
}

TEST_F(HppInput, get_refuses_extents_that_do_not_fit) {
  std::vector<double> field(6);
  try {
    input.get("f", 0, field, {2, 2});
    FAIL() << "nothing was thrown";
  } catch (const thw::Exception& error) {
    EXPECT_STREQ(error.what(), "get of 'f': the extents make 4 elements, the container holds 6");
  }
  EXPECT_THROW(input.get("f", 0, thw::View(field.data(), {6}), {6}), thw::Exception);
  EXPECT_EQ(taken(), "");
}

// What is const is seen in the view: get has an assertion that says so.
template <class Number>
using ViewOfVector = decltype(thw::detail::view_of("get", "f", std::declval<std::vector<Number>&>(), {}));
static_assert(!std::is_const_v<std::remove_pointer_t<decltype(std::declval<ViewOfVector<double>>().data())>>);
static_assert(std::is_const_v<std::remove_pointer_t<
                  decltype(thw::detail::view_of("get", "f", std::declval<const std::vector<double>&>(), {}).data())>>);

}  // namespace
