// What all checks of sizes have in common.
#pragma once

#include <cstdint>
#include <string>

#include "catalog/definition.hpp"

namespace thalweg::formats {

// Bytes of the variable, or of one record of it, as the CDF formats pad them. Errors: FORMAT, if no number holds them.
std::int64_t padded_bytes(const catalog::Definition& definition, const catalog::Variable& variable);

[[noreturn]] void refuse_size(const catalog::Definition& definition, const catalog::Variable& variable,
                              const std::string& why);

}  // namespace thalweg::formats
