#include "read/contents.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/told.hpp"

namespace thalweg::read {
namespace {

InputVariable described(const catalog::Definition& definition, const catalog::Variable& of, bool has_codec) {
  InputVariable variable{.name = of.name,
                         .type = of.type,
                         .has_records = of.has_record,
                         .dimensions = {},
                         .shape = definition.shape(of),
                         .chunk = of.chunk,
                         .has_codec = has_codec,
                         .packing = catalog::packing_of(of),
                         .attributes = of.attributes};
  for (const int d : of.dimensions)
    variable.dimensions.push_back(definition.dimensions[static_cast<std::size_t>(d)].name);
  if (variable.chunk.rank() != variable.shape.rank()) variable.chunk = Index::filled(variable.shape.rank(), 1);
  return variable;
}

void find_times(FileReader& file, const std::string& path, const formats::RunStart& start, Contents& contents) {
  if (contents.records == 0) {
    contents.no_times = fmt::format("'{}' has no records", path);
    contents.only_time_s = formats::time_of_file(file.first_file(), start);
    return;
  }
  try {
    contents.times_s = formats::record_times(file.first_file(), path, start).times_s;
    contents.times_s.resize(static_cast<std::size_t>(std::min(contents.records, std::ssize(contents.times_s))));
  } catch (const Error& error) {
    contents.no_times = error.what();
  }
}

void put_optional(transport::Packer& packer, const std::optional<double>& value) {
  packer.put(value.has_value()).put(value.value_or(0.0));
}

std::optional<double> get_optional(transport::Unpacker& unpacker) {
  const bool has = unpacker.get<bool>();
  const auto value = unpacker.get<double>();
  return has ? std::optional(value) : std::nullopt;
}

void put_attributes(transport::Packer& packer, const std::vector<catalog::Attribute>& attributes) {
  packer.put(static_cast<std::int64_t>(attributes.size()));
  for (const catalog::Attribute& attribute : attributes)
    packer.put_all(attribute.name).put(attribute.element_type()).put_all(attribute.bytes());
}

std::vector<catalog::Attribute> get_attributes(transport::Unpacker& unpacker) {
  std::vector<catalog::Attribute> attributes(unpacker.get_count(1));
  for (catalog::Attribute& attribute : attributes) {
    auto name = unpacker.get_all<std::string>();
    const Type type = unpacker.get<Type>();
    attribute = catalog::attribute_of(std::move(name), type, unpacker.get_all<std::vector<std::byte>>());
  }
  return attributes;
}

void put_variable(transport::Packer& packer, const InputVariable& variable) {
  packer.put_all(variable.name).put(variable.type).put(variable.has_records);
  packer.put(static_cast<std::int64_t>(variable.dimensions.size()));
  for (const std::string& name : variable.dimensions) packer.put_all(name);
  packer.put_all(std::vector(variable.shape.begin(), variable.shape.end()));
  packer.put_all(std::vector(variable.chunk.begin(), variable.chunk.end())).put(variable.has_codec);
  put_optional(packer, variable.packing.scale);
  put_optional(packer, variable.packing.offset);
  packer.put(variable.packing.is_unsigned).put_all(variable.packing.missing).put_all(variable.packing.fault);
  put_attributes(packer, variable.attributes);
}

InputVariable get_variable(transport::Unpacker& unpacker) {
  InputVariable variable;
  variable.name = unpacker.get_all<std::string>();
  variable.type = unpacker.get<Type>();
  variable.has_records = unpacker.get<bool>();
  variable.dimensions.resize(unpacker.get_count(sizeof(std::int64_t)));
  for (std::string& name : variable.dimensions) name = unpacker.get_all<std::string>();
  variable.shape = Index(unpacker.get_all<std::vector<std::int64_t>>());
  variable.chunk = Index(unpacker.get_all<std::vector<std::int64_t>>());
  variable.has_codec = unpacker.get<bool>();
  variable.packing.scale = get_optional(unpacker);
  variable.packing.offset = get_optional(unpacker);
  variable.packing.is_unsigned = unpacker.get<bool>();
  variable.packing.missing = unpacker.get_all<std::vector<Element>>();
  variable.packing.fault = unpacker.get_all<std::string>();
  variable.attributes = get_attributes(unpacker);
  return variable;
}

}  // namespace

const InputVariable* Contents::find(const std::string& name) const {
  const auto found = std::ranges::find(variables, name, &InputVariable::name);
  return found == variables.end() ? nullptr : &*found;
}

std::vector<std::string> Contents::names() const {
  std::vector<std::string> names;
  for (const InputVariable& variable : variables) names.push_back(variable.name);
  return names;
}

std::optional<double> Contents::time_of(std::int64_t record) const {
  if (record < 0) return only_time_s;
  return no_times.empty() ? std::optional(times_s.at(static_cast<std::size_t>(record))) : std::nullopt;
}

std::int64_t record_at(const std::vector<double>& times_s, double time_s, const std::string& path) {
  const auto distance = [&](double of) {
    return std::isnan(of) ? std::numeric_limits<double>::infinity() : std::abs(of - time_s);
  };
  const auto nearest = std::ranges::min_element(times_s, {}, distance);
  if (std::abs(*nearest - time_s) <= formats::time_slack_s) return nearest - times_s.begin();
  fail(
      THALWEG_ERROR_NAME,
      "input '{}' has no record at the time {} s; the nearest of its {} is record {} at {} s, the first is at {} s and "
      "the last at {} s",
      path, time_s, times_s.size(), told::number(nearest - times_s.begin()), *nearest, times_s.front(), times_s.back());
}

Contents contents_of(FileReader& file, const std::string& path, const formats::RunStart& start) {
  Contents contents;
  const catalog::Definition& definition = file.definition();
  contents.version = file.version();
  contents.record_dimension = definition.record_dimension;
  contents.records = file.records();
  const formats::ReadableFile& first = file.first_file();
  for (const catalog::Variable& variable : definition.variables) {
    const int in_first = first.definition().find(variable.name);
    contents.variables.push_back(described(definition, variable, in_first >= 0 && first.has_codec(in_first)));
  }
  contents.attributes = definition.attributes;
  contents.left_out = file.left_out();
  find_times(file, path, start, contents);
  return contents;
}

// Of equal contents the bytes are equal: nothing that has padding is put as a whole.
transport::Bytes packed(const Contents& contents) {
  transport::Packer packer;
  packer.put_all(contents.version).put_all(contents.record_dimension).put(contents.records);
  packer.put(static_cast<std::int64_t>(contents.variables.size()));
  for (const InputVariable& variable : contents.variables) put_variable(packer, variable);
  put_attributes(packer, contents.attributes);
  packer.put(static_cast<std::int64_t>(contents.left_out.size()));
  for (const formats::LeftOut& left : contents.left_out) packer.put_all(left.name).put_all(left.why);
  packer.put_all(contents.times_s).put_all(contents.no_times);
  put_optional(packer, contents.only_time_s);
  return packer.take();
}

Contents unpacked(const transport::Bytes& bytes) {
  transport::Unpacker unpacker(bytes);
  Contents contents;
  contents.version = unpacker.get_all<std::string>();
  contents.record_dimension = unpacker.get_all<std::string>();
  contents.records = unpacker.get<std::int64_t>();
  contents.variables.resize(unpacker.get_count(1));
  for (InputVariable& variable : contents.variables) variable = get_variable(unpacker);
  contents.attributes = get_attributes(unpacker);
  contents.left_out.resize(unpacker.get_count(1));
  for (formats::LeftOut& left : contents.left_out) {
    left.name = unpacker.get_all<std::string>();
    left.why = unpacker.get_all<std::string>();
  }
  contents.times_s = unpacker.get_all<std::vector<double>>();
  contents.no_times = unpacker.get_all<std::string>();
  contents.only_time_s = get_optional(unpacker);
  return contents;
}

}  // namespace thalweg::read
