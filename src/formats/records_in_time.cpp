#include "formats/records_in_time.hpp"

#include <algorithm>
#include <utility>

#include "formats/record_box.hpp"
#include "formats/record_times.hpp"

namespace thalweg::formats {
namespace {

using catalog::Definition;
using catalog::Variable;

bool is_first(const Variable& variable, int dimension) {
  return !variable.dimensions.empty() && variable.dimensions.front() == dimension;
}

// Variables of groups have the names of these before their own.
int likeness_of(const Definition& definition, const Variable& variable) {
  if (variable.dimensions.size() != 1 || variable.type == Type::character) return 0;
  if (definition.dimensions[static_cast<std::size_t>(variable.dimensions.front())].name != variable.name) return 0;
  return likeness_to_time({.name = variable.name,
                           .units = text_of(variable, "units"),
                           .axis = text_of(variable, "axis"),
                           .standard_name = text_of(variable, "standard_name")});
}

// Of the first coordinate that is most like time; -1: there is none.
int dimension_of_time(const Definition& definition) {
  const auto likeness = [&](const Variable& variable) { return likeness_of(definition, variable); };
  const auto found = std::ranges::max_element(definition.variables, {}, likeness);
  return found == definition.variables.end() || likeness(*found) == 0 ? -1 : found->dimensions.front();
}

void give_records(Variable& variable) {
  variable.has_record = true;
  variable.dimensions.erase(variable.dimensions.begin());
  if (variable.chunk.rank() == 0) return;
  variable.chunk_records = variable.chunk[0];
  variable.chunk = without_record(variable.chunk);
}

void remove_dimension(Definition& definition, int dimension) {
  definition.dimensions.erase(definition.dimensions.begin() + dimension);
  for (Variable& variable : definition.variables)
    for (int& d : variable.dimensions) d -= d > dimension ? 1 : 0;
}

Definition in_records(Definition definition, int dimension) {
  definition.record_dimension = definition.dimensions[static_cast<std::size_t>(dimension)].name;
  for (Variable& variable : definition.variables)
    if (is_first(variable, dimension)) give_records(variable);
  const bool is_used = std::ranges::any_of(definition.variables, [&](const Variable& variable) {
    return std::ranges::count(variable.dimensions, dimension) > 0;
  });
  if (!is_used) remove_dimension(definition, dimension);
  return definition;
}

class InRecords : public ReadableFile {
 public:
  InRecords(std::unique_ptr<ReadableFile> file, int dimension)
      : file_(std::move(file)),
        definition_(in_records(file_->definition(), dimension)),
        records_(file_->definition().dimensions[static_cast<std::size_t>(dimension)].size) {}

  const Definition& definition() const override { return definition_; }
  std::int64_t records() const override { return records_; }
  std::vector<LeftOut> left_out() const override { return file_->left_out(); }
  std::string version() const override { return file_->version(); }
  bool shows_others() const override { return file_->shows_others(); }

  void read(int v, std::int64_t record, const Box& box, std::span<std::byte> values) override {
    file_->read(v, 0, in_file(v, record, box), values);
  }
  void read_records(int v, std::int64_t first, std::span<std::byte> values) override {
    const auto bytes = static_cast<std::int64_t>(size_of(definition_.variable(v).type));
    file_->read(v, 0, {{first}, {std::ssize(values) / bytes}}, values);
  }
  std::endian read_as_stored(int v, std::int64_t record, const Box& box, std::span<std::byte> values) override {
    return file_->read_as_stored(v, 0, in_file(v, record, box), values);
  }

 private:
  Box in_file(int v, std::int64_t record, const Box& box) const {
    return definition_.variable(v).has_record ? with_record(box, record) : box;
  }

  std::unique_ptr<ReadableFile> file_;
  Definition definition_;
  std::int64_t records_;
};

}  // namespace

std::unique_ptr<ReadableFile> with_records_in_time(std::unique_ptr<ReadableFile> file) {
  if (!file->definition().record_dimension.empty()) return file;
  const int dimension = dimension_of_time(file->definition());
  if (dimension < 0) return file;
  return std::make_unique<InRecords>(std::move(file), dimension);
}

}  // namespace thalweg::formats
