// Calls the model's own procedure for one file: what it is told, and what becomes of what it says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "store/mover.hpp"
#include "store/orders.hpp"
#include "writer/storage_access.hpp"

namespace thalweg::writer {

// Of a block of a variable without records: as it is here.
struct RecordPlace {
  std::int64_t record = store::fixed_record;
  std::int64_t index_in_file = store::fixed_record;
  double time_s = 0.0;
};

// A file begins for the procedure with the first of these calls. Errors: STORAGE, if the procedure returns a code.
class ProcedureCaller {
 public:
  ProcedureCaller(const store::CollectionPlan& plan, std::string file, StorageAccess& access)
      : procedure_(plan.procedure), collection_(plan.name), file_(std::move(file)), access_(access) {}

  void block(const store::PlannedBlock& block, const RecordPlace& place, const std::byte* data, std::uint64_t checksum);
  void record(const RecordPlace& place);
  void end();  // again: nothing

  const store::MoverCounts& counts() const { return counts_; }

 private:
  void begin();
  thalweg_block event(thalweg_event kind, const RecordPlace& place) const;
  void call(const thalweg_block& block);

  std::shared_ptr<const store::Procedure> procedure_;
  std::string collection_;
  std::string file_;
  StorageAccess& access_;
  bool has_begun_ = false;
  bool has_ended_ = false;
  store::MoverCounts counts_;
};

}  // namespace thalweg::writer
