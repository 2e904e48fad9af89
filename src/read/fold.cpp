#include "read/fold.hpp"

#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace thalweg::read {
namespace {

bool is_one_of(const std::string& word, std::string_view letters) {
  return word.size() == 1 && letters.find(word.front()) != letters.npos;
}

}  // namespace

Fold fold_of(std::string_view words, const std::string& where) {
  std::istringstream stream{std::string(words)};
  const std::vector<std::string> said{std::istream_iterator<std::string>(stream), {}};
  const bool has_sign = said.size() == 4;
  if (said.size() < 3 || said.size() > 4 || said[0] != "fold" || !is_one_of(said[1], "TF") ||
      !is_one_of(said[2], "TUVF") || (has_sign && said[3] != "1" && said[3] != "-1"))
    fail(THALWEG_ERROR_ARGUMENT,
         "{}: '{}' is no fold: behind it come the pivot (T or F), the points of the values (T, U, V or F), and -1 for "
         "components of vectors, as in 'y=fold T U -1'",
         where, words);
  const char point = said[2].front();
  const int pivot = said[1] == "F" ? 1 : 0;
  Fold fold;
  fold.mirror.is_negated = has_sign && said[3] == "-1";
  fold.row_shift = pivot - (point == 'V' || point == 'F' ? 1 : 0);
  fold.column_shift = -pivot - (point == 'U' || point == 'F' ? 1 : 0);
  return fold;
}

}  // namespace thalweg::read
