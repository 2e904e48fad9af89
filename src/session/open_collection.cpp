#include "session/open_collection.hpp"

namespace thalweg::session {

put::PutVariable variable_of(const Collection& collection, int number, int rank, const Declared& declared) {
  const catalog::Variable& of = collection.variable(number);
  const catalog::ModelSide& side = collection.declaration.model_side(number);
  put::PutVariable variable{
      .name = of.name,
      .type = of.type,
      .fill = collection.declaration.fill_of(number),
      .has_record = of.has_record,
      .is_held = side.is_held,
      .is_decomposed = side.decomposition >= 0,
      .when_not_put = collection.declaration.settings().when_not_put_of(of.name),
      .rules = {side.memory_place, side.decomposed, {}, {}},
      .packing = put::packing_of(of),
      .packing_fault = put::packing_fault(of),
      .says_fill = catalog::find(of.attributes, "_FillValue") != nullptr,
      .list = {},
      .where = fmt::format("rank {}, collection '{}', variable '{}'", rank, collection.name, of.name)};
  if (side.decomposition >= 0) {
    const geometry::Decomposition& decomposition = declared.decomposition(side.decomposition);
    variable.rules.halo_low = decomposition.halo_low;
    variable.rules.halo_high = decomposition.halo_high;
    variable.list = decomposition.list;
  }
  return variable;
}

std::vector<Box> boxes_to_put(const Collection& collection, int number, const Declared& declared) {
  const int decomposition = collection.declaration.model_side(number).decomposition;
  if (decomposition < 0) return {collection.declaration.in_variable(number, {})};
  std::vector<Box> boxes;
  for (const Box& box : declared.decomposition(decomposition).boxes)
    boxes.push_back(collection.declaration.in_variable(number, box));
  return boxes;
}

void open_puts(Collection& collection, block::CollectionTransfers transfers, const roles::Roles& roles,
               const Declared& declared, receive::Receiver& receiver) {
  collection.puts.own_coordinate = collection.declaration.own_coordinate();
  for (std::size_t v = 0; v < transfers.variables.size(); ++v) {
    const int number = static_cast<int>(v);
    put::VariablePuts& puts = collection.puts.variables.emplace_back();
    puts.of = variable_of(collection, number, roles.rank, declared);
    puts.boxes = std::move(transfers.variables[v].boxes);
    puts.next_put.assign(puts.boxes.size(), 0);
    puts.is_placed.assign(puts.boxes.size(), false);
    puts.sums.resize(puts.boxes.size());
    for (const block::MessagePlan& message : transfers.variables[v].sends)
      puts.channels.emplace_back(roles.messages, message.peer, message.tag, message.memory, message.bytes);
    collection.puts.numbers[puts.of.name] = number;
  }
  for (const block::ReceivePlan& plan : transfers.receives)
    receiver.add(collection.inboxes, plan, collection.variable(plan.variable).has_record, roles.messages);
}

}  // namespace thalweg::session
