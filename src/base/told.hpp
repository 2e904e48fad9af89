// How messages tell numbers and lists: as the language counts and orders them in which the program began its session.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/box.hpp"

namespace thalweg::told {

enum class Language { c, fortran };

// Of the process. The last one that was set counts.
void set_language(Language language);
bool is_fortran();

// What the program calls the element, record, box or dimension of this number, which counts from 0.
std::int64_t number(std::int64_t from_zero);
std::string_view first();  // "0" or "1": from where numbers count
std::string_view order();  // of dimensions: "slowest first" or "fastest first"

// Of things that are given slowest first: the number of the dimension, and lists of all.
std::int64_t dimension(int d, int rank);
std::string extents(const Index& slowest_first);
std::string starts(const Index& slowest_first);
std::string names(std::vector<std::string> slowest_first);  // "time,y,x"

// As the language writes sections of arrays: "[0:4, 2:3]" without the last index, in Fortran "[3:3, 1:4]" with it.
std::string box(const Box& slowest_first);
std::string_view sections();  // how boxes are told: from where, to where and in which order

}  // namespace thalweg::told
