/* For LD_PRELOAD: system calls on files that are interrupted or fail, where Thalweg makes them and no other library:
 *
 * - THALWEG_TEST_INTERRUPT: every other call of each kind fails with EINTR, and does nothing;
 * - THALWEG_TEST_CLOSE_ERRNO: closing a file for whose path THALWEG_TEST_CLOSE_PATH is a part, and which is open for
 *   writing, fails with this error number, after the file is closed;
 * - THALWEG_TEST_FSYNC_ERRNO: fsync of a file whose path ends in THALWEG_TEST_FSYNC_PATH fails with this error number;
 * - THALWEG_TEST_CRASH_PATH: whoever reads a file with this in its path, in any library, gets a signal: SIGSEGV, or the
 *   one of the number THALWEG_TEST_CRASH_SIGNAL; with THALWEG_TEST_CRASH_RANK only this rank does;
 * - THALWEG_TEST_STALL_PATH: who reads a file with this in its path sleeps for THALWEG_TEST_STALL_S seconds before, in
 *   the thread THALWEG_TEST_STALL_THREAD ("thw reads ahead"), and makes the file THALWEG_TEST_STALL_MARK when it begins
 *   to. THALWEG_TEST_STALL_IF: only if there is this file.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define PATH_BYTES 4096

/* The path of an open file; "" if there is none. */
static const char* path_of(int fd, char* path) {
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, path, PATH_BYTES - 1);
  path[length < 0 ? 0 : length] = '\0';
  return path;
}

static int has_in_path(int fd, const char* part) {
  char path[PATH_BYTES];
  return part != NULL && strstr(path_of(fd, path), part) != NULL;
}

static int has_at_end_of_path(int fd, const char* part) {
  char path[PATH_BYTES];
  if (part == NULL) return 0;
  const size_t length = strlen(path_of(fd, path));
  return length >= strlen(part) && strcmp(path + length - strlen(part), part) == 0;
}

/* Whether the call comes from Thalweg, and is one of those that are to be interrupted. */
static int is_interrupted(atomic_long* calls, const void* caller) {
  Dl_info from;
  if (getenv("THALWEG_TEST_INTERRUPT") == NULL) return 0;
  if (dladdr(caller, &from) == 0 || strstr(from.dli_fname, "libthalweg.so") == NULL) return 0;
  if (atomic_fetch_add(calls, 1) % 2 != 0) return 0;
  errno = EINTR;
  return 1;
}

#define INTERRUPTED(RESULT, NAME, PARAMETERS, ARGUMENTS)                                  \
  RESULT NAME PARAMETERS {                                                                \
    static atomic_long calls;                                                             \
    static RESULT(*original) PARAMETERS;                                                  \
    if (original == NULL) *(void**)&original = dlsym(RTLD_NEXT, #NAME);                   \
    return is_interrupted(&calls, __builtin_return_address(0)) ? -1 : original ARGUMENTS; \
  }

#define OPENING(NAME, PARAMETERS, ARGUMENTS)                                              \
  int NAME PARAMETERS {                                                                   \
    static atomic_long calls;                                                             \
    static int(*original) PARAMETERS;                                                     \
    if (original == NULL) *(void**)&original = dlsym(RTLD_NEXT, #NAME);                   \
    mode_t mode = 0;                                                                      \
    if ((flags & (O_CREAT | O_TMPFILE)) != 0) {                                           \
      va_list list;                                                                       \
      va_start(list, flags);                                                              \
      mode = va_arg(list, mode_t);                                                        \
      va_end(list);                                                                       \
    }                                                                                     \
    return is_interrupted(&calls, __builtin_return_address(0)) ? -1 : original ARGUMENTS; \
  }

OPENING(open, (const char* path, int flags, ...), (path, flags, mode))
OPENING(open64, (const char* path, int flags, ...), (path, flags, mode))
OPENING(openat, (int folder, const char* path, int flags, ...), (folder, path, flags, mode))
OPENING(openat64, (int folder, const char* path, int flags, ...), (folder, path, flags, mode))
INTERRUPTED(int, fdatasync, (int fd), (fd))
INTERRUPTED(int, syncfs, (int fd), (fd))
INTERRUPTED(int, ftruncate, (int fd, off_t bytes), (fd, bytes))
INTERRUPTED(int, ftruncate64, (int fd, off64_t bytes), (fd, bytes))
INTERRUPTED(int, fallocate, (int fd, int mode, off_t offset, off_t bytes), (fd, mode, offset, bytes))
INTERRUPTED(int, fallocate64, (int fd, int mode, off64_t offset, off64_t bytes), (fd, mode, offset, bytes))
INTERRUPTED(ssize_t, pwrite, (int fd, const void* data, size_t bytes, off_t offset), (fd, data, bytes, offset))
INTERRUPTED(ssize_t, pwrite64, (int fd, const void* data, size_t bytes, off64_t offset), (fd, data, bytes, offset))
INTERRUPTED(ssize_t, pwritev, (int fd, const struct iovec* data, int count, off_t offset), (fd, data, count, offset))
INTERRUPTED(ssize_t, pwritev64, (int fd, const struct iovec* data, int count, off64_t offset),
            (fd, data, count, offset))
INTERRUPTED(int, mkdirat, (int folder, const char* path, mode_t mode), (folder, path, mode))
INTERRUPTED(int, unlinkat, (int folder, const char* path, int flags), (folder, path, flags))
INTERRUPTED(int, renameat, (int from, const char* path, int to, const char* name), (from, path, to, name))

static void crash_if_asked(int fd) {
  const char* path = getenv("THALWEG_TEST_CRASH_PATH");
  if (path == NULL) return;
  const char* wanted = getenv("THALWEG_TEST_CRASH_RANK");
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  if (rank == NULL) rank = getenv("PMI_RANK");
  if (wanted != NULL && (rank == NULL || strcmp(rank, wanted) != 0)) return;
  const char* number = getenv("THALWEG_TEST_CRASH_SIGNAL");
  if (has_in_path(fd, path)) raise(number == NULL ? SIGSEGV : atoi(number));
}

static int is_thread_that_stalls(void) {
  const char* asked = getenv("THALWEG_TEST_STALL_THREAD");
  char name[16] = "";
  pthread_getname_np(pthread_self(), name, sizeof name);
  return strcmp(name, asked == NULL ? "thw reads ahead" : asked) == 0;
}

static void stall_if_asked(int fd) {
  const char* path = getenv("THALWEG_TEST_STALL_PATH");
  if (path == NULL || !is_thread_that_stalls() || !has_in_path(fd, path)) return;
  const char* condition = getenv("THALWEG_TEST_STALL_IF");
  if (condition != NULL && access(condition, F_OK) != 0) return;
  close(open(getenv("THALWEG_TEST_STALL_MARK"), O_CREAT | O_WRONLY | O_CLOEXEC, 0644));
  sleep((unsigned)atoi(getenv("THALWEG_TEST_STALL_S")));
}

#define CRASHING(NAME, OFFSET)                                          \
  ssize_t NAME(int fd, void* data, size_t bytes, OFFSET offset) {       \
    static ssize_t (*original)(int, void*, size_t, OFFSET);             \
    static atomic_long calls;                                           \
    if (original == NULL) *(void**)&original = dlsym(RTLD_NEXT, #NAME); \
    crash_if_asked(fd);                                                 \
    stall_if_asked(fd);                                                 \
    if (is_interrupted(&calls, __builtin_return_address(0))) return -1; \
    return original(fd, data, bytes, offset);                           \
  }

CRASHING(pread, off_t)
CRASHING(pread64, off64_t)

int close(int fd) {
  static int (*original)(int);
  if (original == NULL) *(void**)&original = dlsym(RTLD_NEXT, "close");
  const char* error = getenv("THALWEG_TEST_CLOSE_ERRNO");
  const int fails = error != NULL && (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY &&
                    has_in_path(fd, getenv("THALWEG_TEST_CLOSE_PATH"));
  const int result = original(fd);
  if (!fails) return result;
  errno = atoi(error);
  return -1;
}

int fsync(int fd) {
  static int (*original)(int);
  static atomic_long calls;
  if (original == NULL) *(void**)&original = dlsym(RTLD_NEXT, "fsync");
  const char* error = getenv("THALWEG_TEST_FSYNC_ERRNO");
  if (error != NULL && has_at_end_of_path(fd, getenv("THALWEG_TEST_FSYNC_PATH"))) {
    errno = atoi(error);
    return -1;
  }
  return is_interrupted(&calls, __builtin_return_address(0)) ? -1 : original(fd);
}
