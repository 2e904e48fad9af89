#include "config/entries.hpp"
#include "config/field_values.hpp"
#include "config/grid_values.hpp"
#include "config/region_values.hpp"
#include "config/vertical_values.hpp"

namespace thalweg::config {
namespace {

template <typename T>
Entry of_fields(const std::string& key, T FieldSettings::* member, const Values<T>& values, std::string_view fallback,
                std::string_view text) {
  return value_in("collections.*." + key, &CollectionSettings::fields, member, values, fallback, text);
}

}  // namespace

std::vector<Entry> field_entries() {
  const auto region = [](const Target& target) -> std::vector<PartOfDimension>& {
    return target.collection->fields.region.parts;
  };
  const auto vertical = [](const Target& target) -> VerticalSettings& {
    return target.collection->fields.region.vertical;
  };
  const auto grid = [](const Target& target) -> GridSettings& { return target.collection->fields.region.grid; };
  return {
      of_fields(
          "fields", &FieldSettings::chosen, chosen_fields(), "none",
          "The fields of the program (`thalweg_define_field`) that its files have, in this order: the name, its "
          "last part where one field alone has it, or a pattern with * and ?. The same field may come several "
          "times, with other operations and names. `{name: speed, expression: \"sqrt(u^2 + v^2)\"}` is computed of "
          "fields. Thalweg opens such a collection, not the program."),
      value_at(
          "collections.*.region", region, region_or_none(), "none",
          "Which part of its fields it has, by their dimensions: indices, which are counted from 0, or values of the "
          "dimension's coordinate; a range with both ends in it, or a list. Of dimensions that are not named all is "
          "there, and fields without those that are named are whole. One of `fields` may have its own in its place."),
      value_at(
          "collections.*.vertical", vertical, vertical_or_none(), "none",
          "At which values of a coordinate, which is another field, it has its fields: interpolated in each column "
          "between two levels of the model, linearly in the coordinate or in its logarithm (`by`); `outside` a "
          "column there is nothing (missing), or the value of its nearest level. Or one value of all of each column, a "
          "`mean`, `sum`, `min` or `max` along a dimension, of which another field (`by`) weighs the cells. Fields "
          "without the dimension of the columns stay as they are. One of `fields` may have its own in its place."),
      value_at(
          "collections.*.grid", grid, grid_or_none(), "none",
          "On which other grid it has its fields, of what they are after their operation: `weights` of a file that "
          "ESMF, xESMF or CDO has made lead to the grid of that file; `points` have the values of the cells that are "
          "nearest to them, and so has a `section` between two places; `mean` is taken over some dimensions, whose "
          "cells weigh what a static field says (`by`). Fields without a decomposition stay as they are."),
      of_fields("optional", &FieldSettings::is_optional, truth(), "false",
                "Whether chosen fields that the program does not define are left out, and said in the log; false: "
                "they are an error."),
      of_fields("operation", &FieldSettings::operation, operations(), "instant",
                "What a record has of the fields that do not say it themselves: the last value (instant); mean, min, "
                "max, sum, rms (root mean square), std (standard deviation) or count of all that was put in the "
                "interval; its difference, of the last value in it and the last one before it; diurnal: the means of "
                "so many parts of the day; once: no record, but the first value in every file."),
      of_fields("missing", &FieldSettings::missing, missing_samples(), "skip",
                "Of operations over an interval, cell by cell: missing values are left out, or one makes the result "
                "missing."),
      of_fields("valid", &FieldSettings::least_valid, part_of_one(), "0",
                "Which part of the time for which its field was put a cell must have values in, or else its result is "
                "missing."),
      of_fields("partial", &FieldSettings::partial,
                one_of<PartialInterval>({{"keep", PartialInterval::keep}, {"drop", PartialInterval::drop}}), "keep",
                "Whether an interval that the end of the run cuts has a record."),
      of_fields(
          "straddle", &FieldSettings::straddle, one_of<Straddle>({{"end", Straddle::end}, {"split", Straddle::split}}),
          "end",
          "Of a step that begins in one interval and ends in the next: it is of that in which it ends; or of both, "
          "each by the part of the step in it."),
      of_fields("repeat", &FieldSettings::repeat, repeated_puts(), "error",
                "What a step has of cells that are put several times in it: an error; the last value; their sum; or "
                "their mean."),
      of_fields("sample", &FieldSettings::sample, interval(), "1 step",
                "Of operations over intervals: of which steps they take what is put. `3 h`: of those that come to a "
                "whole number of 3 hours after the anchor."),
      of_fields("sample-offset", &FieldSettings::sample_offset, offset_or_none(), "none",
                "By how much these times are later."),
      of_fields("from", &FieldSettings::from, optional(date(), "none"), "none",
                "The date behind which the steps end of which it has anything; none: from the start of the run."),
      of_fields("until", &FieldSettings::until, optional(date(), "none"), "none",
                "The date up to which they end; none: until the end of the run."),
      of_fields("file-date", &FieldSettings::file_date, file_dates(), "start",
                "Which date of its first record's interval the name of a file has, where no `new-file` says it."),
      of_fields(
          "anchor", &FieldSettings::anchor, anchors(), "calendar",
          "From where intervals, records of instants and files of `new-file` are counted, of a collection with "
          "`fields`: "
          "the midnight, or the 1 January where they are of months, before the reference date; the start of the run; "
          "or the reference date itself."),
  };
}

}  // namespace thalweg::config
