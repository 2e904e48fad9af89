// `append: continue`: a collection goes on with the complete file that its first record would replace. The records of
// that file from before the start of the run are read and put again, by the ranks that hold their cells, as the model
// puts its own behind them. The old file keeps its name until the new one is complete, so nothing that happens to the
// run makes it worse.
#pragma once

#include <set>
#include <span>
#include <utility>
#include <vector>

#include "formats/readable_file.hpp"
#include "put/putter.hpp"
#include "session/core.hpp"
#include "session/record_closer.hpp"

namespace thalweg::session {

class ContinuedFiles {
 public:
  // All that is given outlives this.
  ContinuedFiles(Core& core, put::Putter& putter, RecordCloser& records)
      : core_(core), putter_(putter), records_(records) {}

  // Which of the collections, whose definitions have just ended, go on with a file, or replace one in turn, before they
  // make their first ones.
  // is_told: the program has said when the run starts. Collective. Errors: STATE, STORAGE, FORMAT; nothing has changed
  // then.
  void find(std::span<Collection* const> collections, bool is_told);
  // Puts the values of variables without records, and the records that are kept. Local, as far as puts and closed
  // records are. Errors: those of reading and of puts.
  void take_over(Collection& collection);
  // Such variables keep what they have, where they have anything but fill values: the model's values are only compared,
  // and a difference is said once for each, until the run has closed a record of its own.
  static bool keeps(const Collection& collection, int variable, int box);
  void compare(const Collection& collection, int variable, int box, const put::Field& field);

  // The program still says things by which another file would be the one. Errors: STATE.
  void require_open_choice(const Collection& collection, const char* call) const;

 private:
  static void require_sums(const Collection& collection, const files::Continued& found);
  static void require_kept(const Collection& collection, const files::Continued& found);
  static void require_same(const Collection& collection);
  void find(Collection& collection, bool is_told);
  void find_turn(Collection& collection, bool is_told);
  void say(const Collection& collection, const files::Continued& found) const;
  void expect_sums(const Collection& collection) const;
  void put_again(Collection& collection, formats::ReadableFile& file, std::int64_t record, double time_s);
  void put_variable(Collection& collection, int variable, formats::ReadableFile& file, std::int64_t record,
                    const block::Moment& moment);
  void read(const Collection& collection, int variable, formats::ReadableFile& file, std::int64_t record,
            const Box& box, std::span<std::byte> values) const;

  Core& core_;
  put::Putter& putter_;
  RecordCloser& records_;
  std::vector<std::byte> values_;
  std::set<std::pair<int, int>> differing_;  // collections and variables whose values were found to
};

}  // namespace thalweg::session
