#include "read/declared_variable.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/names.hpp"
#include "base/told.hpp"
#include "catalog/declaration.hpp"

namespace thalweg::read {
namespace {

// Of files of others, whose names may be such that a list of names would have them apart.
std::vector<std::string> as_in_lists(std::vector<std::string> names) {
  const std::vector<std::string> in_file = names;
  for (std::string& name : names)
    if (split_names(name) != std::vector{name})
      name = fmt::format("dimension {}", std::ranges::find(in_file, name) - in_file.begin());
  return names;
}

std::vector<std::string> names_of(const InputVariable& variable, const std::string& dims, const std::string& path) {
  if (dims.empty()) return as_in_lists(variable.dimensions);
  std::vector<std::string> names = split_names(dims);
  const std::size_t records = variable.has_records ? 1 : 0;
  if (names.size() != variable.dimensions.size() + records)
    fail(THALWEG_ERROR_SHAPE, "input '{}', variable '{}': ({}) are {} dimensions, but in the file it has {}: {}({})",
         path, variable.name, told::names(names), names.size(), variable.dimensions.size() + records,
         records == 0 ? "" : "that of records, and ", told::names(variable.dimensions));
  names.erase(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(records));
  return names;
}

// What is declared of an output says how arrays lie; so it is asked here, too, with sizes that come from the file.
catalog::Declaration declaration_of(const std::string& path) {
  config::CollectionSettings settings;
  settings.name = path;
  settings.record_dimension.clear();  // of the record dimension an array has nothing, and "time" may be another one
  return catalog::Declaration(settings);
}

std::string to_string(const Ends& ends) {
  std::string text = fmt::format("{}", fmt::join(ends.periodic, ","));
  if (ends.fold)
    text += fmt::format(" folded by {} along {}, {} {} {}", ends.fold->mirror.rows, ends.fold->mirror.columns,
                        ends.fold->row_shift, ends.fold->column_shift, ends.fold->mirror.is_negated);
  return text;
}

std::string in_words_of_inputs(std::string text) {
  constexpr std::string_view output = "collection '";
  if (text.starts_with(output)) text.replace(0, output.size(), "input '");
  return text;
}

}  // namespace

DeclaredVariable::DeclaredVariable(const InputVariable& variable, const HeldAs& held,
                                   const geometry::Decomposition* decomposition, const std::string& path)
    : name_(variable.name),
      list_(decomposition == nullptr ? nullptr : decomposition->listed),
      is_packed_(held.is_packed) {
  try {
    take_names(variable, held, decomposition, path);
  } catch (const Error& error) {
    throw Error(error.code(), in_words_of_inputs(error.what()));
  }
  plan_key_ = fmt::format("{} by {} in {} of {} bytes, {} at {}, periodic {}", to_string(shape_), held.decomposition,
                          to_string(variable.chunk), size_of(variable.type), fmt::join(rules_.decomposed, ","),
                          joined_.first(), to_string(ends_));
  if (!variable.selection.is_all()) plan_key_ += " of " + to_string(variable.selection.kept());
  description_ =
      fmt::format("({}) by {} ({}) periodic ({})", held.dims, held.decomposition, held.memory_dims, held.periodic);
}

void DeclaredVariable::take_names(const InputVariable& variable, const HeldAs& held,
                                  const geometry::Decomposition* decomposition, const std::string& path) {
  const std::vector<std::string> names = names_of(variable, held.dims, path);
  catalog::Declaration declaration = declaration_of(path);
  std::optional<catalog::DecompositionNames> of;
  if (decomposition != nullptr)
    of = {held.decomposition, &decomposition->dimensions, decomposition->sizes(), true, list_ != nullptr};
  for (int d = 0; d < std::ssize(names); ++d) {
    const std::string& name = names[static_cast<std::size_t>(d)];
    const auto place = of ? std::ranges::find(*of->dimensions, name) - of->dimensions->begin() : 0;
    if (!of || place == std::ssize(*of->dimensions))
      declaration.define_dimension(name, std::max<std::int64_t>(1, variable.shape[d]));  // only its name counts here
    else if (const std::int64_t size = of->shape[static_cast<int>(place)]; size != variable.shape[d])
      fail(THALWEG_ERROR_SHAPE,
           "input '{}', variable '{}': dimension '{}' has {} cells in the {}, but {} in the decomposition", path, name_,
           name, variable.shape[d], variable.selection.is_all() ? "file" : "part that is selected", size);
  }
  if (of && std::ranges::none_of(
                names, [&](const std::string& name) { return std::ranges::count(*of->dimensions, name) > 0; }))
    fail(THALWEG_ERROR_NAME,
         "input '{}', variable '{}': none of its dimensions ({}) is one of the decomposition ({}); say by 'dims' what "
         "the model calls them",
         path, name_, told::names(names), told::names(*of->dimensions));
  declaration.define_variable(name_, fmt::format("{}", fmt::join(names, ",")), variable.type, of ? &*of : nullptr,
                              held.memory_dims);
  const catalog::ModelSide& side = declaration.model_side(0);
  joined_ = declaration.definition().variable(0).joined;
  shape_ = joined_.joined(variable.shape);
  rules_ = {side.memory_place, side.decomposed, {}, {}};
  take_ends(names, held, variable, fmt::format("input '{}', variable '{}'", path, name_));
  low_ = high_ = Index::filled(shape_.rank(), 0);
  if (decomposition == nullptr) {
    boxes_ = {whole(shape_)};
    return;
  }
  for (const Box& box : decomposition->boxes) boxes_.push_back(declaration.in_variable(0, box));
  take_halo(*decomposition);
}

void DeclaredVariable::take_ends(const std::vector<std::string>& names, const HeldAs& held,
                                 const InputVariable& variable, const std::string& where) {
  ends_.periodic.assign(static_cast<std::size_t>(shape_.rank()), false);
  for (const std::string& said : split_names(held.periodic)) {
    const bool is_name = std::ranges::count(names, said) > 0;  // some have every character in them
    const std::string name = is_name ? said : said.substr(0, said.find_first_of(" ="));
    const auto place = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    if (place == names.size())
      fail(THALWEG_ERROR_NAME, "{}: the periodic dimension '{}' is none of its dimensions{}", where, name,
           name_hint(name, names));
    if (list_)
      fail(THALWEG_ERROR_SHAPE,
           "{}: dimension '{}' cannot be periodic, because an index list has no halo to be filled; list the points on "
           "the other side",
           where, name);
    if (name == said)
      ends_.periodic[place] = true;
    else
      take_fold(std::string_view(said).substr(name.size()), variable, static_cast<int>(place), where);
  }
  if (ends_.fold) require_columns(names, where);
}

void DeclaredVariable::take_fold(std::string_view words, const InputVariable& variable, int rows,
                                 const std::string& where) {
  if (ends_.fold) fail(THALWEG_ERROR_ARGUMENT, "{}: two of its dimensions fold; a grid has one fold", where);
  ends_.fold = fold_of(words.substr(std::min(words.find_first_not_of(" ="), words.size())), where);
  ends_.fold->mirror.rows = rows;
  if (changes_signs() && (variable.type == Type::character || is_unsigned(variable.type)))
    fail(THALWEG_ERROR_SHAPE, "{}: signs of {} values cannot change at the fold; leave out its -1", where,
         name_of(variable.type));
}

// The rows lie the other way round along the one dimension that goes around the globe.
void DeclaredVariable::require_columns(const std::vector<std::string>& names, const std::string& where) {
  Mirror& mirror = ends_.fold->mirror;
  if (std::ranges::count(ends_.periodic, true) != 1 || ends_.periodic[static_cast<std::size_t>(mirror.rows)])
    fail(THALWEG_ERROR_ARGUMENT,
         "{}: '{}' folds along the dimension that is periodic: name one other dimension beside it, as in 'x, {}=fold T "
         "T'",
         where, names[static_cast<std::size_t>(mirror.rows)], names[static_cast<std::size_t>(mirror.rows)]);
  mirror.columns = static_cast<int>(std::ranges::find(ends_.periodic, true) - ends_.periodic.begin());
}

void DeclaredVariable::take_halo(const geometry::Decomposition& decomposition) {
  rules_.halo_low = decomposition.halo_low;
  rules_.halo_high = decomposition.halo_high;
  for (int d = 0; d < shape_.rank(); ++d) {
    const int from = rules_.decomposed[static_cast<std::size_t>(d)];
    if (from < 0) continue;
    low_[d] = decomposition.halo_low[from];
    high_[d] = decomposition.halo_high[from];
  }
}

Wanted DeclaredVariable::wanted(int box) const {
  Wanted wanted;
  if (list_ && box == 0) {
    wanted.along = along_list();
    wanted.runs = list_->runs;
  } else if (is_held(box)) {
    wanted.needs = needs_of({boxes_[static_cast<std::size_t>(box)], low_, high_}, shape_, ends_);
  }
  return wanted;
}

Target DeclaredVariable::target(const put::Field& field, const std::string& where, int box) const {
  const Box& own = boxes_[static_cast<std::size_t>(box)];
  const put::FieldView view = put::view_field(field, own, rules_, where);
  Target target{const_cast<std::byte*>(field.data), field.type, view.stride, low_, low_};  // NOLINT: the model's own
  std::int64_t before = 0;
  for (int d = 0; d < shape_.rank(); ++d) {
    const std::int64_t extent = field.extent[rules_.memory_place[static_cast<std::size_t>(d)]];
    const bool has_halo = extent != own.count[d];
    target.first[d] = has_halo ? 0 : low_[d];
    target.stop[d] = target.first[d] + extent;
    before += low_[d] * view.stride[d];
  }
  target.origin += view.offset - before;
  if (list_ && view.stride[along_list()] < 0)
    fail(THALWEG_ERROR_SHAPE, "{}: the array descends along the index list; give it in the list's order", where);
  return target;
}

}  // namespace thalweg::read
