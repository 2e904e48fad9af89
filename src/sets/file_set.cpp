#include "sets/file_set.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>

#include "base/error.hpp"

namespace thalweg::sets {
namespace {

using catalog::Attribute;
using catalog::Definition;
using catalog::Dimension;
using catalog::Variable;

constexpr const char* section_attribute = "domain_decomposition";

// int32 as FMS has it wherever the numbers allow it.
Attribute integers(std::string name, const std::vector<std::int64_t>& values) {
  const bool is_small = std::all_of(values.begin(), values.end(), [](std::int64_t value) {
    return value <= std::numeric_limits<std::int32_t>::max();
  });
  const Type type = is_small ? Type::int32 : Type::int64;
  Attribute attribute{.name = std::move(name), .type = type, .text = "", .values = {}};
  for (const std::int64_t value : values) {
    const Element element = is_small ? element_of(static_cast<std::int32_t>(value)) : element_of(value);
    attribute.values.insert(attribute.values.end(), element.begin(),
                            element.begin() + static_cast<std::ptrdiff_t>(size_of(type)));
  }
  return attribute;
}

std::vector<std::int64_t> integers_of(const Attribute& attribute, const std::string& path) {
  if (attribute.type != Type::int32 && attribute.type != Type::int64)
    fail(THALWEG_ERROR_FORMAT, "attribute '{}' of '{}' is not of type int32 or int64; it describes no file of a set",
         attribute.name, path);
  const std::size_t bytes = size_of(*attribute.type);
  std::vector<std::int64_t> values;
  for (std::size_t at = 0; at + bytes <= attribute.values.size(); at += bytes) {
    std::int32_t small = 0;
    std::int64_t large = 0;
    std::memcpy(bytes == 4 ? static_cast<void*>(&small) : &large, attribute.values.data() + at, bytes);
    values.push_back(bytes == 4 ? small : large);
  }
  return values;
}

// Removes the attribute and returns it.
std::optional<Attribute> take(std::vector<Attribute>& attributes, const std::string& name) {
  const auto found = std::ranges::find(attributes, name, &Attribute::name);
  if (found == attributes.end()) return std::nullopt;
  Attribute taken = std::move(*found);
  attributes.erase(found);
  return taken;
}

Variable* coordinate_of(Definition& definition, int dimension) {
  const auto found = std::ranges::find_if(definition.variables, [&](const Variable& variable) {
    return !variable.has_record && variable.dimensions == std::vector{dimension} &&
           variable.name == definition.dimensions[static_cast<std::size_t>(dimension)].name;
  });
  return found == definition.variables.end() ? nullptr : &*found;
}

std::string global_name(const Dimension& dimension) {
  return fmt::format("{}_{}", section_attribute, dimension.name);
}

std::optional<Attribute> take_section(Definition& definition, int dimension) {
  if (Variable* coordinate = coordinate_of(definition, dimension))
    if (auto attribute = take(coordinate->attributes, section_attribute)) return attribute;
  return take(definition.attributes, global_name(definition.dimensions[static_cast<std::size_t>(dimension)]));
}

// FMS counts from the first index of the whole, which need not be 1.
Section read_section(Dimension& dimension, const Attribute& attribute, const std::string& path) {
  const std::vector<std::int64_t> values = integers_of(attribute, path);
  const bool is_sane = values.size() == 4 && values[0] <= values[2] && values[2] <= values[3] &&
                       values[3] <= values[1] && values[3] - values[2] + 1 == dimension.size;
  if (!is_sane)
    fail(THALWEG_ERROR_FORMAT,
         "attribute '{}' of '{}' for dimension '{}' is [{}], but should be [first, last, start, end] with end - start "
         "+ 1 = {}, the size of the dimension in this file",
         attribute.name, path, dimension.name, fmt::join(values, ", "), dimension.size);
  dimension.size = values[1] - values[0] + 1;
  return {values[2] - values[0], values[3] - values[2] + 1};
}

// By others it may be of any type.
std::string run_said_by(const Attribute& attribute) {
  if (!attribute.type) return attribute.text;
  std::string text;
  for (const std::byte byte : attribute.values) text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
  return text;
}

std::string run_words(const SetIdentity& identity) {
  return identity.run_id.empty() ? "none" : fmt::format("'{}'", identity.run_id);
}

bool equal(const Attribute& a, const Attribute& b) {
  return a.name == b.name && a.type == b.type && a.text == b.text && a.values == b.values;
}

std::string name_of_variable(const Variable& variable) {
  return fmt::format("variable '{}'", variable.name);
}

// The first difference of two lists of attributes, "" if there is none.
std::string difference(const std::vector<Attribute>& a, const std::vector<Attribute>& b, const std::string& owner) {
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    if (i >= a.size() || i >= b.size() || !equal(a[i], b[i]))
      return fmt::format("attribute '{}' of {}", i < a.size() ? a[i].name : b[i].name, owner);
  return "";
}

std::string difference(const Variable& a, const Variable& b) {
  if (a.name != b.name || a.type != b.type || a.has_record != b.has_record || a.dimensions != b.dimensions)
    return name_of_variable(a);
  return difference(a.attributes, b.attributes, name_of_variable(a));
}

std::string difference(const Definition& a, const Definition& b) {
  if (a.format != b.format) return "the format";
  if (a.record_dimension != b.record_dimension) return "the record dimension";
  if (a.dimensions.size() != b.dimensions.size()) return "the number of dimensions";
  if (a.variables.size() != b.variables.size()) return "the number of variables";
  for (std::size_t d = 0; d < a.dimensions.size(); ++d)
    if (a.dimensions[d].name != b.dimensions[d].name || a.dimensions[d].size != b.dimensions[d].size)
      return fmt::format("dimension '{}' (size of the whole: {} and {})", a.dimensions[d].name, a.dimensions[d].size,
                         b.dimensions[d].size);
  for (std::size_t v = 0; v < a.variables.size(); ++v)
    if (std::string found = difference(a.variables[v], b.variables[v]); !found.empty()) return found;
  return difference(a.attributes, b.attributes, "the file");
}

void check_disjoint(std::vector<Source>& sources, const std::string& what, std::span<const SetPart> parts) {
  std::ranges::sort(sources, {},
                    [](const Source& source) { return source.box.start.rank() ? source.box.start[0] : 0; });
  for (std::size_t i = 0; i < sources.size(); ++i)
    for (std::size_t j = i + 1; j < sources.size(); ++j) {
      const Box &a = sources[i].box, &b = sources[j].box;
      if (b.start[0] >= a.stop(0)) break;  // sorted: nor do those that follow overlap
      if (const auto common = intersect(a, b))
        fail(THALWEG_ERROR_FORMAT,
             "'{}' and '{}' both hold {} of {}, in sections that are not the same; they are parts of different sets",
             parts[static_cast<std::size_t>(sources[i].part)].file,
             parts[static_cast<std::size_t>(sources[j].part)].file, to_string(*common), what);
    }
}

}  // namespace

std::vector<Section> whole_sections(const Definition& definition) {
  std::vector<Section> sections;
  for (const Dimension& dimension : definition.dimensions) sections.push_back({0, dimension.size});
  return sections;
}

Box box_of(const Variable& variable, std::span<const Section> sections) {
  Box box;
  for (const int d : variable.dimensions) {
    box.start.push_back(sections[static_cast<std::size_t>(d)].start);
    box.count.push_back(sections[static_cast<std::size_t>(d)].count);
  }
  return box;
}

Definition definition_of_part(const Definition& whole, std::span<const Section> sections, const SetIdentity& identity) {
  Definition part = whole;
  part.attributes.push_back(integers(files_attribute, {identity.files}));
  take(part.attributes, run_attribute);  // of another set that the program has read
  if (!identity.run_id.empty())
    part.attributes.push_back({.name = run_attribute, .type = std::nullopt, .text = identity.run_id, .values = {}});
  for (int d = 0; d < std::ssize(whole.dimensions); ++d) {
    const Dimension& dimension = whole.dimensions[static_cast<std::size_t>(d)];
    const Section& section = sections[static_cast<std::size_t>(d)];
    if (section == Section{0, dimension.size}) continue;
    part.dimensions[static_cast<std::size_t>(d)].size = section.count;
    Variable* coordinate = coordinate_of(part, d);
    auto& attributes = coordinate != nullptr ? coordinate->attributes : part.attributes;
    attributes.push_back(integers(coordinate != nullptr ? section_attribute : global_name(dimension),
                                  {1, dimension.size, section.start + 1, section.start + section.count}));
  }
  for (Variable& variable : part.variables)
    for (int i = 0; i < variable.chunk.rank(); ++i)
      variable.chunk[i] = std::min(variable.chunk[i], part.shape(variable)[i]);
  return part;
}

PartDescription describe_part(const Definition& part, const std::string& path) {
  PartDescription result{.whole = part, .sections = {}};
  const auto files = take(result.whole.attributes, files_attribute);
  if (!files)
    fail(THALWEG_ERROR_FORMAT, "'{}' has no global attribute '{}': it is not a file of a set", path, files_attribute);
  const std::vector<std::int64_t> values = integers_of(*files, path);
  if (values.size() != 1 || values[0] < 0)
    fail(THALWEG_ERROR_FORMAT, "attribute '{}' of '{}' is [{}], but should be the number of files of the set",
         files_attribute, path, fmt::join(values, ", "));
  result.identity.files = values[0];
  if (const auto run = take(result.whole.attributes, run_attribute)) result.identity.run_id = run_said_by(*run);
  for (int d = 0; d < std::ssize(part.dimensions); ++d) {
    Dimension& dimension = result.whole.dimensions[static_cast<std::size_t>(d)];
    const auto attribute = take_section(result.whole, d);
    result.sections.push_back(attribute ? read_section(dimension, *attribute, path) : Section{0, dimension.size});
  }
  return result;
}

void check_alike(const Definition& first, const std::string& first_path, const Definition& other,
                 const std::string& other_path) {
  const std::string found = difference(first, other);
  if (!found.empty())
    fail(THALWEG_ERROR_FORMAT, "'{}' and '{}' differ in {}; they are not parts of one set", first_path, other_path,
         found);
}

void check_one_run(const SetIdentity& first, const std::string& first_path, const SetIdentity& other,
                   const std::string& other_path) {
  if (first.run_id != other.run_id)
    fail(
        THALWEG_ERROR_FORMAT,
        "'{}' and '{}' were written by two runs (attribute '{}': {} and {}), one of which was killed while it replaced "
        "the set of the other; what is complete of each run is in its own files: see which run has all of them, as "
        "NAME.nnnn or NAME.nnnn.partial, and move the other's away",
        first_path, other_path, run_attribute, run_words(first), run_words(other));
}

std::vector<Source> sources_of(const Variable& variable, std::span<const SetPart> parts) {
  std::map<std::vector<std::int64_t>, std::size_t> known;
  std::vector<Source> sources;
  for (int p = 0; p < std::ssize(parts); ++p) {
    const Box box = box_of(variable, parts[static_cast<std::size_t>(p)].sections);
    std::vector<std::int64_t> key(box.start.begin(), box.start.end());
    key.insert(key.end(), box.count.begin(), box.count.end());
    const auto [place, is_new] = known.emplace(std::move(key), sources.size());
    if (is_new)
      sources.push_back({.box = box, .part = p, .copies = {}});
    else
      sources[place->second].copies.push_back(p);
  }
  if (!variable.dimensions.empty()) check_disjoint(sources, name_of_variable(variable), parts);
  return sources;
}

void check_distinct(std::span<const SetPart> parts) {
  std::map<std::vector<std::pair<std::int64_t, std::int64_t>>, const SetPart*> known;
  for (const SetPart& part : parts) {
    std::vector<std::pair<std::int64_t, std::int64_t>> key;
    for (const Section& section : part.sections) key.emplace_back(section.start, section.count);
    const auto [place, is_new] = known.emplace(std::move(key), &part);
    if (!is_new)
      fail(THALWEG_ERROR_FORMAT,
           "'{}' and '{}' hold the same section of every dimension; one of them is not of this set",
           place->second->file, part.file);
  }
}

}  // namespace thalweg::sets
