// Puts that come before the definitions of their collection have ended, which all ranks do together: each is checked
// and copied, and made when they have.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "put/kept_field.hpp"

namespace thalweg::put {

class EarlyPuts {
 public:
  struct Kept : KeptField {
    std::string variable;
    int box = 0;
  };

  // boxes: of this rank, in the variable's dimensions. Errors: as Putter::put, but for what concerns blocks.
  void keep(const PutVariable& of, const std::vector<Box>& boxes, int box, const Field& field);
  void keep(Kept kept) { kept_.push_back(std::move(kept)); }
  std::vector<Kept> take() { return std::exchange(kept_, {}); }
  // Those of one variable.
  std::vector<Kept> take(const std::string& variable);

 private:
  std::vector<Kept> kept_;
};

}  // namespace thalweg::put
