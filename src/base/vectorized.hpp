// Loops over many numbers are compiled a second time for processors with AVX2, and which of the two is called is found
// when the library is loaded. Both give the same bits: no product and sum are joined in one rounding.
#pragma once

// The sanitizers are not ready yet when that is found.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define THALWEG_VECTORIZED __attribute__((target_clones("avx2", "default")))
#else
#define THALWEG_VECTORIZED
#endif
