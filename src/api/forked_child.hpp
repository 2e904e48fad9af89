// A child that the program forks has the handles of its parent's sessions, but none of its threads, and MPI is not its
// own: what it does at its end is not to be taken for the end of the parent's run.
#pragma once

namespace thalweg::api {

// From the first call on.
void watch_forks();
bool is_forked_child() noexcept;

}  // namespace thalweg::api
