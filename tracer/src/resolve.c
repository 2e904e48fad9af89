#include "resolve.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "function.h"
#include "state.h"
#include "system.h"

// Two libraries of one name can be in a process, as in Python, whose packages bring their own: what a caller's object
// is linked with decides, and is found once for each object. All memory of this kind is in the library itself.
enum { CALLERS = 4 };
struct Known {
  _Atomic uintptr_t begin;
  uintptr_t end;
  void* target;
};
static struct Known known[FUNCTION_COUNT][CALLERS];
static _Atomic(void*) common[FUNCTION_COUNT];

struct Extent {
  uintptr_t address, begin, end;
};

static int find_extent(struct dl_phdr_info* object, size_t size, void* data) {
  (void)size;
  struct Extent* extent = data;
  uintptr_t begin = UINTPTR_MAX, end = 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)* part = &object->dlpi_phdr[i];
    if (part->p_type != PT_LOAD) continue;
    const uintptr_t from = object->dlpi_addr + part->p_vaddr;
    if (from < begin) begin = from;
    if (from + part->p_memsz > end) end = from + part->p_memsz;
  }
  if (extent->address < begin || extent->address >= end) return 0;
  extent->begin = begin;
  extent->end = end;
  return 1;
}

static int is_own(const void* function) {
  static const char here;
  Dl_info mine, other;
  return dladdr(&here, &mine) && dladdr(function, &other) && mine.dli_fbase == other.dli_fbase;
}

static void* in_object(const char* path, const char* symbol) {
  void* object = path && *path ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  if (!object) return NULL;
  void* found = dlsym(object, symbol);
  dlclose(object);
  return found && !is_own(found) ? found : NULL;
}

static void* in_any_object(const char* symbol) {
  struct link_map* map = NULL;
  void* program = dlopen(NULL, RTLD_LAZY | RTLD_NOLOAD);
  if (!program || dlinfo(program, RTLD_DI_LINKMAP, &map) != 0) return NULL;
  void* found = NULL;
  for (; map && !found; map = map->l_next) found = in_object(map->l_name, symbol);
  dlclose(program);
  return found;
}

static void* in_object_of(const void* address, const char* symbol) {
  Dl_info about;
  return dladdr(address, &about) ? in_object(about.dli_fname, symbol) : NULL;
}

static long missing(void) {
  errno = ENOSYS;
  return -1;
}

static void* find(unsigned index, void* caller) {
  const char* symbol = thw_functions[index].symbol;
  struct link_map* map = NULL;
  Dl_info about;
  void* found = NULL;
  // The program itself has no path here, and what it is linked with follows this library.
  if (dladdr1(caller, &about, (void**)&map, RTLD_DL_LINKMAP) && map && *map->l_name)
    found = in_object(map->l_name, symbol);
  if (!found) found = dlsym(RTLD_NEXT, symbol);
  if (!found) found = in_any_object(symbol);
  if (found) return found;
  char message[256];
  snprintf(message, sizeof message,
           "thalweg trace: '%s' is called and in no library that is loaded; the call fails, as it would not without "
           "the tracer if the program had asked for the function first\n",
           symbol);
  complain(message);
  return (void*)missing;
}

static void add(unsigned index, void* caller, void* target) {
  struct Extent extent = {(uintptr_t)caller, 0, 0};
  if (!dl_iterate_phdr(find_extent, &extent)) return;
  struct State* state = thw_state();
  struct Quiet quiet;
  if (!state) return;
  lock_tables(state, &quiet);
  for (int i = 0; i < CALLERS; ++i) {
    struct Known* place = &known[index][i];
    if (atomic_load(&place->begin)) continue;
    place->end = extent.end;
    place->target = target;
    atomic_store_explicit(&place->begin, extent.begin, memory_order_release);
    break;
  }
  unlock_tables(state, &quiet);
}

// The loader has locks, too, which a thread that is cancelled would keep.
static NEVER_INLINE void* find_quietly(unsigned index, void* caller, int is_of_system) {
  const int error = errno;
  struct Quiet quiet;
  void* target;
  thw_quiet_begin(&quiet);
  if (is_of_system) {
    target = dlsym(RTLD_NEXT, thw_functions[index].symbol);
    if (!target) target = (void*)missing;
    atomic_store_explicit(&common[index], target, memory_order_release);
  } else {
    target = find(index, caller);
    if (target != (void*)missing) add(index, caller, target);
  }
  thw_quiet_end(&quiet);
  errno = error;
  return target;
}

void* thw_target(unsigned index, void* caller) {
  void* target = atomic_load_explicit(&common[index], memory_order_acquire);
  if (target) return target;
  const int is_of_system = thw_functions[index].layer == LAYER_POSIX;
  for (int i = 0; !is_of_system && i < CALLERS; ++i) {
    const struct Known* place = &known[index][i];
    const uintptr_t begin = atomic_load_explicit(&place->begin, memory_order_acquire);
    if (!begin) break;
    if ((uintptr_t)caller >= begin && (uintptr_t)caller < place->end) return place->target;
  }
  return find_quietly(index, caller, is_of_system);
}

void* thw_helper(const void* target, const char* symbol) {
  void* found = in_object_of(target, symbol);
  if (!found) found = dlsym(RTLD_NEXT, symbol);
  return found ? found : in_any_object(symbol);
}
