#include "files/file_labels.hpp"

#include "base/error.hpp"

namespace thalweg::files {

FileLabels::FileLabels(const config::CollectionSettings& collection, const config::Settings& settings)
    : collection_(collection.name),
      file_(collection.file),
      new_file_(collection.new_file),
      origin_(origin_of(collection.new_file, collection, settings)),
      time_step_s_(settings.time_step_s),
      one_record_(collection.ends_with_record()),
      cycle_{collection.cycle, 0} {}

bool FileLabels::needs_time() const {
  return is_time(new_file_) || (is_template(file_) && !program_names_);
}

void FileLabels::succeed(const FileLabels& earlier) {
  origin_ = earlier.origin_;
  cycle_.first = earlier.cycle_.first + earlier.files();
  program_names_ = earlier.program_names_;
  next_file_ = earlier.next_file_;
}

void FileLabels::name_next_file(const std::string& name) {
  next_file_ = name;
  program_names_ = true;
}

FileLabels::Group FileLabels::group_of(const ClosingTime& closing) const {
  const auto named_by = [&](const Date& date) { return fill_template(file_, origin_.calendar, date); };
  if (program_names_) return {group_, next_file_};
  if (cycle_.files > 0) return {"", fill_template(file_, origin_.calendar, {}, cycle_.number_of(number_ + 1))};
  if (!is_set(new_file_)) {
    const std::string name = named_by(origin_.date_at(is_template(file_) ? closing.time_s + slack_s : 0.0));
    return {name, name};
  }
  if (new_file_.steps != 0) {
    const std::int64_t before = closing.is_initial ? closing.step : closing.step - 1;
    const std::int64_t begin = before / new_file_.steps * new_file_.steps;
    const double begin_s = closing.time_s - static_cast<double>(closing.step - begin) * time_step_s_;
    return {std::to_string(begin), named_by(origin_.date_at(begin_s + slack_s))};
  }
  // A record closes an interval of the model, so one on a boundary belongs to the file before; the initial one does
  // not.
  const std::int64_t count =
      origin_.intervals_until(new_file_, closing.is_initial ? closing.time_s : closing.time_s - 2 * slack_s);
  return {std::to_string(count), named_by(origin_.begin_of(new_file_, count))};
}

std::string FileLabels::name_at(const ClosingTime& closing) const {
  return needs_time() && !program_names_ ? group_of(closing).name : "";
}

Label FileLabels::label_for(const ClosingTime& closing) {
  const Group group = group_of(closing);
  upcoming_group_ = group.key;
  Label label;
  label.opens_file = !is_open_ || (program_names_ ? !next_file_.empty() : group.key != group_);
  label.file = label.opens_file ? number_ + 1 : number_;
  label.index_in_file = label.opens_file ? 0 : index_in_file_;
  if (label.opens_file) label.file_name = group.name;
  return label;
}

void FileLabels::use(const Label& label) {
  number_ = label.file;
  if (label.opens_file) file_name_ = label.file_name;
  index_in_file_ = label.index_in_file + 1;
  is_open_ = !one_record_;
  group_ = upcoming_group_;
  next_file_.clear();
}

Label FileLabels::ending() const {
  if (one_record_)
    fail(THALWEG_ERROR_STATE,
         "collection '{}': with '{}' a file ends with its record, so there is none to be closed; close the record "
         "(thalweg_record, thalweg_advance)",
         collection_, cycle_.files > 0 ? "cycle" : "record-dimension: none");
  if (is_open_) return {number_, index_in_file_, false, {}};
  if (!program_names_ && (is_template(file_) || number_ >= 0))
    fail(THALWEG_ERROR_STATE,
         "collection '{}': no file of it is open that could be closed, and one without records has no name; close the "
         "file behind its first record, or name it with thalweg_new_file",
         collection_);
  if (program_names_ && next_file_.empty())
    fail(THALWEG_ERROR_STATE, "collection '{}': its file '{}' is closed already, and no next one is named", collection_,
         file_name_);
  return {number_ + 1, 0, true, program_names_ ? next_file_ : fill_template(file_, Calendar::standard, Date{})};
}

void FileLabels::end_file(const Label& ending) {
  number_ = ending.file;
  is_open_ = false;
  if (!ending.opens_file) return;  // what is named comes next
  file_name_ = ending.file_name;
  next_file_.clear();
}

}  // namespace thalweg::files
