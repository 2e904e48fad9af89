// Which part of a variable is got: what a text says of it, and the coordinates of its file.
#include <utility>

#include "base/element_bits.hpp"
#include "base/error.hpp"
#include "base/numbers.hpp"
#include "read/begin_call.hpp"
#include "read/input.hpp"
#include "read/part.hpp"
#include "read/read_round.hpp"
#include "transport/collective.hpp"

namespace thalweg::read {

// One rank reads it, and tells the others.
Coordinate Input::coordinate(const InputVariable& of, const std::string& where) {
  std::vector<double> values(static_cast<std::size_t>(of.shape.product()));
  const transport::Bytes told = transport::told_by_first(around_.circle, [&] {
    Getting all;
    all.variable = &of;
    all.number = number_of(of);
    all.where = where;
    const auto reading = std::make_shared<KeptReading>(file(), all);
    RawBytes& stored = reading->rooms.window;
    if (read_in_time(around_.storage, reading, whole(of.shape)) != std::endian::native)
      swap_bytes(stored, size_of(of.type));
    transport::Bytes numbers(values.size() * sizeof(double));
    convert({of.type, Type::float64, of.packing, std::nullopt}, stored, numbers, where);
    return numbers;
  });
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = loaded<double>(told.data() + i * sizeof(double));
  // Unpacked values have been computed in float64.
  const Type type = of.packing.packs() ? Type::float64 : of.type;
  return {of.name, type, std::move(values), is_longitude(of), where};
}

Input::Change Input::selecting(const std::string& said, const std::string& text) {
  const std::string name = name_in_file(said);
  const std::string where = fmt::format("input '{}', variable '{}'", path_, name);
  std::vector<PartOf> chosen;
  begin_call(around_.circle, [&] {
    chosen = dimensions_of(parse_selection(text, where), in_file(name), contents_, where);
    return fmt::format("selection of {}: '{}'\n", where, text);
  });
  InputVariable part = in_file(name);
  if (!chosen.empty()) {
    Selection selection = Selection::of_all(part.shape, part.chunk);
    for (const PartOf& of : chosen) {
      std::optional<Coordinate> known;
      if (of.coordinate != nullptr) known = coordinate(*of.coordinate, where);
      take_part(of, known ? &*known : nullptr, selection, where);
    }
    part = part_of(in_file(name), std::move(selection));
  }
  Change change;
  together([&] { change = selecting_part(std::move(part)); });
  return change;
}

// What is declared has to fit.
Input::Change Input::selecting_part(InputVariable part) const {
  const auto held = held_.find(part.name);
  std::optional<DeclaredVariable> declared;
  try {
    if (held != held_.end()) declared = declared_as(part, held->second);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}; what is declared has to fit what is selected: declare '{}' without a "
                                          "decomposition, select, and then declare how the part is held",
                                          error.what(), part.name));
  }
  return [part = std::move(part), declared = std::move(declared)](Input& input) {
    input.declared_.erase(part.name);
    if (declared) input.declared_.emplace(part.name, *declared);
    if (part.selection.is_all())
      input.parts_.erase(part.name);
    else
      input.parts_.insert_or_assign(part.name, part);
    if (input.file_) input.around_.ahead.forget(*input.file_);  // of the cells of another part
  };
}

}  // namespace thalweg::read
