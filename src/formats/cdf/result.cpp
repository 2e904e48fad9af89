// Writes CDF files with what models use: header by create(), data by the mover.
#include "base/element_bits.hpp"
#include "formats/cdf/file.hpp"
#include "storage/journal.hpp"
#include "storage/mover.hpp"

namespace thalweg::formats::cdf {
namespace {

class CdfResult : public ResultFile {
 public:
  CdfResult(const std::string& path, const catalog::Definition& definition, std::int64_t records)
      : definition_(definition),
        records_(records),
        file_(create_cdf(path, definition, config::Durability::none)),
        mover_(path, config::DirectIo::off) {
    file_->extend(records);
  }

  void write(int v, std::int64_t record, const Box& box, std::span<std::byte> values) override {
    const catalog::Variable& variable = definition_.variable(v);
    const auto element_bytes = static_cast<std::int64_t>(size_of(variable.type));
    const Index stride = contiguous_strides(definition_.shape(variable), element_bytes);
    const std::int64_t offset = file_->offset(v, record, 0) + offset_of(box.start, stride);
    swap_bytes(values, size_of(variable.type));
    storage::DataRun run{offset, values.data(), std::ssize(values)};
    mover_.write(std::span(&run, 1));
  }

  void close() override {
    storage::apply(mover_, file_->close(records_), nullptr, true);
    mover_.close();
  }

 private:
  catalog::Definition definition_;
  std::int64_t records_;
  std::unique_ptr<FormatFile> file_;
  storage::Mover mover_;
};

}  // namespace

std::unique_ptr<ResultFile> create_result_cdf(const std::string& path, const catalog::Definition& definition,
                                              std::int64_t records) {
  return std::make_unique<CdfResult>(path, definition, records);
}

}  // namespace thalweg::formats::cdf
