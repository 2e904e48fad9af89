#include "catalog/declaration.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/names.hpp"

namespace thalweg::catalog {
namespace {

Attribute text_attribute(const std::string& name, const std::string& text) {
  return {name, std::nullopt, text, {}};
}

Attribute number_attribute(const std::string& name, std::int32_t number) {
  const Element bits = element_of(number);
  return {name, Type::int32, "", {bits.begin(), bits.begin() + sizeof number}};
}

std::string describe(const Attribute& attribute) {
  std::string text = attribute.name + "=";
  if (!attribute.type) return text + attribute.text;
  text += std::string(name_of(*attribute.type)) + ":";
  for (std::byte b : attribute.values) text += fmt::format("{:02x}", static_cast<unsigned>(b));
  return text;
}

void set_attribute(std::vector<Attribute>& attributes, Attribute attribute) {
  const auto known = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const Attribute& one) { return one.name == attribute.name; });
  if (known == attributes.end())
    attributes.push_back(std::move(attribute));
  else
    *known = std::move(attribute);
}

}  // namespace

Declaration::Declaration(config::CollectionSettings settings) : settings_(std::move(settings)) {
  definition_.format = settings_.format;
  definition_.record_dimension = settings_.record_dimension;
  definition_.header_reserve = settings_.header_reserve;
  definition_.striping = settings_.striping;
}

void Declaration::define_dimension(const std::string& name, std::int64_t size) {
  if (name.empty() || size < 1)
    fail(THALWEG_ERROR_ARGUMENT,
         "collection '{}': dimension '{}' of size {}: a dimension needs a name and a size of at least 1",
         settings_.name, name, size);
  if (name == settings_.record_dimension)
    fail(THALWEG_ERROR_NAME, "collection '{}': '{}' is the record dimension, which grows by itself and is not defined",
         settings_.name, name);
  for (const Dimension& known : definition_.dimensions)
    if (known.name == name) {
      if (known.size == size) return;
      fail(THALWEG_ERROR_NAME, "collection '{}': dimension '{}' has size {} already; it cannot be {} as well",
           settings_.name, name, known.size, size);
    }
  definition_.dimensions.push_back({name, size});
}

int Declaration::dimension(const std::string& variable, const std::string& name,
                           const DecompositionNames* decomposition, int* decomposed) {
  *decomposed = -1;
  if (decomposition != nullptr) {
    const auto& names = *decomposition->dimensions;
    const auto place = std::find(names.begin(), names.end(), name);
    if (place != names.end()) {
      *decomposed = static_cast<int>(place - names.begin());
      define_dimension(name, decomposition->shape[*decomposed]);
    }
  }
  std::vector<std::string> known;
  for (std::size_t d = 0; d < definition_.dimensions.size(); ++d) {
    if (definition_.dimensions[d].name == name) return static_cast<int>(d);
    known.push_back(definition_.dimensions[d].name);
  }
  fail(THALWEG_ERROR_NAME, "collection '{}', variable '{}': dimension '{}' is neither decomposed nor defined{}",
       settings_.name, variable, name, name_hint(name, known));
}

void Declaration::require_new_variable(const std::string& name) const {
  if (name.empty()) fail(THALWEG_ERROR_ARGUMENT, "collection '{}': a variable needs a name", settings_.name);
  if (find(name) >= 0)
    fail(THALWEG_ERROR_NAME, "collection '{}': variable '{}' is defined already; define each once", settings_.name,
         name);
}

void Declaration::define_variable(const std::string& name, const std::string& dims, Type type,
                                  const DecompositionNames* decomposition, const std::string& memory_dims) {
  require_new_variable(name);
  std::vector<std::string> names = split_names(dims);
  Variable variable;
  variable.name = name;
  variable.type = type;
  const auto record = std::find(names.begin(), names.end(), settings_.record_dimension);
  if (record != names.end()) {
    if (record != names.begin())
      fail(THALWEG_ERROR_SHAPE,
           "collection '{}', variable '{}': the record dimension '{}' must be the slowest one, but the dimensions are "
           "({}), slowest first",
           settings_.name, name, settings_.record_dimension, dims);
    variable.has_record = true;
    names.erase(record);
    if (std::ranges::count(names, settings_.record_dimension) > 0)
      fail(THALWEG_ERROR_SHAPE,
           "collection '{}', variable '{}': the dimensions ({}) have the record dimension '{}' twice, but a record is "
           "one point along it; give the other one a name of its own, and define it by thalweg_define_dimension",
           settings_.name, name, dims, settings_.record_dimension);
  }
  if (static_cast<int>(names.size()) >= max_rank)
    fail(THALWEG_ERROR_SHAPE, "collection '{}', variable '{}': {} dimensions; at most {} are possible", settings_.name,
         name, names.size(), max_rank - 1);
  ModelSide side;
  side.decomposition = decomposition == nullptr ? -1 : decomposition->number;
  for (const std::string& dim : names) {
    int decomposed = -1;
    variable.dimensions.push_back(dimension(name, dim, decomposition, &decomposed));
    side.decomposed.push_back(decomposed);
  }
  if (decomposition != nullptr)
    for (std::size_t d = 0; d < decomposition->dimensions->size(); ++d)
      if (std::count(side.decomposed.begin(), side.decomposed.end(), static_cast<int>(d)) != 1)
        fail(THALWEG_ERROR_SHAPE,
             "collection '{}', variable '{}': dimensions ({}) must have dimension '{}' of the decomposition once; a "
             "variable that has it twice is put without a decomposition, whole on every rank, or one of the two has a "
             "name of its own",
             settings_.name, name, dims, (*decomposition->dimensions)[d]);
  set_memory_places(name, names, memory_dims, side);
  definition_.variables.push_back(std::move(variable));
  model_sides_.push_back(std::move(side));
  if (name == settings_.record_dimension)
    for (Attribute& attribute : std::exchange(early_attributes_, {})) define_attribute(name, std::move(attribute));
  if (decomposition != nullptr && decomposition->masked) {
    const Element fill = default_fill(type);
    define_attribute(name, attribute_of("_FillValue", type, std::span(fill).first(size_of(type))));
  }
}

void Declaration::set_memory_places(const std::string& name, const std::vector<std::string>& dims,
                                    const std::string& memory_dims, ModelSide& side) const {
  const std::vector<std::string> memory = memory_dims.empty() ? dims : split_names(memory_dims);
  if (memory.size() != dims.size() || !std::is_permutation(memory.begin(), memory.end(), dims.begin()))
    fail(THALWEG_ERROR_SHAPE,
         "collection '{}', variable '{}': memory dimensions ({}) must be the dimensions ({}) in another order, without "
         "the record dimension",
         settings_.name, name, memory_dims, fmt::join(dims, ","));
  // Of a dimension that a variable has twice, as a covariance has, the first one in the file is the first in memory.
  std::vector<bool> taken(memory.size(), false);
  for (const std::string& dim : dims) {
    std::size_t place = 0;
    while (taken[place] || memory[place] != dim) ++place;
    taken[place] = true;
    side.memory_place.push_back(static_cast<int>(place));
  }
}

std::size_t Declaration::number_of_owner(const std::string& variable, const std::string& attribute) const {
  const int number = find(variable);
  if (number < 0)
    fail(THALWEG_ERROR_NAME, "collection '{}': attribute '{}' of unknown variable '{}'{}", settings_.name, attribute,
         variable, name_hint(variable, variable_names()));
  return static_cast<std::size_t>(number);
}

const Attribute* Declaration::attribute(const std::string& variable, const std::string& name) const {
  const std::vector<Attribute>& attributes =
      variable.empty() ? definition_.attributes : definition_.variables[number_of_owner(variable, name)].attributes;
  const auto found = std::ranges::find(attributes, name, &Attribute::name);
  return found == attributes.end() ? nullptr : &*found;
}

void Declaration::define_attribute(const std::string& variable, Attribute attribute) {
  if (variable.empty()) return set_attribute(definition_.attributes, std::move(attribute));
  if (variable == settings_.record_dimension && find(variable) < 0)
    return set_attribute(early_attributes_, std::move(attribute));
  Variable& owner = definition_.variables[number_of_owner(variable, attribute.name)];
  if (attribute.name == "_FillValue" &&
      (attribute.element_type() != owner.type || attribute.bytes().size() != size_of(owner.type)))
    fail(THALWEG_ERROR_SHAPE, "collection '{}', variable '{}': _FillValue must be one value of the variable's type {}",
         settings_.name, variable, name_of(owner.type));
  set_attribute(owner.attributes, std::move(attribute));
}

void Declaration::refuse_attribute(const std::string& variable, const std::string& name, const char* reason) const {
  fail(THALWEG_ERROR_NAME, "collection '{}', variable '{}': attribute '{}' does not change: {}", settings_.name,
       variable, name, reason);
}

// ---- after the end of definitions

// Null: the model may change it. Otherwise what it says is true of all files of the collection.
const char* Declaration::reason_to_keep(const std::string& variable, const std::string& name) const {
  if (variable.empty()) return nullptr;
  if (name == "_FillValue") return "it was settled with the definitions what holes are filled with";
  const auto number = static_cast<int>(number_of_owner(variable, name));
  const Variable& owner = definition_.variable(number);
  if (owner.takes_checksum && (name == checksum_name || name == "missing_value"))
    return "with checksum-attributes it is settled with the definitions what is summed";
  if (number == own_coordinate_ && (name == "units" || name == "calendar"))
    return "Thalweg puts this variable, in seconds since 'reference-date'; define it in the model, and put it, to say "
           "the time in other units";
  if (!model_side(number).is_held) return "it says how values of other variables are rounded";
  if (!owner.encoding.rounds()) return nullptr;
  for (const RoundingWords& words : {bit_round_words, granular_bit_round_words})
    if (name == "quantization" || name == words.kept_for_netcdf || name == words.kept_for_cf)
      return "it says how values are rounded, which 'compression' sets";
  return nullptr;
}

void Declaration::change_attribute(const std::string& variable, Attribute attribute, std::int64_t header_growth) {
  if (const char* reason = reason_to_keep(variable, attribute.name)) refuse_attribute(variable, attribute.name, reason);
  define_attribute(variable, std::move(attribute));
  definition_.header_reserve -= header_growth;
  ++changes_;
}

// ---- the end of definitions

void Declaration::finish(Calendar calendar, const Date& reference_date) {
  for (const auto& [name, settings] : settings_.variables)
    if (find(name) < 0)
      fail(THALWEG_ERROR_CONFIG, "{}collection '{}': variable '{}' is configured, but the model does not define it{}",
           settings_.place.empty() ? "" : settings_.place + ": ", settings_.name, name,
           name_hint(name, variable_names()));
  remove_disabled();
  add_record_coordinate(calendar, reference_date);
  check_chunk_names();
  set_encodings();
  if (settings_.checksum_attributes) settle_checksums();
}

void Declaration::check_chunk_names() const {
  std::vector<std::string> known{settings_.record_dimension};
  for (const Dimension& dimension : definition_.dimensions) known.push_back(dimension.name);
  const auto check = [&](const config::ChunkSettings& chunks, const std::string& what) {
    for (const auto& [name, cells] : chunks)
      if (std::find(known.begin(), known.end(), name) == known.end())
        fail(THALWEG_ERROR_CONFIG, "{}{}: 'chunks' names the dimension '{}', which the model does not define{}",
             settings_.place.empty() ? "" : settings_.place + ": ", what, name, name_hint(name, known));
  };
  check(settings_.chunks, fmt::format("collection '{}'", settings_.name));
  for (const auto& [name, variable] : settings_.variables)
    check(variable.chunks, fmt::format("collection '{}', variable '{}'", settings_.name, name));
}

void Declaration::set_encodings() {
  if (!settings_.format->traits.chunked()) return;
  for (Variable& variable : definition_.variables) variable.encoding = encoding_of(settings_, variable);
  const std::size_t fields = definition_.variables.size();  // containers come behind them
  for (std::size_t v = 0; v < fields; ++v)
    if (definition_.variables[v].encoding.rounds()) describe_rounding(v);
}

void Declaration::describe_rounding(std::size_t variable) {
  const Encoding& encoding = definition_.variables[variable].encoding;
  const bool keeps_bits = encoding.keep_bits > 0;
  const RoundingWords& words = keeps_bits ? bit_round_words : granular_bit_round_words;
  const auto kept = static_cast<std::int32_t>(keeps_bits ? encoding.keep_bits : encoding.keep_digits);
  const std::string name = definition_.variables[variable].name;
  define_attribute(name, number_attribute(words.kept_for_netcdf, kept));
  define_attribute(name, text_attribute("quantization", words.container));
  define_attribute(name, number_attribute(words.kept_for_cf, kept));
  const int container = find(words.container);
  if (container < 0) return add_container(words);
  if (model_side(container).is_held)
    fail(THALWEG_ERROR_NAME,
         "collection '{}': the model defines the variable '{}', but a variable of this name says how '{}' is rounded; "
         "give the model's another name, or leave keep-digits and keep-bits out of 'compression'",
         settings_.name, words.container, name);
}

// Of the smallest type that every format has: its value means nothing.
void Declaration::add_container(const RoundingWords& words) {
  Variable container;
  container.name = words.container;
  container.type = Type::int8;
  container.attributes = {text_attribute("algorithm", words.algorithm),
                          text_attribute("implementation", "Thalweg version " THALWEG_VERSION)};
  definition_.variables.push_back(std::move(container));
  model_sides_.emplace_back().is_held = false;
}

void Declaration::remove_disabled() {
  for (std::size_t v = definition_.variables.size(); v-- > 0;)
    if (is_disabled(definition_.variables[v].name)) {
      definition_.variables.erase(definition_.variables.begin() + static_cast<long>(v));
      model_sides_.erase(model_sides_.begin() + static_cast<long>(v));
    }
}

// The model's own procedure is told the time with every block.
void Declaration::add_record_coordinate(Calendar calendar, const Date& reference_date) {
  if (!settings_.format->traits.makes_files()) return;
  const auto has_record = [](const Variable& variable) { return variable.has_record; };
  const std::string& name = settings_.record_dimension;
  if (find(name) >= 0) return;
  if (std::none_of(definition_.variables.begin(), definition_.variables.end(), has_record)) {
    if (!early_attributes_.empty()) number_of_owner(name, early_attributes_.front().name);
    return;
  }
  Variable coordinate;
  coordinate.name = name;
  coordinate.type = Type::float64;
  coordinate.has_record = true;
  coordinate.attributes = {text_attribute("standard_name", "time"), text_attribute("axis", "T"),
                           text_attribute("units", "seconds since " + to_string(reference_date)),
                           text_attribute("calendar", std::string(name_of(calendar)))};
  own_coordinate_ = static_cast<int>(definition_.variables.size());
  definition_.variables.push_back(std::move(coordinate));
  model_sides_.push_back({});
  for (Attribute& attribute : std::exchange(early_attributes_, {})) {
    if (const char* reason = reason_to_keep(name, attribute.name)) refuse_attribute(name, attribute.name, reason);
    define_attribute(name, std::move(attribute));
  }
}

Box Declaration::in_variable(int variable, const Box& box) const {
  const Index shape = definition_.shape(definition_.variable(variable));
  Box result = whole(shape);
  const auto& decomposed = model_side(variable).decomposed;
  for (int d = 0; d < shape.rank(); ++d) {
    const int from = decomposed.empty() ? -1 : decomposed[static_cast<std::size_t>(d)];
    if (from < 0) continue;
    result.start[d] = box.start[from];
    result.count[d] = box.count[from];
  }
  return result;
}

bool Declaration::is_disabled(const std::string& variable) const {
  const auto found = settings_.variables.find(variable);
  return found != settings_.variables.end() && !found->second.enabled;
}

std::vector<std::string> Declaration::variable_names() const {
  std::vector<std::string> names;
  for (const Variable& variable : definition_.variables) names.push_back(variable.name);
  return names;
}

int Declaration::find(const std::string& variable) const {
  for (std::size_t v = 0; v < definition_.variables.size(); ++v)
    if (definition_.variables[v].name == variable) return static_cast<int>(v);
  return -1;
}

std::string Declaration::description() const {
  std::string text;
  for (const Dimension& dimension : definition_.dimensions)
    text += fmt::format("dimension {} = {}\n", dimension.name, dimension.size);
  for (const Attribute& attribute : definition_.attributes) text += fmt::format("attribute {}\n", describe(attribute));
  for (const Attribute& attribute : early_attributes_)
    text += fmt::format("attribute {}:{}\n", definition_.record_dimension, describe(attribute));
  for (std::size_t v = 0; v < definition_.variables.size(); ++v) {
    const Variable& variable = definition_.variables[v];
    std::vector<std::string> dims;
    if (variable.has_record) dims.push_back(definition_.record_dimension);
    for (int d : variable.dimensions) dims.push_back(definition_.dimensions[static_cast<std::size_t>(d)].name);
    text += fmt::format("variable {} {}({}) on decomposition {}\n", name_of(variable.type), variable.name,
                        fmt::join(dims, ","), model_sides_[v].decomposition);
    for (const Attribute& attribute : variable.attributes)
      text += fmt::format("attribute {}:{}\n", variable.name, describe(attribute));
  }
  return text;
}

}  // namespace thalweg::catalog
