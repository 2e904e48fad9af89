// A variable of a collection that takes what is put of a field: as it comes, or to be gathered over intervals.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "fields/changed_cells.hpp"
#include "fields/choice.hpp"
#include "fields/dimensions_of_fields.hpp"
#include "fields/gathered_output.hpp"
#include "fields/output_variable.hpp"
#include "fields/sample.hpp"
#include "session/session.hpp"

namespace thalweg::fields {

class Output {
 public:
  // The variable is defined in the collection, and has what the region has of the field. All outlive this.
  Output(session::Session& session, session::Collection& collection, const std::vector<Field>& fields, Chosen chosen,
         const Region& region, std::optional<OutputVariable::OnGrid> grid = std::nullopt);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  OutputVariable& variable() { return variable_; }
  const Chosen& chosen() const { return variable_.chosen(); }
  const session::Collection& collection() const { return variable_.collection(); }
  const Region& region() const { return region_; }
  // What it has of the field, where that is not all: then its own boxes are those of the region.
  const std::optional<FieldInRegion>& part() const { return part_; }
  bool is_gathered() const { return gathered_.has_value(); }
  // Null: it takes instants, or what is put once.
  GatheredOutput* gathered() { return gathered_ ? &*gathered_ : nullptr; }

  // What that one has taken of the same is this one's: all that a sketch has, or what is gathered where a file ends.
  void take_over(Output& earlier);

  // The step ends: what waits for that is put.
  void end_step();

  // ---- instants, and what is put once
  // Its values of this step go into a file.
  bool wants_now() const;
  // Errors, before anything is done: SHAPE for an array that cannot be the box.
  void require(int box, const put::Field& array) const;
  void put(int box, const put::Field& array);
  // The same of its own box, where some cells hold no value, or of a part of the box, in two steps: what there is of
  // the box until the step ends, filled before the first put; and the values that come to it. The second may be done by
  // several threads at once, of parts that do not meet.
  std::vector<std::byte>& joined(int own_box);
  void join(std::vector<std::byte>& joined, const PutSample& put) const;
  bool takes(int own_box) const;

 private:
  void put_own(int own_box, const put::Field& array);

  OutputVariable variable_;
  const Region& region_;
  std::optional<FieldInRegion> part_;  // where it has not all of the field
  std::optional<GatheredOutput> gathered_;
  ChangedCells changed_;
  std::vector<bool> was_put_;                      // of each box, of what is put once
  std::map<int, std::vector<std::byte>> waiting_;  // boxes that are put when the step ends
};

}  // namespace thalweg::fields
