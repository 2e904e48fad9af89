// Fields that are made of others, by expressions or at levels: what is put of these in a step is kept until the last
// one comes.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fields/dimensions_of_fields.hpp"
#include "fields/field.hpp"
#include "fields/kept_values.hpp"
#include "fields/made_of_columns.hpp"
#include "fields/sample.hpp"

namespace thalweg::fields {

class DerivedFields {
 public:
  // Whether somebody wants a derived field in this step.
  using Wants = std::function<bool(int)>;
  // Takes what a derived field is in this step.
  using Take = std::function<void(int field, int box, const PutSample& put)>;
  DerivedFields(int rank, Wants wants, Take take) : rank_(rank), wants_(std::move(wants)), take_(std::move(take)) {}

  using HeldOf = std::function<const HeldField&(int field)>;
  // along: which dimension of the boxes of its first operand columns are; -1: it is not made of columns.
  void add(int field, const std::vector<Field>& fields, const HeldOf& held_of, int along);

  // What is put of a field in a step is kept, for one that may be made of it yet. Those that are not given are no
  // longer.
  void await(const std::vector<int>& operands, const std::vector<Field>& fields, const HeldOf& held_of);

  // Other values of it stand for none, before its first put.
  void define_missing(int field, std::vector<double> values);

  // Somebody wants something in this step that a field is an operand of.
  bool want(int field) const;
  // Errors: ARGUMENT for another weight than other operands have in this step.
  void require_weight(int field, int box, double weight) const;
  // What has all operands then is taken. Of all of a box.
  void put(int field, int box, const PutSample& sample);
  // Of a part, in two steps: where it is kept, if anybody wants it; and its values, which several threads may keep at
  // once, of parts that do not meet.
  struct Keeping {
    const std::vector<double>* missing = nullptr;
    KeptValues* values = nullptr;  // of the box; null: nobody wants it

    void keep(const PutSample& part) const { values->keep_part(part, *missing); }
  };
  Keeping begin_part(int field, int box, const PutSample& part);
  // What has all operands, some of them in parts, is taken; where only some of them were put, that is said once.
  void end_step();
  void begin_step() { ++step_; }
  // Says where expressions had no value.
  void say_faults() const;

 private:
  struct Kept {
    std::int64_t step = -1;  // in which it was put
    bool is_whole = false;
    bool is_single = false;  // values are no more exact than float32
    SampleWeight weight;
    KeptValues values;
  };
  struct Operand {
    std::string name;
    std::vector<double> missing;
    bool is_static = false;
    bool is_awaited = false;          // by fields that are not made yet
    std::vector<int> of;              // derived fields
    std::vector<Kept> boxes;          // of this rank
    std::vector<std::int64_t> cells;  // of each

    // Also where nobody wants it now.
    bool is_kept() const { return is_static || is_awaited; }
    // One along the columns is the same for all boxes of the field that is made.
    Kept& at(int box) { return boxes[boxes.size() == 1 ? 0 : static_cast<std::size_t>(box)]; }
    const Kept& at(int box) const { return boxes[boxes.size() == 1 ? 0 : static_cast<std::size_t>(box)]; }
  };
  struct Derived {
    std::string text;  // for messages
    std::shared_ptr<const Formula> formula;
    std::optional<MadeOfColumns> columns;  // nothing: by an expression
    std::vector<std::int64_t> cells;       // of each box
    std::vector<std::int64_t> taken_step;  // of each box
    std::int64_t faults = 0;
    bool has_said = false;

    // A rank without points has none, and puts coordinates that lie along the columns as all ranks do.
    bool has(int box) const { return box < std::ssize(cells); }
  };

  Operand& operand_of(int number, const Field& field, const HeldField& held);
  bool is_put(const Operand& operand, int box) const;
  bool has_been_put(const Kept& kept) const;
  bool is_whole(const Operand& operand, int box) const;
  bool is_complete(const Derived& derived, int box, int but_for) const;
  Operand* taking_operand(int field, int box);
  std::vector<int> wanted_of(const Operand& operand, int box) const;
  Keeping begin_keeping(Operand& operand, int box, const PutSample& put) const;
  void keep(Operand& operand, int box, const PutSample& put) const;
  // live: of an operand that is not kept; null: all are.
  void take(int field, int box, int live_field, const PutSample* live);
  void take_of_columns(int field, int box, const PutSample* live);
  MadeOfColumns columns_of(std::shared_ptr<const Levels> levels, const HeldField& held, int along) const;
  // It can be made of what is just put, which then need not be kept.
  bool can_be_live(const Derived& derived, int field, const PutSample& put) const;
  void end_step_of(int field, Derived& derived, int box);

  int rank_;
  Wants wants_;
  Take take_;
  std::map<int, Operand> operands_;
  std::map<int, Derived> derived_;
  std::int64_t step_ = 0;
};

}  // namespace thalweg::fields
