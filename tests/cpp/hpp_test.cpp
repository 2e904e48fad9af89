// What the C side receives from the C++ interface. Linked with tests/fortran/fake_core.c in place of the library.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>

#include "fake_core.hpp"
#include "thalweg.hpp"

namespace {

struct Hpp : testing::Test {
  thw::Session io{MPI_COMM_SELF, "ocean.yaml"};
  thw::Collection history = io.open_collection("history");
  void SetUp() override { taken(); }
  void TearDown() override { taken(); }
};

TEST(HppSession, starts_from_a_file_and_finishes_when_it_ends) {
  {
    const thw::Session io(MPI_COMM_SELF, "ocean.yaml");
  }
  EXPECT_EQ(taken(), "start config='ocean.yaml' ranks=1\nfinish");
  {
    const thw::Session io(MPI_COMM_SELF);
  }
  EXPECT_EQ(taken(), "start config='' ranks=1\nfinish");
}

TEST(HppServe, passes_the_path_of_the_configuration) {
  thw::serve(MPI_COMM_SELF, "ocean.yaml");
  EXPECT_EQ(taken(), "serve config='ocean.yaml' ranks=1");
}

TEST(HppSession, starts_from_text_with_a_name_for_messages) {
  auto io = thw::Session::from_text(MPI_COMM_SELF, "writers: sync", "test");
  EXPECT_EQ(taken(), "start_text yaml='writers: sync' origin='test' ranks=1");
  io.finish();
  EXPECT_EQ(taken(), "finish");
}

TEST_F(Hpp, opens_a_collection_with_settings_of_the_program_s) {
  EXPECT_EQ(io.open_collection("restart", "every: 1 d").c_handle(), history.c_handle());
  EXPECT_EQ(taken(), "open_collection_text name='restart' yaml='every: 1 d'");
}

TEST(HppSession, is_finished_once_after_a_move_and_after_finish) {
  {
    thw::Session first(MPI_COMM_SELF);
    thw::Session second = std::move(first);
    second.finish();
  }
  EXPECT_EQ(taken(), "start config='' ranks=1\nfinish");
}

TEST(HppSession, is_left_alone_while_an_exception_passes) {
  EXPECT_THROW(
      {
        const thw::Session io(MPI_COMM_SELF);
        throw std::logic_error("of the model");
      },
      std::logic_error);
  EXPECT_EQ(taken(), "start config='' ranks=1");
}

TEST(HppSession, prints_an_error_that_its_end_cannot_throw) {
  auto io = std::make_unique<thw::Session>(MPI_COMM_SELF);
  fake_fail(THALWEG_ERROR_STORAGE);
  testing::internal::CaptureStderr();
  io.reset();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "thalweg: the core failed with code 8\n");
  taken();
}

TEST_F(Hpp, errors_are_exceptions_with_code_and_text) {
  fake_fail(THALWEG_ERROR_STORAGE);
  try {
    io.wait();
    FAIL() << "nothing was thrown";
  } catch (const thw::Exception& error) {
    EXPECT_EQ(error.code(), THALWEG_ERROR_STORAGE);
    EXPECT_STREQ(error.what(), "the core failed with code 8");
  }
  fake_fail(THALWEG_ERROR_CONFIG);
  EXPECT_THROW(thw::Session(MPI_COMM_SELF, "none.yaml"), thw::Exception);
}

TEST_F(Hpp, verbs_of_the_session_reach_the_core) {
  EXPECT_TRUE(io.is_client());
  EXPECT_EQ(io.model_comm(), MPI_COMM_SELF);
  io.ready();
  io.set_time(3600);
  io.advance(21600);
  io.flush();
  io.wait();
  EXPECT_EQ(taken(), "is_client\nmodel_comm\nready\nset_time time=3600\nadvance time=21600\nflush\nwait");
}

TEST_F(Hpp, decompose_takes_any_integers) {
  const std::size_t ny = 50;
  const std::vector<int> start{0, 10};
  const auto cells = io.decompose("y,x", {ny, 100L}, start, std::array<std::int64_t, 2>{50, 10}, {1, 2}, {3, 4}, true);
  EXPECT_EQ(taken(), "decompose dims='y,x' shape=50,100 boxes=1 start=0,10 count=50,10 low=1,2 high=3,4 masked=1");
  EXPECT_NE(cells.c_handle(), nullptr);
  io.decompose("cell", {10}, {2}, {4});
  EXPECT_EQ(taken(), "decompose dims='cell' shape=10 boxes=1 start=2 count=4 low=null high=null masked=0");
}

TEST_F(Hpp, decompose_boxes_takes_several_or_none) {
  io.decompose_boxes("tile,x", {6, 10}, {{{0, 1}, {1, 2}}, {{3, 4}, {1, 5}}});
  EXPECT_EQ(taken(),
            "decompose dims='tile,x' shape=6,10 boxes=2 start=0,1,3,4 count=1,2,1,5 low=null high=null masked=0");
  io.decompose_boxes("tile,x", {6, 10}, {{{0, 1}, {1, 2}}});
  EXPECT_EQ(taken(), "decompose dims='tile,x' shape=6,10 boxes=1 start=0,1 count=1,2 low=null high=null masked=0");
  io.decompose_boxes("y,x", {6, 10}, {});
  EXPECT_EQ(taken(), "decompose dims='y,x' shape=6,10 boxes=0 start=null count=null low=null high=null masked=0");
}

TEST_F(Hpp, decompose_indices_takes_any_container_of_integers) {
  io.decompose_indices("cell", 50, std::vector<int>{3, -1, 0}, true);
  EXPECT_EQ(taken(), "decompose_indices dim='cell' size=50 index=3,-1,0 masked=1");
  io.decompose_indices("cell", 50, std::array<std::int64_t, 2>{7, 8});
  EXPECT_EQ(taken(), "decompose_indices dim='cell' size=50 index=7,8 masked=0");
}

TEST_F(Hpp, decompose_points_takes_several_dimensions) {
  io.decompose_points("lat,lon", {6, 10}, std::vector<int>{3, -1, 59}, true);
  EXPECT_EQ(taken(), "decompose_points dims='lat,lon' shape=6,10 index=3,-1,59 masked=1");
  EXPECT_THROW(io.decompose_points("lat,lon", {60}, std::vector<int>{3}), thw::Exception);
  EXPECT_EQ(taken(), "");
}

TEST_F(Hpp, decompose_refuses_lists_that_do_not_fit_the_names) {
  EXPECT_THROW(io.decompose("y,x", {1, 2, 3}, {0, 0}, {1, 1}), thw::Exception);
  EXPECT_THROW(io.decompose("y,x", {1, 2}, {0}, {1, 1}), thw::Exception);
  EXPECT_THROW(io.decompose("y,x", {1, 2}, {0, 0}, {1}), thw::Exception);
  EXPECT_THROW(io.decompose("y,x", {1, 2}, {0, 0}, {1, 1}, {2}), thw::Exception);
  EXPECT_THROW(io.decompose("y,x", {1, 2}, {0, 0}, {1, 1}, {}, {2}), thw::Exception);
  EXPECT_THROW(io.decompose("y,x", std::vector<int>(16, 1), {0, 0}, {1, 1}), thw::Exception);
  EXPECT_EQ(taken(), "");
}

TEST_F(Hpp, definitions_reach_the_core) {
  const auto cells = io.decompose("y,x", {4, 4}, {0, 0}, {4, 4});
  taken();
  history.define_dimension("z", 40);
  history.define_variable("temp", "time,z,y,x", thw::Type::float32, cells, "y,z,x");
  history.define_variable("z", "z", thw::Type::int16);
  EXPECT_EQ(taken(),
            "define_dimension name='z' size=40\n"
            "define_variable name='temp' dims='time,z,y,x' type=9 decomposition=given memory='y,z,x'\n"
            "define_variable name='z' dims='z' type=2 decomposition=null memory=null");
}

TEST_F(Hpp, attributes_are_text_numbers_or_lists) {
  history.define_attribute("temp", "units", "degC");
  history.define_attribute("title", std::string("A run"));
  history.define_attribute("temp", "_FillValue", -1.5F);
  history.define_attribute("temp", "range", std::vector<double>{-2, 40});
  history.define_attribute("flags", std::array<unsigned char, 2>{1, 2});
  EXPECT_EQ(taken(),
            "define_text variable='temp' name='units' text='degC'\n"
            "define_text variable=null name='title' text='A run'\n"
            "define_attribute variable='temp' name='_FillValue' type=9 rank=1 extent=1 stride=null data: -1.5\n"
            "define_attribute variable='temp' name='range' type=10 rank=1 extent=2 stride=null data: -2 40\n"
            "define_attribute variable=null name='flags' type=5 rank=1 extent=2 stride=null data: 1 2");
}

TEST_F(Hpp, attributes_change_to_text_numbers_or_lists) {
  history.change_attribute("time", "units", std::string("days since 2000-01-02"));
  history.change_attribute("title", "A run");
  history.change_attribute("temp", "valid_min", -1.5F);
  history.change_attribute("range", std::vector<double>{-2, 40});
  EXPECT_EQ(taken(),
            "change_text variable='time' name='units' text='days since 2000-01-02'\n"
            "change_text variable=null name='title' text='A run'\n"
            "change_attribute variable='temp' name='valid_min' type=9 rank=1 extent=1 stride=null data: -1.5\n"
            "change_attribute variable=null name='range' type=10 rank=1 extent=2 stride=null data: -2 40");
}

template <class Number>
void expect_type(thw::Collection history, int type) {
  const std::vector<Number> field{1, 2, 3, 4, 5, 6};
  const std::string call = "put variable='f' type=" + std::to_string(type);
  history.put("f", field, {2, 3});
  EXPECT_EQ(taken(), call + " rank=2 extent=2,3 stride=null data: 1 2 3 4 5 6");
  history.put("f", thw::View(field.data(), {}));
  EXPECT_EQ(taken(), call + " rank=0 extent= stride=null data: 1");
}

TEST_F(Hpp, put_deduces_the_type_of_the_elements) {
  expect_type<std::int8_t>(history, THALWEG_INT8);
  expect_type<std::int16_t>(history, THALWEG_INT16);
  expect_type<std::int32_t>(history, THALWEG_INT32);
  expect_type<std::int64_t>(history, THALWEG_INT64);
  expect_type<long long>(history, THALWEG_INT64);
  expect_type<std::uint8_t>(history, THALWEG_UINT8);
  expect_type<std::uint16_t>(history, THALWEG_UINT16);
  expect_type<std::uint32_t>(history, THALWEG_UINT32);
  expect_type<std::uint64_t>(history, THALWEG_UINT64);
  expect_type<float>(history, THALWEG_FLOAT32);
  expect_type<double>(history, THALWEG_FLOAT64);
  history.put("f", std::string("abc"));
  EXPECT_EQ(taken(), "put variable='f' type=11 rank=1 extent=3 stride=null data: a b c");
}

TEST_F(Hpp, put_takes_containers_and_views_of_any_stride) {
  const std::array<double, 6> field{1, 2, 3, 4, 5, 6};
  history.put("f", field);
  EXPECT_EQ(taken(), "put variable='f' type=10 rank=1 extent=6 stride=null data: 1 2 3 4 5 6");
  history.put("f", thw::View(&field[5], {3, 2}, {-16, -8}));
  EXPECT_EQ(taken(), "put variable='f' type=10 rank=2 extent=3,2 stride=-16,-8 data: 6 5 4 3 2 1");
  history.put_box("f", 2, thw::View(&field[1], {2}, {24}));
  EXPECT_EQ(taken(), "put_box variable='f' box=2 type=10 rank=1 extent=2 stride=24 data: 2 5");
  history.put_box("f", 0, field, {3, 2});
  EXPECT_EQ(taken(), "put_box variable='f' box=0 type=10 rank=2 extent=3,2 stride=null data: 1 2 3 4 5 6");
}

TEST_F(Hpp, put_takes_a_number_and_arrays_of_c) {
  history.put("f", 2.5);
  EXPECT_EQ(taken(), "put variable='f' type=10 rank=0 extent= stride=null data: 2.5");
  const std::int32_t counted = 7;
  history.put_box("f", 1, counted);
  EXPECT_EQ(taken(), "put_box variable='f' box=1 type=3 rank=0 extent= stride=null data: 7");
  const float list[3] = {1, 2, 3};
  history.put("f", list);
  EXPECT_EQ(taken(), "put variable='f' type=9 rank=1 extent=3 stride=null data: 1 2 3");
  const double table[2][3] = {{1, 2, 3}, {4, 5, 6}};
  history.put("f", table);
  EXPECT_EQ(taken(), "put variable='f' type=10 rank=2 extent=2,3 stride=null data: 1 2 3 4 5 6");
  history.put("f", table, {6});
  EXPECT_EQ(taken(), "put variable='f' type=10 rank=1 extent=6 stride=null data: 1 2 3 4 5 6");
}

// What std::mdspan has of interest here: columns of a field whose rows are the fastest.
struct Columns {
  const double* handle;
  static constexpr std::size_t rank() { return 2; }
  std::size_t extent(std::size_t dimension) const { return dimension == 0 ? 3 : 2; }
  std::size_t stride(std::size_t dimension) const { return dimension == 0 ? 1 : 3; }
  const double* data_handle() const { return handle; }
};

// What Kokkos::View has: data and size as well.
struct Levels : Columns {
  const double* data() const { return handle; }
  std::size_t size() const { return 6; }
};

TEST_F(Hpp, put_takes_arrays_with_strides) {
  const std::array<double, 6> field{1, 2, 3, 4, 5, 6};
  history.put("f", Columns{field.data()});
  EXPECT_EQ(taken(), "put variable='f' type=10 rank=2 extent=3,2 stride=8,24 data: 1 4 2 5 3 6");
  history.put("f", Levels{{field.data()}});
  EXPECT_EQ(taken(), "put variable='f' type=10 rank=2 extent=3,2 stride=8,24 data: 1 4 2 5 3 6");
  EXPECT_THROW(history.put("f", Columns{field.data()}, {3, 2}), thw::Exception);
}

TEST_F(Hpp, put_tells_what_no_field_can_be) {
  static_assert(!thw::detail::is_field<std::vector<bool>> && !thw::detail::is_field<bool>);
  static_assert(!thw::detail::is_field<const double*> && !thw::detail::is_field<long double>);
  static_assert(!thw::detail::is_field<std::vector<std::string>> && !thw::detail::is_field<std::string*>);
  static_assert(thw::detail::is_field<std::string> && thw::detail::is_field<double[2][3]>);
}

TEST_F(Hpp, put_refuses_extents_that_do_not_fit_the_container) {
  const std::vector<double> field(6);
  EXPECT_THROW(history.put("f", field, {2, 2}), thw::Exception);
  EXPECT_THROW(history.put("f", thw::View(field.data(), {3, 2}, {8})), thw::Exception);
  EXPECT_EQ(taken(), "");
}

TEST_F(Hpp, a_write_procedure_is_called_with_the_block) {
  std::vector<std::string> seen;
  std::function<void(const thalweg_block&)> procedure = [&](const thalweg_block& block) {
    seen.push_back(std::string(block.variable) + " " + std::to_string(block.start[1]));
  };
  history.set_procedure(procedure);
  EXPECT_EQ(taken(), "set_procedure returned=0");
  thw::register_procedure("history", procedure);
  EXPECT_EQ(taken(), "register_procedure collection='history' returned=0");
  EXPECT_EQ(seen, (std::vector<std::string>{"temp 20", "temp 20"}));
}

TEST_F(Hpp, the_units_of_time_are_those_of_the_core) {
  const thw::TimeUnits time = io.time_units();
  EXPECT_EQ(time.units + ", " + time.calendar, "seconds since 2000-01-01 00:00:00, noleap");
  EXPECT_EQ(taken(), "time_units");
}

TEST_F(Hpp, collection_and_free_functions_reach_the_core) {
  EXPECT_TRUE(history.is_due());
  history.record(60);
  history.new_file("next.nc");
  history.wait();
  EXPECT_EQ(thw::recover("a.nc.partial"), 7);
  EXPECT_EQ(taken(),
            "is_due\nrecord time=60\nnew_file file='next.nc'\nwait_collection\nrecover partial='a.nc.partial' "
            "records=wanted");
  EXPECT_EQ(thw::version(), "1.2.3");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  testing::InitGoogleTest(&argc, argv);
  const int failed = RUN_ALL_TESTS();
  MPI_Finalize();
  return failed;
}
