#include "fields/derived_fields.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace thalweg::fields {
namespace {

put::Field column_of(const std::vector<double>& values) {
  return {reinterpret_cast<const std::byte*>(values.data()), Type::float64, {std::ssize(values)}, {8}};
}

HeldField held_by(const std::vector<Box>& boxes, const put::FieldRules& rules) {
  HeldField held;
  held.boxes = boxes;
  held.variable.rules = rules;
  return held;
}

// A field t(z,x), the depths of its columns, and what it is at the depth of 15.
class FieldsOfColumns {
 public:
  // boxes: of this rank, along x.
  explicit FieldsOfColumns(const std::vector<Box>& boxes)
      : derived_(
            0, [](int) { return true; },
            [this](int, int, const PutSample& put) {
              is_whole = put.is_whole;
              put.sample.for_each_strip([this](std::int64_t first, std::span<const double> strip) {
                for (const double value : strip) made[first++] = value;
              });
            }) {
    const put::FieldRules plane{{0, 1}, {-1, 0}, {0}, {0}}, column{{0}, {-1}, {}, {}};
    std::vector<Box> models, wanted;
    for (const Box& box : boxes) {
      models.push_back({{0, box.start[0]}, {2, box.count[0]}});
      wanted.push_back({{0, box.start[0]}, {1, box.count[0]}});
    }
    held_ = {held_by(models, plane), held_by({{{0}, {2}}}, column), held_by(wanted, plane)};
    std::vector<Field> fields(3);
    fields[0].name = "t";
    fields[1].name = "depth";
    auto levels = std::make_shared<Levels>();
    levels->coordinate = 1;
    levels->values = {15.0};
    fields[2].levels = levels;
    fields[2].formula = std::make_shared<const Formula>(Formula{"t at depth", {0, 1}, Evaluator()});
    derived_.add(
        2, fields, [this](int field) -> const HeldField& { return held_[static_cast<std::size_t>(field)]; }, 0);
  }

  void put(int field, const put::Field& array, double weight = 1.0) {
    const Sample sample(array);
    PutSample put{sample, {}, nullptr, false, {weight, 1.0}};
    put.array = &sample;
    derived_.require_weight(field, 0, weight);
    derived_.put(field, 0, put);
  }

  void put_part(int field, const put::Field& array, const Index& start) {
    const Sample sample(array);
    const Part part{start, array.extent, {2, held_[0].boxes[0].count[1]}};
    const PutSample put{sample, {}, &part, false, {}};
    derived_.begin_part(field, 0, put).keep(put);
  }

  void end_step() { derived_.end_step(); }

  std::map<std::int64_t, double> made;  // that was taken, by cells
  bool is_whole = false;

 private:
  std::vector<HeldField> held_;
  DerivedFields derived_;
};

TEST(DerivedFields, at_levels_are_made_when_the_last_operand_is_put) {
  const std::vector<double> depths{10.0, 20.0}, values{1.0, 2.0, 3.0, 3.0, 6.0, 9.0};
  FieldsOfColumns of({{{0}, {3}}});
  of.put(1, column_of(depths));
  EXPECT_TRUE(of.made.empty());
  of.put(0, {reinterpret_cast<const std::byte*>(values.data()), Type::float64, {2, 3}, {24, 8}});
  EXPECT_EQ(of.made, (std::map<std::int64_t, double>{{0, 2.0}, {1, 4.0}, {2, 6.0}}));
  EXPECT_TRUE(of.is_whole);
}

TEST(DerivedFields, at_levels_have_the_columns_of_which_a_part_was_put) {
  const std::vector<double> depths{10.0, 20.0}, last{3.0, 9.0}, lower{6.0};
  FieldsOfColumns of({{{0}, {3}}});
  of.put(1, column_of(depths));
  of.put_part(0, {reinterpret_cast<const std::byte*>(last.data()), Type::float64, {2, 1}, {8, 8}}, {0, 2});
  of.put_part(0, {reinterpret_cast<const std::byte*>(lower.data()), Type::float64, {1, 1}, {8, 8}}, {1, 0});
  of.end_step();
  ASSERT_EQ(of.made.size(), 2U);
  EXPECT_TRUE(std::isnan(of.made.at(0)));
  EXPECT_EQ(of.made.at(2), 6.0);
  EXPECT_FALSE(of.is_whole);
}

// The sum of two fields.
TEST(DerivedFields, of_expressions_have_the_cells_that_were_put_of_all_operands) {
  std::map<std::int64_t, double> made;
  bool is_whole = false;
  DerivedFields derived(
      0, [](int) { return true; },
      [&](int, int, const PutSample& put) {
        is_whole = put.is_whole;
        put.for_each_run([&](std::int64_t first, std::span<const double> values, const auto&) {
          for (const double value : values) made[first++] = value;
        });
      });
  std::vector<Field> fields(3);
  const Evaluator evaluator(config::parse_expression("a + b").term,
                            [](const config::Term& term) { return term.name == "a" ? 0 : 1; });
  fields[2].formula = std::make_shared<const Formula>(Formula{"a + b", {0, 1}, evaluator});
  const HeldField held = held_by({{{0}, {4}}}, {{0}, {0}, {0}, {0}});
  derived.add(2, fields, [&](int) -> const HeldField& { return held; }, -1);
  const std::vector<double> a{1.0, 2.0, 3.0}, b{10.0, 20.0};
  const auto put = [&](int field, const std::vector<double>& values, std::int64_t start) {
    const Sample sample(column_of(values));
    const Part part{{start}, {std::ssize(values)}, {4}};
    const PutSample of{sample, {}, &part, false, {}};
    derived.begin_part(field, 0, of).keep(of);
  };
  put(0, a, 0);
  put(1, b, 2);
  derived.end_step();
  EXPECT_EQ(made, (std::map<std::int64_t, double>{{2, 13.0}}));
  EXPECT_FALSE(is_whole);
}

TEST(DerivedFields, of_a_rank_that_holds_nothing_are_nothing) {
  const std::vector<double> depths{10.0, 20.0};
  FieldsOfColumns of({});
  of.put(1, column_of(depths), 2.0);
  EXPECT_TRUE(of.made.empty());
}

}  // namespace
}  // namespace thalweg::fields
