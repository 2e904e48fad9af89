#include "fields/derived_fields.hpp"

#include <gtest/gtest.h>

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
            [this](int, int, const Strips& values, const SampleWeight&) {
              values.for_each_strip([this](std::int64_t, std::span<const double> strip) {
                made.insert(made.end(), strip.begin(), strip.end());
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

  std::vector<double> made;  // that was taken

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
  EXPECT_EQ(of.made, (std::vector<double>{2.0, 4.0, 6.0}));
}

TEST(DerivedFields, of_a_rank_that_holds_nothing_are_nothing) {
  const std::vector<double> depths{10.0, 20.0};
  FieldsOfColumns of({});
  of.put(1, column_of(depths), 2.0);
  EXPECT_TRUE(of.made.empty());
}

}  // namespace
}  // namespace thalweg::fields
