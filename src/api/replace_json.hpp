// Files that tell of a run: an earlier one is replaced as a whole, and no link is followed.
#pragma once

#include <string>

namespace thalweg::api {

// what: "profile". Errors: STORAGE, also where something else has the name.
void replace_json(const std::string& path, const std::string& text, const char* what);

}  // namespace thalweg::api
