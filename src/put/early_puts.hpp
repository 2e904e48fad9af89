// Puts that come before the definitions of their collection have ended, which all ranks do together: each is checked
// and copied, and made when they have.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "put/puts.hpp"

namespace thalweg::put {

class EarlyPuts {
 public:
  struct Kept {
    std::string variable;
    int box = 0;
    std::unique_ptr<std::byte[]> values;  // without halo
    Field field;                          // of these
  };

  // boxes: of this rank, in the variable's dimensions. Errors: as Putter::put, but for what concerns blocks.
  void keep(const PutVariable& of, const std::vector<Box>& boxes, int box, Field field);
  std::vector<Kept> take() { return std::exchange(kept_, {}); }

 private:
  std::vector<Kept> kept_;
};

}  // namespace thalweg::put
