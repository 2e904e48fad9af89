// (source: "The NetCDF Classic Format Specification" and "NetCDF File Format Limitations" of the netCDF User Guide)
#include "formats/cdf/limits.hpp"

#include "base/error.hpp"
#include "formats/cdf/header.hpp"
#include "formats/limits.hpp"

namespace thalweg::formats::cdf {
namespace {

using catalog::Definition;
using catalog::Variable;

constexpr std::int64_t gib = std::int64_t{1} << 30;

// Limits of CDF-1 and CDF-2 on variables of one kind, fixed-size or with records, in the order of the file. The last
// one may have any size if nothing follows whose place would have to be expressed.
class ClassicSizes {
 public:
  ClassicSizes(const Definition& definition, std::int64_t begin)
      : definition_(definition), limit_((cdf_version(definition.format) == 1 ? 2 : 4) * gib - 4), begin_(begin) {}

  void add(const Variable& variable) {
    refuse_large();
    if (cdf_version(definition_.format) == 1 && begin_ > 2 * gib - 4)
      refuse_size(definition_, variable,
                  fmt::format("it would start at about byte {}, and cdf1 reaches up to 2 GiB - 4", begin_));
    last_bytes_ = padded_bytes(definition_, variable);
    last_ = &variable;
    begin_ += last_bytes_;
  }

  // If the last one is large, something that follows makes it one too many.
  void refuse_large() const {
    if (last_ != nullptr && last_bytes_ > limit_)
      refuse_size(definition_, *last_,
                  fmt::format("it has {} bytes{}, and only the last variable of a file may have more than {}",
                              last_bytes_, last_->has_record ? " a record" : "", limit_));
  }

  std::int64_t end() const { return begin_; }

 private:
  const Definition& definition_;
  std::int64_t limit_;
  std::int64_t begin_;
  std::int64_t last_bytes_ = 0;
  const Variable* last_ = nullptr;
};

}  // namespace

void check_classic_sizes(const Definition& definition) {
  ClassicSizes fixed(definition, definition.header_reserve);
  bool has_records = false;
  for (const Variable& variable : definition.variables) {
    if (!variable.has_record) fixed.add(variable);
    has_records = has_records || variable.has_record;
  }
  if (has_records) fixed.refuse_large();
  ClassicSizes records(definition, fixed.end());
  for (const Variable& variable : definition.variables)
    if (variable.has_record) records.add(variable);
}

}  // namespace thalweg::formats::cdf
