#include "effects.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "files.h"
#include "log.h"
#include "names.h"
#include "resolve.h"
#include "sizes.h"
#include "system.h"

enum { PATH_BYTES = 4096 };

static uint8_t handle_kind(const struct Function* function) {
  return (uint8_t)(function->layer + 1) | (uint8_t)(function->is_fortran << 7);
}

// Groups of a netCDF file have numbers of their own, whose upper half is that of the file.
static long handle_value(const struct Function* function, long word) {
  if (function->is_fortran) return *(const int*)word;
  if (function->layer == LAYER_NETCDF) return (int)word & ~0xffff;
  return function->layer == LAYER_PNETCDF ? (int)word : word;
}

// A text of Fortran ends with blanks, and its length comes behind the place of the error.
static const char* path_of(const struct Function* function, const long* words, char* copy) {
  const char* path = (const char*)words[function->file_role.argument];
  if (!path || !function->is_fortran) return path;
  long length = words[function->words + 1];
  if (length < 0 || length >= PATH_BYTES) return NULL;
  while (length > 0 && path[length - 1] == ' ') --length;
  memcpy(copy, path, (size_t)length);
  copy[length] = 0;
  return copy;
}

static enum Following find_path(const struct Function* function, struct Call* call, const long* words) {
  char copy[PATH_BYTES], path[PATH_BYTES], folder[64];
  const char* given = path_of(function, words, copy);
  if (!given) return FOLLOW_NOT;
  const int folder_number = (int)words[0];
  const int is_at = function->file_role.kind == FILE_PATHAT && given[0] != '/' && folder_number != AT_FDCWD;
  if (is_at) {
    snprintf(folder, sizeof folder, "/proc/self/fd/%d", folder_number);
    const long length = syscall(SYS_readlinkat, AT_FDCWD, folder, copy, sizeof copy - 1);
    if (length <= 0) return FOLLOW_NOT;
    const long end = length == 1 ? 0 : length;  // the root
    snprintf(copy + end, sizeof copy - (size_t)end, "/%s", given);
    given = copy;
  }
  if (!thw_whole_path(given, path, sizeof path)) return FOLLOW_SILENTLY;
  call->file = thw_name(path);
  return FOLLOW;
}

static enum Following find_descriptor(const struct Function* function, struct Call* call, int number) {
  const struct Descriptor* descriptor = thw_descriptor(number);
  if (!descriptor) return function->effect_role.kind == EFFECT_NONE ? FOLLOW_NOT : FOLLOW_SILENTLY;
  call->file = descriptor->file;
  return FOLLOW;
}

static long handle_of(const struct Function* function, const long* words) {
  const long word = words[function->file_role.argument];
  const int is_pointer = function->file_role.kind == FILE_HANDLE_AT && !function->is_fortran;
  return handle_value(function, is_pointer ? *(const long*)word : word);
}

static enum Following find_file(const struct Function* function, struct Call* call, const long* words) {
  const long word = words[function->file_role.argument];
  switch (function->file_role.kind) {
    case FILE_PATH:
    case FILE_PATHAT: return find_path(function, call, words);
    case FILE_FD: return find_descriptor(function, call, (int)word);
    case FILE_STREAM: return word ? find_descriptor(function, call, fileno((FILE*)word)) : FOLLOW_NOT;
    case FILE_DIR: return word ? FOLLOW_SILENTLY : FOLLOW_NOT;
    case FILE_HANDLE:
    case FILE_HANDLE_AT: {
      const struct Handle* handle = thw_handle(handle_kind(function), handle_of(function, words));
      if (handle) {
        call->file = handle->file;
        call->variable = handle->variable;
      }
      return FOLLOW;
    }
    default: return function->layer == LAYER_MPI ? FOLLOW : FOLLOW_SILENTLY;
  }
}

// Before the call, because after it another thread may be given the same number.
static void forget_closed(const struct Function* function, const long* words) {
  const long word = words[function->file_role.argument];
  switch (function->file_role.kind) {
    case FILE_FD: thw_descriptor_closed((int)word); break;
    case FILE_STREAM:
      if (word) thw_descriptor_closed(fileno((FILE*)word));
      break;
    case FILE_DIR: thw_descriptor_closed(dirfd((DIR*)word)); break;
    default:
      thw_handle_closed(handle_kind(function), handle_of(function, words));
      if (function->layer <= LAYER_PNETCDF) thw_variables_closed(function->layer, (int)word);
  }
}

// Between vfork and exec a child has the memory of its parent, and descriptors of its own.
static int is_in_borrowed_memory(const struct Function* function) {
  const int changes =
      function->makes_role.kind == MAKES_FD || (function->layer == LAYER_POSIX && function->effect_role.kind);
  return changes && syscall(SYS_getpid) != (long)thw_log_header()->pid;
}

enum Following thw_before(const struct Function* function, struct Call* call, const long* words) {
  if (is_in_borrowed_memory(function)) return FOLLOW_NOT;
  const enum Following following = find_file(function, call, words);
  if (following == FOLLOW_NOT) return following;
  if (function->effect_role.kind == EFFECT_CLOSE) forget_closed(function, words);
  if (function->effect_role.kind == EFFECT_CLOSE_ALL) thw_descriptors_closed();
  if (function->effect_role.kind == EFFECT_FINALIZE) thw_log_header()->mpi_end = thw_clock(thw_state());
  return following;
}

// Of a function that returns an int the upper half of the register means nothing.
static long whole_result(const struct Function* function, long result) {
  const int is_size = function->bytes_role.kind == BYTES_RETURN && function->file_role.kind == FILE_FD;
  const int is_wide = is_size || function->bytes_role.kind == BYTES_ARG || function->bytes_role.kind == BYTES_ITEMS ||
                      function->makes_role.kind == MAKES_STREAM || function->makes_role.kind == MAKES_HANDLE ||
                      function->effect_role.kind == EFFECT_SEEK || function->fail_role.kind == FAIL_NEVER ||
                      function->fail_role.kind == FAIL_NULL;
  return is_wide ? result : (int)result;
}

static int has_failed(const struct Function* function, const long* words, long result) {
  if (function->is_fortran) {
    const int* error = (const int*)words[function->words];
    return error && *error != 0;
  }
  switch (function->fail_role.kind) {
    case FAIL_NEGATIVE: return result < 0;
    case FAIL_NONZERO: return result != 0;
    case FAIL_NULL: return result == 0;
    default: return 0;
  }
}

static void note_made(const struct Function* function, const struct Call* call, const long* words, long result) {
  const long word = words[function->makes_role.argument];
  const long option = words[function->file_role.argument + 1];
  switch (function->makes_role.kind) {
    case MAKES_FD: thw_descriptor_opened((int)result, call->file, !call->is_silent, (option & O_APPEND) != 0); break;
    case MAKES_STREAM:
      thw_descriptor_opened(fileno((FILE*)result), call->file, !call->is_silent, *(const char*)option == 'a');
      break;
    case MAKES_HANDLE: thw_handle_made(handle_kind(function), result, call->file, call->variable); break;
    case MAKES_AT32:
    case MAKES_AT64: {
      const int is_pointer = function->makes_role.kind == MAKES_AT64 && !function->is_fortran;
      const long value =
          is_pointer ? *(const long*)word : handle_value(function, function->is_fortran ? word : *(const int*)word);
      thw_handle_made(handle_kind(function), value, call->file, 0);
      break;
    }
    default: break;
  }
}

static void note_copy(const long* words, long result) {
  struct State* state = thw_state();
  const int from = (int)words[0], to = (int)result;
  if (from < 0 || from >= DESCRIPTORS || to < 0 || to >= DESCRIPTORS) return;
  state->descriptors[to] = state->descriptors[from];
}

// The value of a variable of MPI's own: a pointer to an object of Open MPI, a number of MPICH.
static void ask_rank(const struct Call* call) {
  enum { MPICH_COMM_WORLD = 0x44000000 };
  // A program that is not position-independent has a copy of the object, which is found first and is the one in use.
  const char* world = dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world");
  if (!world) world = thw_helper(call->target, "ompi_mpi_comm_world");
  int (*rank_of)(long, int*) = thw_helper(call->target, "PMPI_Comm_rank");
  int (*size_of)(long, int*) = thw_helper(call->target, "PMPI_Comm_size");
  int rank = -1, size = -1;
  struct Header* header = thw_log_header();
  header->mpi_begin = thw_clock(thw_state());
  if (header->rank >= 0 && header->ranks > 0) return;
  if (!rank_of || !size_of) return;
  const long handle = world ? (long)world : MPICH_COMM_WORLD;
  if (rank_of(handle, &rank) == 0 && size_of(handle, &size) == 0) thw_log_set_rank(rank, size);
}

static void note_effect(const struct Function* function, const struct Call* call, const long* words, long result) {
  switch (function->effect_role.kind) {
    case EFFECT_DUP:
    case EFFECT_DUP2: note_copy(words, result); break;
    case EFFECT_FCNTL:
      if ((int)words[1] == F_DUPFD || (int)words[1] == F_DUPFD_CLOEXEC) note_copy(words, result);
      break;
    case EFFECT_SEEK: {
      struct Descriptor* descriptor = thw_descriptor((int)words[0]);
      if (descriptor) {
        descriptor->position = result;
        descriptor->has_position = 1;
      }
      break;
    }
    case EFFECT_INIT: ask_rank(call); break;
    // No file is known by a number that something else has now.
    case EFFECT_FRESH: thw_descriptor_closed((int)result); break;
    case EFFECT_FRESH_STREAM: thw_descriptor_closed(fileno((FILE*)result)); break;
    case EFFECT_FRESH_PAIR: {
      const int* pair = (const int*)words[function->effect_role.argument];
      thw_descriptor_closed(pair[0]);
      thw_descriptor_closed(pair[1]);
      break;
    }
    default: break;
  }
}

// A variable without dimensions has none, and what stands there is not to be read.
static int64_t first_index(const struct Function* function, const struct Call* call, const long* words) {
  const int64_t* start = (const int64_t*)words[function->offset_role.argument];
  const struct Variable* variable = start ? thw_variable(function, call, words) : NULL;
  return variable && variable->dimensions ? *start : -1;
}

static int64_t offset_of(const struct Function* function, const struct Call* call, const long* words, long result) {
  const long word = words[function->offset_role.argument];
  switch (function->offset_role.kind) {
    case OFFSET_ARG: return function->is_fortran ? *(const int64_t*)word : word;
    case OFFSET_START: return first_index(function, call, words);
    case OFFSET_POSITION: {
      struct Descriptor* descriptor = thw_descriptor((int)words[function->file_role.argument]);
      if (!descriptor || !descriptor->has_position) return -1;
      const int64_t before = descriptor->position;
      if (result > 0) descriptor->position += result;
      return before;
    }
    default: return -1;
  }
}

static uint64_t bytes_of(const struct Function* function, const struct Call* call, const long* words, long result) {
  const struct Role role = function->bytes_role;
  switch (role.kind) {
    case BYTES_RETURN: return result > 0 ? (uint64_t)result : 0;
    case BYTES_ITEMS: return (uint64_t)result * (uint64_t)words[role.argument];
    case BYTES_ARG: return (uint64_t)words[role.argument];
    case BYTES_TEXT: return result ? strlen((const char*)words[role.argument]) : 0;
    default: return thw_library_bytes(function, call, words);
  }
}

void thw_after(const struct Function* function, const struct Call* call, const long* words, long result, int error,
               struct Outcome* outcome) {
  result = whole_result(function, result);
  outcome->is_failed = has_failed(function, words, result);
  outcome->bytes = 0;
  outcome->offset = -1;
  outcome->result = (int32_t)result;
  if (outcome->is_failed) {
    if (function->layer == LAYER_POSIX) outcome->result = -error;
  } else {
    note_made(function, call, words, result);
    note_effect(function, call, words, result);
    if (call->is_silent) return;
    outcome->bytes = bytes_of(function, call, words, result);
  }
  outcome->offset = offset_of(function, call, words, outcome->is_failed ? 0 : result);
}
