// Owns the files of a collection, or its parts of a set: has them made, places and commits their records, and closes
// them when all is placed.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "files/encoded_sizes.hpp"
#include "files/file_maker.hpp"
#include "files/file_role.hpp"

namespace thalweg::files {

class FileOwner final : public FileRole {
 public:
  FileOwner(const FileContext& context, const PlacementLedger& ledger, std::unique_ptr<FileMaker> maker);

  void prepare_first_file() override;
  void open_file(const Upcoming& upcoming) override;
  void give(const catalog::GivenAttribute& given) override { made_.back().given.push_back(given); }
  void end_file() override;
  bool may_place(std::int64_t record) const override;
  void place(std::int64_t record) override;
  void end_batch() override;
  bool hear(const messages::Message& message) override;
  bool hear(const block::Result& result) override;
  bool owes(std::int64_t records) const override;

 private:
  // A file that is made, until it has handed out all of its records.
  struct MadeFile {
    std::int64_t number = 0;
    std::int64_t first_record = 0;
    std::int64_t end_record = -1;  // -1: more may follow
    bool fixed_placed = false;
    std::vector<std::unique_ptr<formats::FormatFile>> parts;  // one, or the parts of a set
    std::vector<catalog::GivenAttribute> given;               // while it is open
    const formats::FormatFile& part(int place) const { return *parts[static_cast<std::size_t>(place)]; }
  };

  MadeFile& file_of(std::int64_t record);
  void place_fixed(MadeFile& made);
  void commit_closed();
  void close_ended_files();
  void complete(block::FileSummed summed);
  bool take_sizes(int writer, std::int64_t record, std::vector<std::int64_t> codes);
  void store_chunks(MadeFile& made, std::int64_t record, std::int64_t sizes_of);
  std::vector<std::int64_t> fixed_offsets(const MadeFile& made, bool has_encoded) const;
  std::vector<std::int64_t> offsets_of(int writer, const MadeFile& made, std::int64_t record) const;
  void tell_others(const messages::Message& message);
  Index shape_in_part(int variable, std::size_t part) const;
  std::set<int> set_writers_elsewhere() const;

  std::unique_ptr<FileMaker> maker_;
  std::deque<MadeFile> made_;                  // oldest first
  std::map<std::int64_t, MadeFile> unsummed_;  // those that are closed when their writer has told their sums
  EncodedSizes sizes_;
  std::int64_t committed_ = 0;  // records
};

}  // namespace thalweg::files
