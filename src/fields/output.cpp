#include "fields/output.hpp"

#include "fields/numbers.hpp"
#include "session/open_collection.hpp"

namespace thalweg::fields {
namespace {

// A value that stands for none, by the attributes of the field. (source: CF conventions, section 2.5.1)
std::optional<double> missing_value_of(const Field& field) {
  for (const char* name : {"missing_value", "_FillValue"})
    if (const catalog::Attribute* found = catalog::find(field.attributes, name); found != nullptr && found->type)
      return number_of(*found);
  return std::nullopt;
}

}  // namespace

Output::Output(session::Session& session, session::Collection& collection, const Field& field, Chosen chosen)
    : session_(session), collection_(collection), chosen_(std::move(chosen)) {
  held_ = held();
  was_put_.assign(held_.boxes.size(), false);
  if (!is_gathered()) return;
  const config::FieldSettings& settings = collection.declaration.settings().fields;
  for (const Box& box : held_.boxes)
    gathered_.emplace_back(chosen_.operation, MissingRule{settings.missing, missing_value_of(field)},
                           box.count.product());
}

HeldField Output::held() const {
  const session::Declared& declared = session_.core().declared;
  HeldField held{session::boxes_to_put(collection_, number(), declared.decompositions),
                 session::variable_of(collection_, number(), session_.roles().rank, declared.decompositions)};
  held.variable.type = Type::float64;
  return held;
}

void Output::put(int box, const put::Field& array) {
  if (chosen_.operation == config::Operation::once) {
    if (box >= 0 && box < std::ssize(was_put_)) {
      if (was_put_[static_cast<std::size_t>(box)]) return;
      was_put_[static_cast<std::size_t>(box)] = true;
    }
  }
  session_.put(collection_, chosen_.variable, box, array);
}

void Output::begin_step(double end_s) {
  if (!is_put_ && collection_.schedule.interval()->is_before(end_s)) put_results();
}

void Output::put_results() {
  const Element fill = collection_.declaration.fill_of(number());
  const double least_valid = collection_.declaration.settings().fields.least_valid;
  for (std::size_t b = 0; b < gathered_.size(); ++b) {
    const std::vector<std::byte> results = gathered_[b].results(chosen_.type, fill, least_valid);
    const Box& box = held_.boxes[b];
    Index extent = box.count;
    for (int d = 0; d < extent.rank(); ++d)
      extent[held_.variable.rules.memory_place[static_cast<std::size_t>(d)]] = box.count[d];
    session_.put(collection_, chosen_.variable, static_cast<int>(b),
                 {results.data(), chosen_.type, extent,
                  contiguous_strides(extent, static_cast<std::int64_t>(size_of(chosen_.type)))});
    gathered_[b].clear();
  }
  is_put_ = true;
}

void Output::end_interval() {
  if (!is_put_) put_results();
  is_put_ = false;
}

}  // namespace thalweg::fields
