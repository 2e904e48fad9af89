#include "describe.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "resolve.h"
#include "state.h"

enum { NAME_ROOM = 257, FEW_DIMENSIONS = 32, GROUP_BITS = 0xffff };
typedef int InquireAll(int, int, char*, int*, int*, int*, int*);
typedef int InquireUnlimited(int, int*, int*);
typedef int InquireOneUnlimited(int, int*);
typedef int InquireDimensionName(int, int, char*);
typedef int InquireLength(int, int, int64_t*);
typedef int InquireParent(int, int*);
typedef int InquireFill(int, int, int*, void*);
typedef int InquireChunks(int, int, int*, int64_t*);
typedef int InquireDeflate(int, int, int*, int*, int*);

struct Text {
  char* place;
  int used;  // more than there is room for: it was too long
};

static void say_number(struct Text* text, long number) {
  if (text->used < DESCRIPTION_BYTES)
    text->used += snprintf(text->place + text->used, (size_t)(DESCRIPTION_BYTES - text->used), "%ld/", number);
}

static void say(struct Text* text, const char* word) {
  if (text->used < DESCRIPTION_BYTES)
    text->used += snprintf(text->place + text->used, (size_t)(DESCRIPTION_BYTES - text->used), "%s/", word);
}

// Those of a group, and of the groups above it, whose dimensions it has too. -1: there are more than can be told.
static int unlimited_of(int is_netcdf, const void* target, int file, int* ids) {
  if (!is_netcdf) {
    InquireOneUnlimited* inquire_one = thw_helper(target, "ncmpi_inq_unlimdim");
    return inquire_one && inquire_one(file, ids) == 0 && ids[0] >= 0;
  }
  InquireUnlimited* inquire = thw_helper(target, "nc_inq_unlimdims");
  InquireParent* parent_of = thw_helper(target, "nc_inq_grp_parent");
  int all = 0, more = 0;
  for (int is_there = inquire != NULL; is_there; is_there = parent_of && parent_of(file, &file) == 0) {
    if (inquire(file, &more, NULL) != 0 || all + more > FEW_DIMENSIONS) return -1;
    if (inquire(file, &more, ids + all) != 0) return -1;
    all += more;
  }
  return inquire ? all : -1;
}

static int is_among(const int* ids, int count, int id) {
  while (count > 0 && ids[count - 1] != id) --count;
  return count > 0;
}

// Never the length of an unlimited dimension: netCDF keeps what it is asked for, and makes other chunks by it later.
static int say_dimensions(struct Text* text, int is_netcdf, const void* target, int file, const int* ids, int count) {
  InquireDimensionName* name_of = thw_helper(target, is_netcdf ? "nc_inq_dimname" : "ncmpi_inq_dimname");
  InquireLength* length_of = thw_helper(target, is_netcdf ? "nc_inq_dimlen" : "ncmpi_inq_dimlen");
  int unlimited[FEW_DIMENSIONS];
  const int growing = unlimited_of(is_netcdf, target, file, unlimited);
  if (growing < 0 || !name_of || !length_of) return 0;
  for (int i = 0; i < count; ++i) {
    char name[NAME_ROOM] = "";
    int64_t length = 0;
    if (name_of(file, ids[i], name) != 0) return 0;
    if (!is_among(unlimited, growing, ids[i]) && length_of(file, ids[i], &length) != 0) return 0;
    say(text, name);
    say_number(text, (long)length);
  }
  return 1;
}

static void say_storage(struct Text* text, const void* target, int file, int variable, int dimensions) {
  InquireChunks* chunks_of = thw_helper(target, "nc_inq_var_chunking");
  InquireDeflate* deflate_of = thw_helper(target, "nc_inq_var_deflate");
  int64_t chunks[FEW_DIMENSIONS];
  int is_contiguous = 1, shuffle = 0, has_deflate = 0, level = 0;
  if (!chunks_of || chunks_of(file, variable, &is_contiguous, chunks) != 0) is_contiguous = 1;
  if (!deflate_of || deflate_of(file, variable, &shuffle, &has_deflate, &level) != 0) shuffle = has_deflate = 0;
  const int has_chunks = !is_contiguous && dimensions > 0;
  say_number(text, has_chunks);
  for (int i = 0; has_chunks && i < dimensions; ++i) say_number(text, (long)chunks[i]);
  say_number(text, shuffle);
  say_number(text, has_deflate ? level : -1);
}

int thw_describe(int is_netcdf, const void* target, int file, int variable, char* place) {
  InquireAll* inquire = thw_helper(target, is_netcdf ? "nc_inq_var" : "ncmpi_inq_var");
  InquireFill* fill_of = thw_helper(target, is_netcdf ? "nc_inq_var_fill" : "ncmpi_inq_var_fill");
  struct Text text = {place, 0};
  int type = 0, dimensions = 0, ids[MOST_DIMENSIONS], is_unfilled = 0;
  if (!inquire || inquire(file, variable, NULL, &type, &dimensions, ids, NULL) != 0) return 0;
  if (dimensions > FEW_DIMENSIONS) return 0;
  if (!fill_of || fill_of(file, variable, &is_unfilled, NULL) != 0) is_unfilled = 0;
  say_number(&text, type);
  say_number(&text, dimensions);
  if (!say_dimensions(&text, is_netcdf, target, file, ids, dimensions)) return 0;
  say_number(&text, is_unfilled);
  if (is_netcdf) {
    say_storage(&text, target, file, variable, dimensions);
    say(&text, file & GROUP_BITS ? "group" : "");
  }
  return text.used < DESCRIPTION_BYTES;
}
