// What goes wrong in work on a file.
#pragma once

#include <utility>

#include "base/error.hpp"
#include "block/collection_plan.hpp"
#include "writer/surroundings.hpp"

namespace thalweg::writer {

// The failure of all is reported before the file is said to have it: who learns of it by the file finds its text.
template <typename Work>
auto at_file(std::int64_t file, const block::CollectionPlan& plan, const Surroundings& around, const Work& work) {
  try {
    return work();
  } catch (...) {
    const Error error = error_in_flight("in the writer");
    around.failures.report_writer(error);
    plan.rings.moments().progress().note_error(file, error.code());
    around.wake_ups.note_progress();
    throw;
  }
}

}  // namespace thalweg::writer
