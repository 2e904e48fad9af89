#include "transport/same_build.hpp"

#include <array>
#include <climits>
#include <cstring>

#include "base/error.hpp"
#include "roles/meeting.hpp"

namespace thalweg::transport {
namespace {

using BuildWords = std::array<char, 128>;

BuildWords describe_build(const Build& build) {
  BuildWords text{};
  const std::string whole = fmt::format("{}, layout {:016x}", build.version, build.layout);
  std::memcpy(text.data(), whole.data(), std::min(whole.size(), text.size() - 1));
  return text;
}

BuildWords described_by(const roles::Circle& circle, int rank, BuildWords own) {
  roles::broadcast_value(circle, rank, own);
  return own;
}

}  // namespace

void check_same_build(const roles::Circle& circle, const Build& own) {
  const BuildWords mine = describe_build(own);
  const BuildWords first = described_by(circle, 0, mine);
  const int other = roles::reduced(circle, mine == first ? INT_MAX : circle.rank(), MPI_INT, MPI_MIN);
  if (other == INT_MAX) return;
  fail(THALWEG_ERROR_AGREEMENT,
       "the programs of this launch have different builds of Thalweg: rank 0 has {}, rank {} has {}; build the model "
       "and "
       "thalweg-server with the same one, or start the thalweg-server of the model's installation",
       first.data(), other, described_by(circle, other, mine).data());
}

}  // namespace thalweg::transport
