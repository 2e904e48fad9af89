#pragma once

#include <stdint.h>

enum Layer { LAYER_NETCDF, LAYER_PNETCDF, LAYER_HDF5, LAYER_MPIIO, LAYER_POSIX, LAYER_MPI, LAYER_COUNT };
enum FileRole { FILE_NONE, FILE_PATH, FILE_PATHAT, FILE_FD, FILE_STREAM, FILE_DIR, FILE_HANDLE, FILE_HANDLE_AT };
enum MakesRole { MAKES_NONE, MAKES_FD, MAKES_STREAM, MAKES_HANDLE, MAKES_AT32, MAKES_AT64 };
enum VarRole { VAR_NONE, VAR_ID, VAR_NAME };
enum BytesRole {
  BYTES_NONE,
  BYTES_RETURN,
  BYTES_ITEMS,
  BYTES_ARG,
  BYTES_TYPE,
  BYTES_VAR,
  BYTES_VAR1,
  BYTES_VARA,
  BYTES_VARN,
  BYTES_HDF5,
  BYTES_TEXT
};
enum OffsetRole { OFFSET_NONE, OFFSET_ARG, OFFSET_POSITION, OFFSET_START };
enum FactsRole { FACTS_NONE, FACTS_OPEN, FACTS_WORD, FACTS_WHOLE, FACTS_POINT, FACTS_BOX, FACTS_STRIDED, FACTS_BOXES };
enum FailRole { FAIL_NEGATIVE, FAIL_NONZERO, FAIL_NULL, FAIL_NEVER };
enum EffectRole {
  EFFECT_NONE,
  EFFECT_CLOSE,
  EFFECT_DUP,
  EFFECT_DUP2,
  EFFECT_FCNTL,
  EFFECT_SEEK,
  EFFECT_CLOSE_ALL,
  EFFECT_INIT,
  EFFECT_FINALIZE,
  EFFECT_FRESH,
  EFFECT_FRESH_STREAM,
  EFFECT_FRESH_PAIR
};
// The numbers are those of the log.
enum Class { CLASS_NONE, CLASS_P2P, CLASS_WAIT, CLASS_COLLECTIVE, CLASS_BARRIER, CLASS_RMA, CLASS_SETUP };

// What an argument is, and which one.
struct Role {
  uint8_t kind;
  uint8_t argument;
};

// A line of functions/*.txt.
struct Function {
  const char* symbol;
  const char* name;
  uint8_t layer;
  uint8_t is_fortran;
  uint8_t words;  // in C
  struct Role file_role, makes_role, var_role, bytes_role, offset_role, facts_role, fail_role, effect_role, class_role;
};

extern const struct Function thw_functions[];
