// What thalweg-check tells a person of what it found.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

// Lines, each with its end: settings (all of them, or those that are not the default ones), the first records of each
// collection, and who does what.
std::string report_of(const nlohmann::ordered_json& found, bool all_settings);

// A line of each fault, and of what belongs to it; then how many there are in the file.
std::string faults_of(const nlohmann::ordered_json& found, const std::string& file);
