// The model's puts: of a collection that is ready, into blocks and messages; before that they are kept.
#pragma once

#include <string_view>

#include "put/putter.hpp"
#include "session/continued_files.hpp"
#include "session/core.hpp"
#include "session/record_closer.hpp"

namespace thalweg::session {

class FieldPuts {
 public:
  // All that is given outlives this.
  FieldPuts(Core& core, put::Putter& putter, RecordCloser& records, ContinuedFiles& continued)
      : core_(core), putter_(putter), records_(records), continued_(continued) {}

  // Errors: as those of puts; STATE for other values of a fixed variable once the file that they are for has begun.
  void put(Collection& collection, std::string_view variable, int box, const put::Field& field);
  // Those that were kept.
  void make_early();

 private:
  void put_record(Collection& collection, int number, int box, const put::Field& field);
  void put_fixed(Collection& collection, int number, int box, const put::Field& field);

  Core& core_;
  put::Putter& putter_;
  RecordCloser& records_;
  ContinuedFiles& continued_;
};

}  // namespace thalweg::session
