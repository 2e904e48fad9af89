// A name that a collection writes to, from the moment before its file is made until the file has it, or never gets it.
// Its owner holds the lock of the name (storage/name_lock.hpp) as long.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "config/settings.hpp"
#include "storage/checksum_file.hpp"
#include "storage/file_identity.hpp"
#include "storage/name_lock.hpp"
#include "storage/partial_name.hpp"
#include "storage/publish.hpp"

namespace thalweg::storage {

// What a collection's configuration and the run say of files that are there already.
struct NameRules {
  std::string collection;
  std::string session_id{};
  config::Append append = config::Append::new_file;
  bool replaces_any = false;                        // the configuration says so, and it is not by default
  bool replaces_in_turn = false;                    // its own files, again and again
  std::int64_t keep_unfinished = config::keep_all;  // files of killed runs that are kept aside
  bool can_have_records = false;                    // the files of the collection
  bool has_magic = false;                           // they begin with it
  // What may be replaced, as formats know it (formats/replacing.hpp). Errors: STORAGE.
  FolderCheck check_folder = nullptr;
  std::function<void(const std::string& path)> check_complete{};  // of a file or folder that is complete
};

class OutputName : public block::Publication {
 public:
  // Takes the lock, makes way for a new file under the partial name, and refuses what must not be replaced: by
  // `append`, other people's folders, and the records of a run that this one continues. What a killed run left under
  // the partial name is kept aside with its journal. Errors: STORAGE.
  OutputName(NameRules rules, const std::string& path);
  OutputName(const OutputName&) = delete;
  OutputName& operator=(const OutputName&) = delete;

  const std::string& path() const { return path_; }
  const std::string& partial_path() const { return partial_path_; }
  // Of a part: an earlier set of the name has parts.
  void set_is_there() { replaces_ = true; }
  bool spares_complete(std::int64_t records) const override {
    return replaces_ && rules_.can_have_records && records == 0;
  }

  // By storage/publish.hpp; what the file replaces is said in one line.
  bool publish(const block::FileIdentity& written, bool durable,
               const std::optional<block::Checksums>& checksums = {}) const override;
  void discard() const override;
  void give_up() const override;

 private:
  void refuse_by_append() const;
  void refuse_foreign() const;

  NameRules rules_;
  std::string path_;
  std::string partial_path_;
  NameLock lock_;
  bool replaces_ = false;  // a complete file has the name
};

}  // namespace thalweg::storage
