/* What a program has declared of its files by netCDF's calls, because it may ask for it again. */
#ifndef THALWEG_STUB_FILES_H
#define THALWEG_STUB_FILES_H

#include <stddef.h>

#include "stub.h"

/* Each of its items begins with a name. */
typedef struct List {
  char* items;
  size_t size;
  int count;
} List;

typedef struct Dimension {
  char name[THALWEG_NC_MAX_NAME + 1];
  int64_t size;
} Dimension;

typedef struct Attribute {
  char name[THALWEG_NC_MAX_NAME + 1];
  thalweg_nc_type type;
  int count;
} Attribute;

typedef struct Variable {
  char name[THALWEG_NC_MAX_NAME + 1];
  thalweg_nc_type type;
  int rank;
  int dimids[THALWEG_MAX_RANK];
  List attributes;
} Variable;

typedef struct File {
  const thalweg_session* session;
  int format;
  int unlimited; /* It is the number of the record dimension, or -1. */
  int64_t records;
  List dimensions;
  List variables;
  List attributes;
} File;

/* It is NULL where memory is short. */
void* list_add(List* list, const char* name);
/* It is NULL where there is none of that number. */
void* list_at(const List* list, int number);
/* It is -1 where there is none of that name. */
int list_find(const List* list, const char* name);

/* Numbers begin with 1, and none is given twice. It is NULL where memory is short. */
File* file_new(const thalweg_session* session, int* number);
/* It is NULL where none of that number is open. */
File* file_at(int number);
void file_close(int number);
/* It says whether the number was given to a file, be that open or not. */
int file_is_own(int number);

#endif
