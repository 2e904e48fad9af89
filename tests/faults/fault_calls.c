/* For LD_PRELOAD: one call to the storage that fails, or at which the process dies. Calls are counted, a process, that
 * have to do with a path that contains THALWEG_TEST_CALLS_UNDER ("/out/": also with the folder out itself). The
 * environment says further:
 *
 * - THALWEG_TEST_CALLS_KINDS: which kinds are counted, with blanks around each; without it, all of them. Kinds:
 *   create (open that may make or empty a file), open, truncate, allocate, write, sync, rename, link, unlink, close,
 *   mkdir;
 * - THALWEG_TEST_CALLS_NUMBER: which one is disturbed, from 1 on; 0: none;
 * - THALWEG_TEST_CALLS_ACTION: "before", "half" or "after": the process is killed before the call, when half of it is
 *   done (of a write; other calls are whole), or after it; "short": half of a write is done, and said to be; a number:
 *   the call fails with this error number (close closes the file all the same, as the kernel's does);
 * - THALWEG_TEST_CALLS_LASTS: 1: all calls after that one fail too;
 * - THALWEG_TEST_CALLS_RANK: only in this rank of MPI_COMM_WORLD;
 * - THALWEG_TEST_CALLS_LOG: a file to which the kind and the path of each counted call are appended;
 * - THALWEG_TEST_CALLS_DETAILS: 1: in front of them, its rank in MPI_COMM_WORLD ("-": none) and how many bytes it
 * writes.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "preload.h"

enum action { CALL, FAIL, KILL_BEFORE, KILL_HALF, KILL_AFTER, SHORT };
struct verdict {
  enum action action;
  int error;
};

static void* next(const char* name) {
  return dlsym(RTLD_NEXT, name);
}

/* What the call that is judged is to write. */
static _Thread_local size_t bytes_to_write;

/* The raw calls are not counted. */
static void note(const char* kind, const char* path) {
  const char* log = getenv("THALWEG_TEST_CALLS_LOG");
  if (log == NULL) return;
  char details[64] = "", line[4300];
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  if (setting("THALWEG_TEST_CALLS_DETAILS"))
    snprintf(details, sizeof details, "%s %zu ", rank == NULL ? "-" : rank, bytes_to_write);
  const int length = snprintf(line, sizeof line, "%s%s %s\n", details, kind, path);
  const int file = (int)syscall(SYS_openat, AT_FDCWD, log, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0644);
  if (syscall(SYS_write, file, line, (size_t)length) < 0) perror(log);
  syscall(SYS_close, file);
}

/* Three texts behind each other. By hand, because a sanitizer makes folders while it begins, and neither snprintf nor
 * strcat can be called then. */
static void joined(char* to, size_t room, const char* one, const char* other, const char* third) {
  const char* texts[] = {one, other, third};
  size_t used = 0;
  for (int t = 0; t < 3; ++t)
    for (const char* c = texts[t]; *c != '\0' && used + 1 < room; ++c) to[used++] = *c;
  to[used] = '\0';
}

static int is_counted(const char* kind, const char* path) {
  const char* under = getenv("THALWEG_TEST_CALLS_UNDER");
  char closed[8300];
  joined(closed, sizeof closed, path, "/", "");
  if (under == NULL || strstr(closed, under) == NULL) return 0;
  const char* only = getenv("THALWEG_TEST_CALLS_RANK");
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  if (only != NULL && rank != NULL && strcmp(only, rank) != 0) return 0;
  const char* kinds = getenv("THALWEG_TEST_CALLS_KINDS");
  char word[32];
  snprintf(word, sizeof word, " %s ", kind);
  return kinds == NULL || strstr(kinds, word) != NULL;
}

static struct verdict planned(void) {
  const char* text = getenv("THALWEG_TEST_CALLS_ACTION");
  if (text == NULL) return (struct verdict){CALL, 0};
  if (strcmp(text, "before") == 0) return (struct verdict){KILL_BEFORE, 0};
  if (strcmp(text, "half") == 0) return (struct verdict){KILL_HALF, 0};
  if (strcmp(text, "after") == 0) return (struct verdict){KILL_AFTER, 0};
  if (strcmp(text, "short") == 0) return (struct verdict){SHORT, 0};
  return (struct verdict){FAIL, atoi(text)};
}

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

/* What is to become of a call; it does not return when the process is to die before it. */
static struct verdict judge(const char* kind, const char* path) {
  static atomic_long calls;
  const struct verdict undisturbed = {CALL, 0};
  const int before = errno;
  if (!is_counted(kind, path)) {
    errno = before;
    return undisturbed;
  }
  const long number = atomic_fetch_add(&calls, 1) + 1;
  note(kind, path);
  errno = before;
  const long chosen = setting("THALWEG_TEST_CALLS_NUMBER");
  if (chosen == 0 || number < chosen || (number > chosen && !setting("THALWEG_TEST_CALLS_LASTS"))) return undisturbed;
  const struct verdict verdict = planned();
  if (verdict.action == KILL_BEFORE) die();
  return verdict;
}

static struct verdict judge_fd(const char* kind, int fd) {
  char path[4096];
  path_of(fd, path);
  return judge(kind, path);
}

/* A path as it was given to a call, in front of it the folder that it is relative to. */
static struct verdict judge_at(const char* kind, int folder, const char* name) {
  char before[4096] = "", path[8200];
  const int is_relative = name[0] != '/';
  if (is_relative && folder != AT_FDCWD)
    path_of(folder, before);
  else if (is_relative && getcwd(before, sizeof before) == NULL)
    before[0] = '\0';
  joined(path, sizeof path, before, is_relative ? "/" : "", name);
  return judge(kind, path);
}

static long ended(struct verdict verdict, long result) {
  if (verdict.action == KILL_AFTER || verdict.action == KILL_HALF) die();
  return result;
}

static int failed(struct verdict verdict) {
  errno = verdict.error;
  return -1;
}

/* RESULT NAME(parameters) { … }: of a call that a path or a descriptor belongs to. */
#define DISTURBED(NAME, PARAMETERS, ARGUMENTS, VERDICT)     \
  int NAME PARAMETERS {                                     \
    static int(*original) PARAMETERS;                       \
    if (original == NULL) *(void**)&original = next(#NAME); \
    const struct verdict verdict = VERDICT;                 \
    if (verdict.action == FAIL) return failed(verdict);     \
    return (int)ended(verdict, original ARGUMENTS);         \
  }

DISTURBED(ftruncate, (int fd, off_t bytes), (fd, bytes), judge_fd("truncate", fd))
DISTURBED(ftruncate64, (int fd, off64_t bytes), (fd, bytes), judge_fd("truncate", fd))
DISTURBED(truncate, (const char* path, off_t bytes), (path, bytes), judge_at("truncate", AT_FDCWD, path))
DISTURBED(fallocate, (int fd, int mode, off_t start, off_t bytes), (fd, mode, start, bytes), judge_fd("allocate", fd))
DISTURBED(fallocate64, (int fd, int mode, off64_t start, off64_t bytes), (fd, mode, start, bytes),
          judge_fd("allocate", fd))
DISTURBED(fsync, (int fd), (fd), judge_fd("sync", fd))
DISTURBED(fdatasync, (int fd), (fd), judge_fd("sync", fd))
DISTURBED(syncfs, (int fd), (fd), judge_fd("sync", fd))
DISTURBED(rename, (const char* from, const char* to), (from, to), judge_at("rename", AT_FDCWD, from))
DISTURBED(renameat, (int one, const char* from, int other, const char* to), (one, from, other, to),
          judge_at("rename", one, from))
DISTURBED(renameat2, (int one, const char* from, int other, const char* to, unsigned flags),
          (one, from, other, to, flags), judge_at("rename", one, from))
DISTURBED(link, (const char* from, const char* to), (from, to), judge_at("link", AT_FDCWD, to))
DISTURBED(linkat, (int one, const char* from, int other, const char* to, int flags), (one, from, other, to, flags),
          judge_at("link", other, to))
DISTURBED(unlink, (const char* path), (path), judge_at("unlink", AT_FDCWD, path))
DISTURBED(unlinkat, (int folder, const char* path, int flags), (folder, path, flags), judge_at("unlink", folder, path))
DISTURBED(remove, (const char* path), (path), judge_at("unlink", AT_FDCWD, path))
DISTURBED(rmdir, (const char* path), (path), judge_at("unlink", AT_FDCWD, path))
DISTURBED(mkdir, (const char* path, mode_t mode), (path, mode), judge_at("mkdir", AT_FDCWD, path))
DISTURBED(mkdirat, (int folder, const char* path, mode_t mode), (folder, path, mode), judge_at("mkdir", folder, path))

/* These say the error number, and leave errno alone. */
#define DISTURBED_ALLOCATION(NAME, OFFSET)                   \
  int NAME(int fd, OFFSET start, OFFSET bytes) {             \
    static int (*original)(int, OFFSET, OFFSET);             \
    if (original == NULL) *(void**)&original = next(#NAME);  \
    const struct verdict verdict = judge_fd("allocate", fd); \
    if (verdict.action == FAIL) return verdict.error;        \
    return (int)ended(verdict, original(fd, start, bytes));  \
  }

DISTURBED_ALLOCATION(posix_fallocate, off_t)
DISTURBED_ALLOCATION(posix_fallocate64, off64_t)

int close(int fd) {
  static int (*original)(int);
  if (original == NULL) *(void**)&original = next("close");
  const struct verdict verdict = judge_fd("close", fd);
  const int result = (int)ended(verdict, original(fd));
  return verdict.action == FAIL ? failed(verdict) : result;
}

static const char* kind_of_open(int flags) {
  return (flags & (O_CREAT | O_TRUNC)) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? "create" : "open";
}

static mode_t mode_of(int flags, va_list rest) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0;
}

static int open_at(int folder, const char* path, int flags, mode_t mode) {
  static int (*original)(int, const char*, int, ...);
  if (original == NULL) *(void**)&original = next("openat");
  const struct verdict verdict = judge_at(kind_of_open(flags), folder, path);
  if (verdict.action == FAIL) return failed(verdict);
  return (int)ended(verdict, original(folder, path, flags, mode));
}

#define OPEN(NAME)                               \
  int NAME(const char* path, int flags, ...) {   \
    va_list rest;                                \
    va_start(rest, flags);                       \
    const mode_t mode = mode_of(flags, rest);    \
    va_end(rest);                                \
    return open_at(AT_FDCWD, path, flags, mode); \
  }
#define OPEN_AT(NAME)                                      \
  int NAME(int folder, const char* path, int flags, ...) { \
    va_list rest;                                          \
    va_start(rest, flags);                                 \
    const mode_t mode = mode_of(flags, rest);              \
    va_end(rest);                                          \
    return open_at(folder, path, flags, mode);             \
  }

OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)

/* What a compiler makes of open() when it checks its arguments. */
int __open_2(const char* path, int flags) {
  return open_at(AT_FDCWD, path, flags, 0);
}
int __open64_2(const char* path, int flags) {
  return open_at(AT_FDCWD, path, flags, 0);
}
int __openat_2(int folder, const char* path, int flags) {
  return open_at(folder, path, flags, 0);
}
int __openat64_2(int folder, const char* path, int flags) {
  return open_at(folder, path, flags, 0);
}

int creat(const char* path, mode_t mode) {
  return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
int creat64(const char* path, mode_t mode) {
  return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

static size_t bytes_of(const struct iovec* parts, int count) {
  size_t bytes = 0;
  for (int i = 0; i < count; ++i) bytes += parts[i].iov_len;
  return bytes;
}

/* Writes almost the first half, so that it does not end with a page, and through the page cache, because O_DIRECT would
 * want whole ones; offset -1: where the file stands. */
static ssize_t write_half(int fd, const struct iovec* parts, int count, off64_t offset) {
  struct iovec half[IOV_MAX];
  size_t left = bytes_of(parts, count) / 2;
  left -= left > 1;
  int used = 0;
  for (; used < count && left > 0; ++used) {
    half[used] = parts[used];
    if (half[used].iov_len > left) half[used].iov_len = left;
    left -= half[used].iov_len;
  }
  const int flags = (int)syscall(SYS_fcntl, fd, F_GETFL);
  syscall(SYS_fcntl, fd, F_SETFL, flags & ~O_DIRECT);
  const ssize_t written =
      offset < 0 ? syscall(SYS_writev, fd, half, used) : syscall(SYS_pwritev, fd, half, used, (long)offset, 0L);
  syscall(SYS_fcntl, fd, F_SETFL, flags);
  return written;
}

static ssize_t write_parts(int fd, const struct iovec* parts, int count, off64_t offset) {
  bytes_to_write = bytes_of(parts, count);
  struct verdict verdict = judge_fd("write", fd);
  bytes_to_write = 0;
  if (verdict.action == FAIL) return failed(verdict);
  const int is_half = verdict.action == SHORT || verdict.action == KILL_HALF;
  if (is_half && bytes_of(parts, count) > 1) return ended(verdict, write_half(fd, parts, count, offset));
  return ended(verdict, offset < 0 ? syscall(SYS_writev, fd, parts, count)
                                   : syscall(SYS_pwritev, fd, parts, count, (long)offset, 0L));
}

static ssize_t write_one(int fd, const void* data, size_t count, off64_t offset) {
  const struct iovec part = {(void*)data, count};
  return write_parts(fd, &part, 1, offset);
}

ssize_t write(int fd, const void* data, size_t count) {
  return write_one(fd, data, count, -1);
}
ssize_t writev(int fd, const struct iovec* parts, int count) {
  return write_parts(fd, parts, count, -1);
}
ssize_t pwrite(int fd, const void* data, size_t count, off_t offset) {
  return write_one(fd, data, count, offset);
}
ssize_t pwrite64(int fd, const void* data, size_t count, off64_t offset) {
  return write_one(fd, data, count, offset);
}
ssize_t pwritev(int fd, const struct iovec* parts, int count, off_t offset) {
  return write_parts(fd, parts, count, offset);
}
ssize_t pwritev64(int fd, const struct iovec* parts, int count, off64_t offset) {
  return write_parts(fd, parts, count, offset);
}
