/* Thalweg: codes, types and what a write procedure is called with, for whoever has no MPI. Part of thalweg.h, whose
 * conventions hold. */
#ifndef THALWEG_VALUES_H
#define THALWEG_VALUES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum thalweg_status {
  THALWEG_OK = 0,
  THALWEG_ERROR_ARGUMENT = 1,  /* an argument that no run could accept: null pointer, negative extent */
  THALWEG_ERROR_CONFIG = 2,    /* the configuration is wrong; the text lists every fault with its place */
  THALWEG_ERROR_NAME = 3,      /* an unknown or doubly defined name */
  THALWEG_ERROR_SHAPE = 4,     /* an array, box or type that does not fit what was declared */
  THALWEG_ERROR_STATE = 5,     /* a call out of order */
  THALWEG_ERROR_AGREEMENT = 6, /* ranks declared different things, overlapping boxes, or holes */
  THALWEG_ERROR_MEMORY = 7,    /* the staging budget is too small, or memory could not be had */
  THALWEG_ERROR_STORAGE = 8,   /* a file could not be created, written or published */
  THALWEG_ERROR_DEADLINE = 9,  /* a wait took longer than the deadline; the text says who waits for whom */
  THALWEG_ERROR_FULL = 10,     /* no block was free and when-full is "fail" */
  THALWEG_ERROR_FORMAT = 11,   /* the format cannot hold what was asked; the text names one that can */
  THALWEG_ERROR_MPI = 12,      /* an MPI call failed */
  THALWEG_ERROR_PEER = 13,     /* another rank of the node died */
  THALWEG_ERROR_INTERNAL = 14  /* a fault of Thalweg itself: please report the text */
} thalweg_status;

typedef enum thalweg_type {
  THALWEG_INT8 = 1,
  THALWEG_INT16 = 2,
  THALWEG_INT32 = 3,
  THALWEG_INT64 = 4,
  THALWEG_UINT8 = 5,
  THALWEG_UINT16 = 6,
  THALWEG_UINT32 = 7,
  THALWEG_UINT64 = 8,
  THALWEG_FLOAT32 = 9,
  THALWEG_FLOAT64 = 10,
  THALWEG_CHAR = 11 /* one byte of text, no number: taken by, and put into, variables of this type alone */
} thalweg_type;

/* ---- the model's own procedure, for the format "user" ---- */

#define THALWEG_MAX_RANK 8

/* The size of the record dimension, for thalweg_define_dimension. */
#define THALWEG_UNLIMITED (-1)

typedef enum thalweg_event {
  THALWEG_EVENT_BEGIN = 1,  /* a file begins */
  THALWEG_EVENT_BLOCK = 2,  /* a block of a variable is complete: write it */
  THALWEG_EVENT_RECORD = 3, /* all blocks of the record that this node writes were given */
  THALWEG_EVENT_END = 4     /* all of the file that this node writes was given: no more comes */
} thalweg_event;

/* What a write procedure is called with. Everything it points at is valid during that call only. */
typedef struct thalweg_block {
  thalweg_event event;
  thalweg_type type;               /* BLOCK: its type in the file, in the byte order of the machine */
  int rank;                        /* BLOCK: number of dimensions, without that of records */
  int64_t record;                  /* BLOCK, RECORD: number in the collection; -1: of a variable without records */
  int64_t record_in_file;          /* BLOCK, RECORD: number in the file; -1: as above */
  double time_s;                   /* BLOCK, RECORD: model time that closed the record; else 0 */
  int64_t start[THALWEG_MAX_RANK]; /* BLOCK: the box of the variable that it holds, without halo */
  int64_t count[THALWEG_MAX_RANK];
  int64_t shape[THALWEG_MAX_RANK];  /* BLOCK: of the whole variable */
  int64_t stride[THALWEG_MAX_RANK]; /* BLOCK: in bytes; a block has no gaps, its last dimension is the fastest */
  uint64_t checksum;                /* BLOCK: wrapping sum of the bits of the elements that were put (not of holes) */
  const void* data;                 /* BLOCK: its first element; cells that no rank owns hold the fill value */
  const char* collection;
  const char* file;     /* its name in the configuration, or from thalweg_new_file */
  const char* variable; /* BLOCK: its name; else NULL */
} thalweg_block;

/* Returns 0, or a code of its own that ends the output of the session with the error STORAGE; then it is not called
 * again. It is called in one rank of each node that writes a part of the collection: by the helper thread under
 * "writers: thread" and on servers, by thalweg_advance, wait or finish under "sync". For one collection it is never
 * called by two threads at once. It must not call MPI or Thalweg, and must not change data.
 *
 * Order, on each node: BEGIN, BLOCK of the first record in any order, its RECORD, those of the next, ..., END. BLOCK of
 * a variable without records comes once in each file as soon as all of its pieces were put: before records, between
 * BLOCKs of one, or after them. A file ends before the next one begins, unless such a variable is still missing. */
typedef int (*thalweg_write_procedure)(const thalweg_block* block, void* user);

#ifdef __cplusplus
}
#endif

#endif
