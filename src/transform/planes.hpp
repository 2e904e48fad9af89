// Shuffled bytes lie in planes: byte 0 of all elements, byte 1 of all, and so on. The first ones of numbers that a
// model computed, the lowest bytes of the significand, are noise, on which a codec loses much of its time and gains
// nothing.
#pragma once

#include <cstddef>
#include <span>

#include "transform/filter.hpp"

namespace thalweg::transform {

// How many bytes at the front of shuffled elements are planes that the codec would not make smaller by more than 1/64,
// judged by a sample of 1/32 of each and by a search for repeats of a part of it. Codecs look at the whole of small
// planes themselves, so 0 if a plane has less than 128 KiB.
std::size_t noise_bytes(Compressor& compressor, Codec codec, int level, std::span<const std::byte> shuffled,
                        std::size_t element_bytes);

}  // namespace thalweg::transform
