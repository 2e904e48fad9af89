// CDF-1, CDF-2 and CDF-5.
#pragma once

#include <memory>
#include <string>

#include "formats/format_file.hpp"
#include "formats/found_records.hpp"
#include "formats/readable_file.hpp"
#include "formats/registry.hpp"
#include "formats/result_file.hpp"

namespace thalweg::formats::cdf {

std::unique_ptr<FormatFile> create_cdf(const std::string& path, const catalog::Definition& definition,
                                       config::Durability durability);
std::unique_ptr<ResultFile> create_result_cdf(const std::string& path, const catalog::Definition& definition,
                                              std::int64_t records);
std::unique_ptr<ReadableFile> open_readable_cdf(const std::string& path, Unreadable unreadable = Unreadable::refuse);
FileLength length_of_cdf(const std::string& path);
FoundRecords first_in_cdf(const std::string& path);

// Cuts a file of a killed run to its whole records, which its header says, or its length if that is less.
std::int64_t recover_cdf(const std::string& path, bool had_owner);

}  // namespace thalweg::formats::cdf
