#include "config/format_values.hpp"

#include <algorithm>
#include <utility>

namespace thalweg::config {

Values<Format> format_names() {
  return one_of(words_of(formats()));
}

std::string notes_on_formats() {
  return notes_of(formats(), &FormatDescription::note);
}

Values<Codec> codec_names() {
  return one_of(words_or_none(codecs()));
}

std::string codec_plugins() {
  std::vector<std::string_view> with, without;
  for (const Codec codec : codecs())
    if (codec->hdf5_filter != 0) (codec->is_in_hdf5 ? without : with).push_back(codec->name);
  return fmt::format("a plug-in of HDF5 for {}, none for {}", fmt::join(with, " and "), fmt::join(without, " and "));
}

Values<std::int64_t> codec_levels() {
  Levels all = codecs().front()->levels;
  for (const Codec codec : codecs()) {
    all.least = std::min(all.least, codec->levels.least);
    all.most = std::max(all.most, codec->levels.most);
  }
  return count_between(all.least, all.most);
}

std::string codec_levels_text() {
  std::vector<std::string> texts;
  for (const Codec codec : codecs())
    texts.push_back(fmt::format("{} {} to {} (auto: {})", codec->name, codec->levels.least, codec->levels.most,
                                codec->levels.usual));
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace thalweg::config
