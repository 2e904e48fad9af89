// Values of an expression, strip by strip, of what is kept and of what is just put.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fields/cells_put.hpp"
#include "fields/evaluator.hpp"
#include "fields/kept_values.hpp"
#include "fields/sample.hpp"
#include "fields/strip.hpp"

namespace thalweg::fields {

class Evaluated : public Strips {
 public:
  struct Live {
    std::size_t operand;
    const PutSample* put;  // null: all are kept
    const std::vector<double>* missing;
  };
  // Of a box of so many cells. kept: of each operand; null: of what is just put. All outlives this.
  Evaluated(const Evaluator& evaluator, std::vector<const KeptValues*> kept, std::int64_t cells, Live live);

  bool are_all() const { return put_.empty(); }
  // Cells that had all operands and no finite result, the last time.
  std::int64_t faults() const { return faults_; }

  void for_each_strip(const Use& use) const override;

 private:
  struct Rooms {
    std::vector<OperandStrip> operands;
    Evaluator::Scratch scratch{};
    ShortStripRoom results{};
  };
  template <typename Number>
  OperandStrip live_strip(std::span<const Number> values, std::span<const std::uint8_t> holding, Number* room) const;
  void evaluate(std::int64_t first, std::size_t count, Rooms& rooms, const Use& use) const;

  const Evaluator& evaluator_;
  std::vector<const KeptValues*> kept_;
  std::int64_t cells_;
  Live live_;
  CellsPut put_;
  mutable std::int64_t faults_ = 0;
};

}  // namespace thalweg::fields
