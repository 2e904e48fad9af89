#include "session/commands.hpp"

namespace thalweg::session::commands {

Select selected(int decomposition, const std::vector<std::string>& dimensions,
                const std::vector<geometry::Selection>& selections) {
  Select select{decomposition, dimensions, {}, {}};
  for (const geometry::Selection& selection : selections) {
    select.progressions.push_back(std::ssize(selection.progressions()));
    for (const geometry::Progression& each : selection.progressions())
      select.numbers.insert(select.numbers.end(), {each.first, each.step, each.count});
  }
  return select;
}

std::vector<geometry::Selection> selections_of(const Select& select) {
  std::vector<geometry::Selection> selections;
  const std::int64_t* number = select.numbers.data();
  for (const std::int64_t count : select.progressions) {
    std::vector<geometry::Progression> progressions;
    for (std::int64_t i = 0; i < count; ++i, number += 3) progressions.push_back({number[0], number[1], number[2]});
    selections.emplace_back(std::move(progressions));
  }
  return selections;
}

}  // namespace thalweg::session::commands
