#include "fields/choice.hpp"

#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "base/error.hpp"
#include "base/names.hpp"
#include "config/title.hpp"
#include "fields/derivation.hpp"
#include "fields/field_names.hpp"
#include "fields/grid_of_choice.hpp"
#include "fields/operation.hpp"
#include "fields/units_of_choice.hpp"
#include "fields/whole_column_choice.hpp"

namespace thalweg::fields {
namespace {

using config::Operation;

// own_field: -1: that one is not there yet.
std::vector<int> fields_of(const FieldNames& fields, const config::Term& term, int own_field) {
  if (!term.is_this) return fields.named(term.name);
  return own_field < 0 ? std::vector<int>() : std::vector{own_field};
}

bool is_known(const FieldNames& fields, const config::Term& term, int own_field) {
  if (term.kind == config::Term::Kind::field) return fields_of(fields, term, own_field).size() == 1;
  return std::ranges::all_of(term.of, [&](const config::Term& part) { return is_known(fields, part, own_field); });
}

// Of an expression that lacks a field: an operation of which all is there would gather from now on, and what lacks one
// is not made before that comes.
void note_operands(const FieldNames& fields, const config::Term& term, int own_field, Choice& choice,
                   bool is_gathered = false) {
  using Kind = config::Term::Kind;
  is_gathered = is_gathered || (term.kind == Kind::operation && is_known(fields, term, own_field));
  const auto found = term.kind == Kind::field ? fields_of(fields, term, own_field) : std::vector<int>();
  if (found.size() == 1) (is_gathered ? choice.gathered : choice.operands).push_back(found.front());
  for (const config::Term& part : term.of) note_operands(fields, part, own_field, choice, is_gathered);
}

class Chooser {
 public:
  Chooser(const config::CollectionSettings& collection, std::vector<Field>& fields, const DividedDimensions& divided)
      : collection_(collection), fields_(fields), names_(fields), divided_(divided) {}

  Choice all() {
    choice_.regions[0].parts = collection_.fields.region.parts;
    for (const config::ChosenField& wanted : collection_.fields.chosen) {
      const std::size_t known = choice_.chosen.size();
      choose(wanted);
      for (std::size_t c = known; c < choice_.chosen.size(); ++c)
        choice_.chosen[c].entry = static_cast<std::size_t>(&wanted - collection_.fields.chosen.data());
    }
    require_one_kind();
    require_names_of_levels();
    if (choice_.unknown.empty() && choice_.missing.empty())
      require_columns(collection_.fields, fields_, choice_.chosen, [this](auto& fault) { refuse("{}", fault); });
    return std::move(choice_);
  }

 private:
  template <typename... Values>
  [[noreturn]] void refuse(fmt::format_string<Values...> text, Values&&... values) const {
    fail(THALWEG_ERROR_CONFIG, "{}: {}", config::title_of(collection_),
         fmt::format(text, std::forward<Values>(values)...));
  }

  std::vector<std::string> names_of(const std::vector<int>& numbers) const {
    std::vector<std::string> names;
    for (const int f : numbers) names.push_back(fields_[static_cast<std::size_t>(f)].name);
    return names;
  }

  std::vector<int> like(const config::ChosenField& wanted) const {
    std::vector<int> found;
    for (int f = 0; f < static_cast<int>(fields_.size()); ++f)
      if (is_like(wanted, fields_[static_cast<std::size_t>(f)])) found.push_back(f);
    if (!collection_.fields.region.grid.is_none())
      std::erase_if(found, [&](int f) { return is_of_places(fields_[static_cast<std::size_t>(f)], fields_); });
    return found;
  }

  void choose(const config::ChosenField& wanted) {
    if (wanted.expression && wanted.from.empty()) return add_expression(wanted, -1);
    const bool are_several = is_pattern(wanted);
    const std::vector<int> found = are_several ? like(wanted) : names_.named(wanted.from);
    if (are_several || found.empty()) note_companions(wanted);
    if (found.empty()) return note_missing(wanted.from, are_several);
    if (!are_several && found.size() > 1) refuse_several(wanted.from, found);
    for (const int field : found)
      if (wanted.expression)
        add_expression(wanted, field);
      else
        add(wanted, field);
  }

  // Errors show the expression.
  int field_of(const config::Expression& expression, const config::Term& term, int own_field) {
    if (term.is_this) return own_field;
    const std::vector<int>& found = names_.named(term.name);
    if (found.size() == 1) return found.front();
    if (found.empty() && collection_.fields.is_optional) {
      note_left_out(term.name);
      return -1;
    }
    if (found.empty()) {
      note_unknown({.name = term.name, .expression = expression.text, .begin = term.begin});
      return -1;
    }
    if (!choice_.unknown.empty()) return -1;  // which is said first
    refuse("{}", config::fault_of(expression.text, term.begin,
                                  fmt::format("'{}' are several fields: {}; write one of them in quotes", term.name,
                                              fmt::join(names_of(found), ", "))));
  }

  void add_expression(const config::ChosenField& wanted, int own_field) {
    const config::Expression& expression = *wanted.expression;
    Derivation derivation(
        fields_, expression, [&](const config::Term& term) { return field_of(expression, term, own_field); },
        [&](const std::string& fault) { refuse("{}", fault); });
    const config::ChosenOperation operation = wanted.operation.value_or(collection_.fields.operation);
    Chosen chosen = derivation.chosen(wanted.name, operation.kind);
    if (chosen.operation == Operation::diurnal) chosen.day_parts = operation.day_parts;
    if (chosen.field < 0) {
      note_unmade(wanted, own_field);
      return choice_.left_out.push_back(wanted.name.empty() ? expression.text : wanted.name);
    }
    if (own_field >= 0) chosen.expression += ", this: " + fields_[static_cast<std::size_t>(own_field)].name;
    const Field& field = fields_[static_cast<std::size_t>(chosen.field)];
    set_kind(wanted, field, chosen);
    set_samples(wanted, chosen);
    set_region(wanted, chosen);
    chosen.variable =
        variable_for(wanted, own_field < 0 ? field : fields_[static_cast<std::size_t>(own_field)], chosen.operation);
    choice_.chosen.push_back(std::move(chosen));
  }

  void note_unmade(const config::ChosenField& wanted, int own_field) {
    const std::size_t gathered = choice_.gathered.size();
    note_operands(names_, wanted.expression->term, own_field, choice_);
    if (choice_.gathered.size() > gathered)
      choice_.unmade.push_back(static_cast<std::size_t>(&wanted - collection_.fields.chosen.data()));
  }

  // What would be made of a field that may come is made of these, too, which may be put before it in a step. Of a
  // pattern nobody knows whether one comes, for which operations within an expression do not wait.
  void note_companions(const config::ChosenField& wanted) {
    if (wanted.expression && !is_pattern(wanted)) return note_unmade(wanted, -1);
    if (wanted.expression) {
      Choice apart;
      note_operands(names_, wanted.expression->term, -1, apart);
      choice_.operands.insert(choice_.operands.end(), apart.operands.begin(), apart.operands.end());
    }
    if (const std::string& other = collection_.fields.vertical_of(wanted).other_field(); !other.empty())
      if (const std::vector<int>& others = names_.named(other); others.size() == 1)
        choice_.operands.push_back(others.front());
  }

  void note_left_out(const std::string& name) {
    if (std::ranges::find(choice_.missing, name) == choice_.missing.end()) choice_.missing.push_back(name);
  }

  void note_missing(const std::string& name, bool is_pattern) {
    if (collection_.fields.is_optional) return note_left_out(name);
    note_unknown({.name = name, .is_pattern = is_pattern});
  }

  void note_unknown(UnknownField unknown) {
    choice_.lacks_known = choice_.lacks_known || names_.have_component_of(unknown.name);
    choice_.unknown.push_back(std::move(unknown));
  }

  [[noreturn]] void refuse_several(const std::string& name, const std::vector<int>& found) const {
    refuse("'{}' are several fields: {}; say which one", name, fmt::join(names_of(found), ", "));
  }

  void add(const config::ChosenField& wanted, int own_number) {
    const int number = at_levels(wanted, own_number);
    if (number < 0) return;
    const Field& own = fields_[static_cast<std::size_t>(own_number)];
    const Field& field = fields_[static_cast<std::size_t>(number)];
    const config::ChosenOperation operation = wanted.operation.value_or(collection_.fields.operation);
    Chosen chosen{
        .field = number, .operation = operation.kind, .variable = {}, .type = {}, .day_parts = operation.day_parts};
    set_kind(wanted, field, chosen);
    set_samples(wanted, chosen);
    set_region(wanted, chosen);
    chosen.variable = variable_for(wanted, own, chosen.operation);
    set_units(wanted, field, chosen);
    choice_.chosen.push_back(std::move(chosen));
  }

  // The number of what is chosen of a field; -1: the program does not define the coordinate or what weighs the cells,
  // and that may be.
  int at_levels(const config::ChosenField& wanted, int field) {
    const config::VerticalSettings& vertical = collection_.fields.vertical_of(wanted);
    const bool is_meant = wanted.vertical && !is_pattern(wanted);
    const Field& own = fields_[static_cast<std::size_t>(field)];
    if (vertical.is_none() || (vertical.whole && !is_meant && !has_columns(own, vertical.dimension))) return field;
    const std::string& other = vertical.other_field();
    const std::vector<int> others = other.empty() ? std::vector<int>{-1} : names_.named(other);
    if (others.size() > 1) refuse_several(other, others);
    if (others.empty()) {
      note_missing(other, false);
      choice_.operands.push_back(field);
      choice_.left_out.push_back(wanted.name.empty() ? fields_[static_cast<std::size_t>(field)].name : wanted.name);
      return -1;
    }
    const auto made_by = [&](auto&& columns) {
      return is_meant || columns.concerns(field) ? columns.made_of(field) : field;
    };
    const RefuseColumns refuse_columns = [&](const std::string& fault) { refuse("{}", fault); };
    if (vertical.whole) return made_by(WholeColumnChoice(fields_, vertical, others.front(), divided_, refuse_columns));
    return made_by(LevelChoice(fields_, vertical, others.front(), divided_, refuse_columns));
  }

  void require_of_packed(Operation operation, const Field& field) const {
    const bool is_of_numbers = operation == Operation::sum || operation == Operation::rms ||
                               operation == Operation::std || operation == Operation::difference;
    if (is_of_numbers && field.is_packed())
      refuse("the {} of field '{}' would be that of its packed values (scale_factor, add_offset); put it unpacked",
             name_of(operation), field.name);
    const bool is_extreme = operation == Operation::min || operation == Operation::max;
    if (is_extreme && field.is_packed_in_reverse())
      refuse(
          "field '{}' is packed by a negative scale_factor, so that the {} of its packed values would be the other "
          "extreme; put it unpacked",
          field.name, name_of(operation));
  }

  // The operation and the type, if the field can have them.
  void set_kind(const config::ChosenField& wanted, const Field& field, Chosen& chosen) const {
    if (field.is_static && wanted.own_operation().value_or(Operation::once) != Operation::once)
      refuse("field '{}' is static, and has no {} in time; leave its operation out", field.name,
             name_of(chosen.operation));
    if (field.is_static) {
      chosen.operation = Operation::once;
      chosen.day_parts = 0;
    }
    const Operation operation = chosen.gathered.empty() ? chosen.operation : Operation::mean;  // it makes real numbers
    require_of_packed(operation, field);
    chosen.type = wanted.type.value_or(type_of_result(operation, field.type));
    const config::GridSettings& grid = collection_.fields.region.grid;
    if (!dimensions_left(grid, divided_(field)).empty())
      chosen.type = type_on_grid(grid, field, chosen.type, wanted.type, [this](auto& why) { refuse("{}", why); });
    if ((config::is_statistic(operation) || field.formula) && !can_have(operation, chosen.type))
      refuse("the {} of field '{}' cannot be of type {}; set type: {}", name_of(operation), field.name,
             name_of(chosen.type), name_of(type_of_result(operation, Type::float64)));
  }

  void set_units(const config::ChosenField& wanted, const Field& field, Chosen& chosen) const {
    const auto own = collection_.variables.find(chosen.variable);
    if (!wanted.units.empty() && own != collection_.variables.end() && own->second.attributes.contains("units"))
      refuse("field '{}' is wanted in '{}', and its variable '{}' has other units below 'variables'; leave one out",
             field.name, wanted.units, chosen.variable);
    try {
      chosen.units = units_of(field, wanted.units, chosen.operation);
    } catch (const Error& error) {
      refuse("{}", error.what());
    }
    if (!chosen.units.of_values().is_none() && !is_real(chosen.type) && !wanted.type) chosen.type = Type::float64;
    if (!chosen.units.of_values().is_none() && !is_real(chosen.type))
      refuse("field '{}' in '{}' cannot be of type {}, whose numbers are whole; set type: float32, or float64",
             field.name, wanted.units, name_of(chosen.type));
  }

  void set_samples(const config::ChosenField& wanted, Chosen& chosen) const {
    for (const Gathered& of : gathered_of(chosen))
      if (collection_.fields.straddle == config::Straddle::split &&
          (of.operation == Operation::sum || of.operation == Operation::count || of.operation == Operation::difference))
        refuse("variable '{}': the {} would have a step twice that is split between two intervals; set straddle: end",
               wanted.name.empty() ? wanted.from : wanted.name, name_of(of.operation));
    chosen.sample = collection_.fields.sample_of(wanted);
    chosen.sample_offset = collection_.fields.offset_of(wanted);
  }

  // Those that say the same have one.
  void set_region(const config::ChosenField& wanted, Chosen& chosen) {
    const std::vector<config::PartOfDimension>& parts = collection_.fields.region_of(wanted);
    const auto known = std::ranges::find(choice_.regions, parts, &ChosenRegion::parts);
    chosen.region = static_cast<std::size_t>(known - choice_.regions.begin());
    if (known == choice_.regions.end()) choice_.regions.push_back({parts, true});
  }

  std::string variable_for(const config::ChosenField& wanted, const Field& field, Operation operation) {
    std::string name = wanted.name.empty() ? field.last_part() : wanted.name;
    if (wanted.name.empty() && taken_.contains(name)) name += "_" + std::string(name_of(operation));
    const std::string& time = collection_.record_dimension;
    if (collection_.has_statistics() && (name == time || name == time + "_bnds"))
      refuse(
          "field '{}' would be its variable '{}', which is the time of its records, in seconds since "
          "'reference-date', and put by Thalweg; leave it out, or give it another 'name'",
          field.name, name);
    if (!taken_.insert(name).second)
      refuse("two of its variables would be called '{}'; give one of them another 'name'", name);
    return name;
  }

  void require_one_kind() const {
    const auto is = [](bool gathered) {
      return [gathered](const Chosen& of) {
        return of.operation != Operation::once && config::is_statistic(of.operation) == gathered;
      };
    };
    const auto gathered = std::ranges::find_if(choice_.chosen, is(true));
    const auto instant = std::ranges::find_if(choice_.chosen, is(false));
    if (gathered == choice_.chosen.end() || instant == choice_.chosen.end()) return;
    refuse(
        "'{}' is an instant and '{}' is gathered over intervals, whose times are not the same; put the instants into "
        "a collection of their own",
        instant->variable, gathered->variable);
  }

  // A file has one thing of a name. What each variable has in a file of its own is apart.
  void require_names_of_levels() const {
    for (const Chosen& of : choice_.chosen) {
      const std::shared_ptr<const Levels>& levels = fields_[static_cast<std::size_t>(of.field)].levels;
      if (!levels || levels->whole) continue;
      const std::string& time = collection_.record_dimension;
      if (levels->name == time || levels->name == time + "_bnds")
        refuse(
            "'{}' would be the levels of '{}', and is the time of its records; give the levels another name, as in "
            "vertical: {{name: {}_levels}}",
            levels->name, of.variable, levels->name);
      for (const Chosen& other : choice_.chosen)
        if (&other == &of || !collection_.has_files_of_variables()) require_apart(of, *levels, other);
    }
  }

  void require_apart(const Chosen& of, const Levels& levels, const Chosen& other) const {
    const Field& field = fields_[static_cast<std::size_t>(other.field)];
    if (other.variable == levels.name)
      refuse(
          "'{}' would be the levels of '{}', and a variable; give the levels another name, as in vertical: {{name: "
          "{}_levels}}",
          levels.name, of.variable, levels.name);
    if (field.levels && field.levels->name == levels.name && *field.levels != levels)
      refuse(
          "'{}' and '{}' have different levels that are both called '{}'; give one of them another name, as in "
          "vertical: {{name: {}_2}}",
          of.variable, other.variable, levels.name, levels.name);
    const std::vector<std::string> dims = split_names(field.dims);
    const bool is_at_levels = field.levels && !field.levels->whole;
    if (!is_at_levels && std::ranges::find(dims, levels.name) != dims.end())
      refuse(
          "'{}' would be the levels of '{}', and is a dimension of '{}'; give the levels another name, as in "
          "vertical: {{name: {}_levels}}",
          levels.name, of.variable, other.variable, levels.name);
  }

  const config::CollectionSettings& collection_;
  std::vector<Field>& fields_;
  const FieldNames names_;
  const DividedDimensions& divided_;
  std::set<std::string> taken_;
  Choice choice_;
};

}  // namespace

Choice choose(const config::CollectionSettings& collection, std::vector<Field>& fields,
              const DividedDimensions& divided) {
  return Chooser(collection, fields, divided).all();
}

bool is_pattern(const config::ChosenField& wanted) {
  return wanted.from.find_first_of("*?") != std::string::npos;
}

bool is_like(const config::ChosenField& wanted, const Field& field) {
  if (!field.is_of_program()) return false;
  if (field.is_static && wanted.operation.value_or(Operation::once) != Operation::once) return false;
  const bool is_whole = wanted.from.find('/') != std::string::npos;
  return fnmatch(wanted.from.c_str(), (is_whole ? field.name : field.last_part()).c_str(), 0) == 0;
}

}  // namespace thalweg::fields
