/* What is in the files, as tables: names, dimensions, attributes in the words of CF-1.11, and where the values are. */
#pragma once
#include <thalweg.h>

#include "model.h"

/* Where a field lies in the memory of the rank: its own rows, a stride of bytes apart. */
typedef struct View {
  const double* data;
  int64_t row_bytes;
} View;

typedef struct Field {
  const char *name, *dims;
  int place; /* of its dimensions, in `places`; or -1 */
  const char *standard_name, *units, *cell_methods, *long_name;
} Field;

typedef struct Axis {
  const char *name, *standard_name, *units, *axis, *long_name;
  int64_t size;
  double first, step; /* in degrees */
} Axis;

typedef struct File {
  const char* name;
  thalweg_type type; /* of the fields */
  int count;
  const Field* fields;
} File;

enum { PLACES = 4, AXES = 4, FILES = 2, HISTORY = 0, RESTART = 1 };
extern const char* const places[PLACES];
extern const File files[FILES];

void make_axes(const Model* model, Axis axes[AXES]);

/* The field of this name; its rows begin with the first one of a place (place_of). */
View view_of(Model* model, const char* name);

/* The whole, and this rank's part of it. Places on southern edges leave out the south pole. */
void place_of(const Model* model, int place, int64_t shape[2], int64_t start[2], int64_t count[2]);
