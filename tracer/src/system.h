// Calls to the system that no wrapper sees, because they do not go through the C library's functions.
#pragma once

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static inline uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline int system_open(const char* path, int flags) {
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0644);
}

static inline long system_read(int file, void* into, size_t bytes) {
  return syscall(SYS_read, file, into, bytes);
}

static inline long system_pwrite(int file, const void* from, size_t bytes, uint64_t at) {
  return syscall(SYS_pwrite64, file, from, bytes, at);
}

static inline void system_close(int file) {
  syscall(SYS_close, file);
}

static inline void* system_map(size_t bytes, int protection, int flags, int file) {
  return (void*)syscall(SYS_mmap, NULL, bytes, protection, flags, file, 0);
}

static inline void complain(const char* text) {
  size_t length = 0;
  while (text[length]) ++length;
  syscall(SYS_write, 2, text, length);
}
