/* For LD_PRELOAD: folders whose path contains THALWEG_TEST_LUSTRE_UNDER are on Lustre, which tells of files there that
 * they have THALWEG_TEST_LUSTRE_STRIPES stripes, in a layout of the magic number THALWEG_TEST_LUSTRE_MAGIC. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

#include "preload.h"

enum { lustre_magic = 0x0BD00BD0, layout_bytes = 48, stripes_at = 28 };

static int is_under(const char* path) {
  const char* under = getenv("THALWEG_TEST_LUSTRE_UNDER");
  return under != NULL && strstr(path, under) != NULL;
}

#define STATFS(NAME)                                                    \
  int NAME(const char* path, struct NAME* status) {                     \
    static int (*original)(const char*, struct NAME*);                  \
    if (original == NULL) *(void**)&original = dlsym(RTLD_NEXT, #NAME); \
    const int result = original(path, status);                          \
    if (result == 0 && is_under(path)) status->f_type = lustre_magic;   \
    return result;                                                      \
  }

STATFS(statfs)
STATFS(statfs64)

ssize_t getxattr(const char* path, const char* name, void* value, size_t bytes) {
  static ssize_t (*original)(const char*, const char*, void*, size_t);
  if (original == NULL) *(void**)&original = dlsym(RTLD_NEXT, "getxattr");
  if (!is_under(path) || strcmp(name, "lustre.lov") != 0) return original(path, name, value, bytes);
  const uint32_t magic = (uint32_t)setting("THALWEG_TEST_LUSTRE_MAGIC");
  const uint16_t stripes = (uint16_t)setting("THALWEG_TEST_LUSTRE_STRIPES");
  errno = ERANGE;
  if (bytes < layout_bytes) return -1;
  memset(value, 0, layout_bytes);
  memcpy(value, &magic, sizeof magic);
  memcpy((char*)value + stripes_at, &stripes, sizeof stripes);
  return layout_bytes;
}
