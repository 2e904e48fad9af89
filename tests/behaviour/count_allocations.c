/* For LD_PRELOAD: counts the pieces of memory that a program takes, by which it can tell how much work a call is, the
 * same on a busy machine as on an idle one. */
#include <stddef.h>

/* glibc has its own function under this name, too. */
void* __libc_malloc(size_t bytes);

static long count;

void* malloc(size_t bytes) {
  __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
  return __libc_malloc(bytes);
}

long taken_pieces_of_memory(void) {
  return __atomic_load_n(&count, __ATOMIC_RELAXED);
}
