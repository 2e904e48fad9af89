// For calls that fail: the program may end at once.
#pragma once

namespace thalweg::api {

// Of all sessions of the process, as far as they are now. Not more often than once a second.
void keep_time_lines() noexcept;

}  // namespace thalweg::api
