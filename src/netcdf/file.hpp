// A file that a program writes with netCDF's calls, every rank its own part. What is put is kept until the first record
// is closed, or the file: then all ranks know which part each of them has, and the collection is opened that the file
// is written as. From there on a put goes into its block at once.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "netcdf/collections.hpp"
#include "netcdf/declared.hpp"
#include "netcdf/kept_puts.hpp"
#include "netcdf/values.hpp"

namespace thalweg::netcdf {

class File {
 public:
  // All outlive this.
  File(session::Session& session, Collections& collections, FileName name);
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  const FileName& name() const { return name_; }
  const Declared& declared() const { return declared_; }
  // That are closed, and the one that has values.
  std::int64_t records() const { return record_.number + (record_.has_values ? 1 : 0); }
  // For definitions. Errors: STATE once the first record, or the file, is closed.
  Declared& to_declare(const std::string& what);
  // An attribute of a variable, or of the whole_file: behind the first record, of the complete file. Errors: as of
  // thalweg_add_attribute.
  void give(int variable, catalog::Attribute attribute);

  // This rank's part of a variable, of which start and count are as box_of() has them, and in a record those of the
  // record dimension come first. Local; it closes the record before, if this one is the next. Errors: SHAPE, STATE, and
  // those of thalweg_put and thalweg_record.
  void put(int variable, const Given& start, const Given& count, const put::Field& array);
  // Closes the record that has values on any rank. Collective.
  void sync();
  // Closes the record and the file. Collective.
  void close();
  // Errors: why it cannot be written.
  void throw_if_failed() const;

 private:
  struct OpenRecord {
    std::int64_t number = 0;
    bool has_values = false;  // of this rank
  };

  const std::string& place_of(int variable);
  std::int64_t take_record(int variable, Box& box);
  void put_box(int variable, Box box, const put::Field& array);
  void expect(int variable, const Box& box);
  void keep(int variable, const Box& box, Values values);
  void require_same(int variable, const Box& box, const put::Field& array);
  void put_now(int variable, const Box& box, const put::Field& array);
  int number_of(int variable, const Box& box);
  bool is_begun(const std::string& action);
  void close_record();
  void close_one_record();
  // Else its values are those of the whole file.
  bool is_of_record(int variable) const {
    return declared_.has_one_record() || declared_.variable(variable).has_record;
  }
  // An error in it is that of all ranks: the file is none any more, and each later call of it says why.
  template <typename Step>
  auto for_all(const Step& step) {
    try {
      return step();
    } catch (const Error& error) {
      failed_ = error;
      kept_.clear();
      throw;
    }
  }
  void find_collection();
  void put_kept();
  std::uint64_t values_without_records() const;

  session::Session& session_;
  Collections& collections_;
  FileName name_;
  Declared declared_;
  std::deque<std::string> places_;  // of variables, for messages, where they stay
  std::vector<Parts> parts_;        // of each variable, as they came before the file is settled
  std::vector<Kept> kept_;
  std::map<int, Joined> joined_;                               // variables of which some parts have come
  std::map<std::pair<int, int>, std::uint64_t> written_once_;  // what of variables without records, and its fingerprint
  Written* written_ = nullptr;                                 // once it is settled
  bool is_next_ = false;                                       // of a collection that had files before
  std::optional<Error> failed_;                                // it cannot be written
  OpenRecord record_;
  bool some_put_nothing_ = false;  // ranks, of the first record
  bool is_settled_ = false;        // what was kept is put
};

}  // namespace thalweg::netcdf
