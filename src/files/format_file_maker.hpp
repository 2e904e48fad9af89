// Makes files by the format library.
#pragma once

#include <string>
#include <vector>

#include "files/file_maker.hpp"
#include "files/file_plan.hpp"
#include "files/series.hpp"

namespace thalweg::files {

class FormatFileMaker final : public FileMaker {
 public:
  // Both outlive this.
  FormatFileMaker(const Series& series, const FilePlan& plan) : series_(series), plan_(plan) {}
  // What is prepared and never taken, because the session failed before, is removed.
  ~FormatFileMaker() override { discard_prepared(); }

  std::vector<block::FileNames> names(const std::string& name) const override;
  void prepare(const std::string& name) override;
  MadeFiles take(const std::string& name) override;

 private:
  MadeFiles make(const std::string& name) const;
  void make_parts(MadeFiles& made, const std::string& path) const;
  void discard_prepared();
  static void discard(const MadeFiles& made);
  catalog::Definition definition_of_file(std::size_t file) const;  // among names()
  const config::FormatTraits& traits() const { return plan_.definition.format->traits; }
  bool sees_to_set() const { return !plan_.set.empty(); }
  bool has_master() const;
  std::shared_ptr<const sets::SetPublisher> make_set_publisher(const std::string& path) const;

  Series series_;
  const FilePlan& plan_;
  std::string prepared_;      // name of files that are made but not taken yet
  std::int64_t changes_ = 0;  // of attributes, when they were made
  MadeFiles made_;
};

}  // namespace thalweg::files
