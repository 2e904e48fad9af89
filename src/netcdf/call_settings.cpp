#include "netcdf/call_settings.hpp"

#include <fmt/ranges.h>

#include <vector>

#include "base/error.hpp"

namespace thalweg::netcdf {
namespace {

// In YAML.
std::string quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') quoted += '\\';
    quoted += letter;
  }
  return quoted + '"';
}

class CompressionOfCalls {
 public:
  CompressionOfCalls(const FileName& name, const config::Settings& settings)
      : name_(name),
        collection_(name.collection()),
        settings_(settings),
        said_format_(settings.configured(collection_, "format")),
        format_(format_of(name, settings)) {}

  void take(const Variable& variable) {
    if (!variable.deflate || says(variable, "codec")) return;
    const bool compresses = variable.deflate->level > 0;
    std::vector<std::string> keys;
    if (compresses) keys.emplace_back("codec: deflate");
    if (compresses && !says(variable, "level")) keys.push_back(fmt::format("level: {}", variable.deflate->level));
    if (!says(variable, "shuffle")) keys.push_back(fmt::format("shuffle: {}", variable.deflate->shuffle));
    if (keys.empty()) return;
    if (!is_had(*variable.deflate))
      leave_out(variable);
    else
      lines_ += fmt::format("  {}: {{compression: {{{}}}}}  # deflate of variable '{}' (nf90_def_var_deflate)\n",
                            quoted(variable.name), fmt::join(keys, ", "), variable.name);
  }

  const std::string& lines() const { return lines_; }

  std::string left_out() const {
    if (left_out_.empty()) return "";
    return fmt::format(
        "format: {} ({}) has no such compression as nf90_def_var_deflate asks for, which is left out for '{}'",
        format_->name, said_format_->label, fmt::join(left_out_, "', '"));
  }

 private:
  bool says(const Variable& variable, const std::string& key) const {
    return settings_.configured(collection_, "compression." + key) != nullptr ||
           settings_.configured(collection_, "variables." + variable.name + ".compression." + key) != nullptr;
  }

  bool is_had(const Deflate& deflate) const {
    const config::ChunkRules& chunks = format_->traits.chunks;
    if (deflate.level > 0) return config::codec_named("deflate")->is_in(chunks.filters);
    return chunks.has_chunks() && (!deflate.shuffle || chunks.shuffles_alone);
  }

  void leave_out(const Variable& variable) {
    if (said_format_ == nullptr)
      fail(THALWEG_ERROR_FORMAT,
           "file '{}', variable '{}': nf90_def_var_deflate (deflate_level of nf90_def_var), but {}, which the mode of "
           "nf90_create gives, has no compression; add nf90_netcdf4 to the mode, or leave the call out",
           name_.path, variable.name, format_->name);
    if (variable.deflate->level > 0 || variable.deflate->shuffle) left_out_.push_back(variable.name);
  }

  const FileName& name_;
  const std::string collection_;
  const config::Settings& settings_;
  const config::Where* said_format_;
  const config::Format format_;
  std::string lines_;
  std::vector<std::string> left_out_;
};

}  // namespace

config::Format format_of(const FileName& name, const config::Settings& settings) {
  const std::string collection = name.collection();
  return settings.configured(collection, "format") != nullptr ? settings.configured(collection).format
                                                              : config::format_named(name.format);
}

CallSettings settings_of(const FileName& name, const Declared& declared, const config::Settings& settings) {
  constexpr const char* by_create = "  # nf90_create";
  std::string yaml = fmt::format(
      "file: {}{} of '{}'\nevery: on-demand{}\nformat: {}  # mode of nf90_create\nrecord-coordinate: false{}\n"
      "append: {}  # mode of nf90_create\n",
      quoted(in_template(name.path)), by_create, name.path, by_create, name.format, by_create,
      name.replaces ? "new" : "fail");
  if (declared.has_one_record()) yaml += "record-dimension: none  # nf90_def_dim without an unlimited one\n";
  CompressionOfCalls compression(name, settings);
  for (const Variable& of : declared.variables()) compression.take(of);
  if (!compression.lines().empty()) yaml += "variables:\n" + compression.lines();
  return {yaml, compression.left_out()};
}

}  // namespace thalweg::netcdf
