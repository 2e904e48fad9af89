/* For LD_PRELOAD: a storage that stalls or fails. Writes to paths that contain ".partial" are counted, a process; the
 * environment says:
 *
 * - THALWEG_TEST_PWRITE_PATH: only paths that contain this as well;
 * - THALWEG_TEST_PWRITE_AFTER: the number of writes that go well;
 * - THALWEG_TEST_PWRITE_STALL_S: the write after them takes this long, once;
 * - THALWEG_TEST_PWRITE_DELAY_MS: and every write after them this much longer;
 * - THALWEG_TEST_PWRITE_ERRNO: or every write after them fails with this error number;
 * - THALWEG_TEST_NO_FALLOCATE: the file system has no fallocate, so that files may be sparse.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/uio.h>

#include "preload.h"

static int is_partial(int fd) {
  char path[4096];
  path_of(fd, path);
  const char* part = getenv("THALWEG_TEST_PWRITE_PATH");
  return strstr(path, ".partial") != NULL && (part == NULL || strstr(path, part) != NULL);
}

/* The error number that a write is to fail with; 0: it is to be made. */
static int disturbance(int fd) {
  static atomic_long writes;
  if (!is_partial(fd)) return 0;
  const long earlier = atomic_fetch_add(&writes, 1);
  const long after = setting("THALWEG_TEST_PWRITE_AFTER");
  if (earlier == after) sleep((unsigned)setting("THALWEG_TEST_PWRITE_STALL_S"));
  if (earlier >= after) usleep((useconds_t)setting("THALWEG_TEST_PWRITE_DELAY_MS") * 1000);
  return earlier < after ? 0 : (int)setting("THALWEG_TEST_PWRITE_ERRNO");
}

#define DISTURBED(NAME, OFFSET, TYPE, COUNT_TYPE)                       \
  ssize_t NAME(int fd, TYPE data, COUNT_TYPE count, OFFSET offset) {    \
    static ssize_t (*original)(int, TYPE, COUNT_TYPE, OFFSET);          \
    if (original == NULL) *(void**)&original = dlsym(RTLD_NEXT, #NAME); \
    const int error = disturbance(fd);                                  \
    if (error == 0) return original(fd, data, count, offset);           \
    errno = error;                                                      \
    return -1;                                                          \
  }

DISTURBED(pwrite, off_t, const void*, size_t)
DISTURBED(pwrite64, off64_t, const void*, size_t)
DISTURBED(pwritev, off_t, const struct iovec*, int)
DISTURBED(pwritev64, off64_t, const struct iovec*, int)

#define WITHOUT(NAME, OFFSET)                                                             \
  int NAME(int fd, int mode, OFFSET offset, OFFSET length) {                              \
    static int (*original)(int, int, OFFSET, OFFSET);                                     \
    if (original == NULL) *(void**)&original = dlsym(RTLD_NEXT, #NAME);                   \
    if (!setting("THALWEG_TEST_NO_FALLOCATE")) return original(fd, mode, offset, length); \
    errno = EOPNOTSUPP;                                                                   \
    return -1;                                                                            \
  }

WITHOUT(fallocate, off_t)
WITHOUT(fallocate64, off64_t)
