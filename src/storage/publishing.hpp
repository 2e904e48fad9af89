// How files get their names: a policy of the format.
#pragma once

#include <memory>
#include <string>

#include "config/format.hpp"
#include "storage/output_name.hpp"

namespace thalweg::storage {

// Under which name a file grows.
std::string growing_path(config::Publishing publishing, const std::string& path);

// Takes the name, before the file is made; of one that is written in place nothing is taken, and if it is let go before
// it is published or discarded, a warning says what is left in it. set_is_there: it is that of a part of a set, of
// which there are parts of an earlier run. Errors: STORAGE.
std::shared_ptr<const block::Publication> claim(config::Publishing publishing, const NameRules& rules,
                                                const std::string& path, bool set_is_there = false);

}  // namespace thalweg::storage
