// Finds the function that a wrapper stands for.
#pragma once

// As the caller would have found it without the wrapper.
void* thw_target(unsigned index, void* caller);
// A function of the library that `target` is in, or of another.
void* thw_helper(const void* target, const char* symbol);
