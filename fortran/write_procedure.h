/* A write procedure in Fortran, called from C: dimensions fastest first, all counted from 1, names as strings. */
#ifndef THALWEG_FORTRAN_WRITE_PROCEDURE_H
#define THALWEG_FORTRAN_WRITE_PROCEDURE_H

#include <ISO_Fortran_binding.h>
#include <string.h>

#include "thalweg.h"

typedef int (*FortranProcedure)(const thalweg_block* block, const CFI_cdesc_t* collection, const CFI_cdesc_t* file,
                                const CFI_cdesc_t* variable);

static inline void turn_around(int64_t* values, int count) {
  for (int d = 0; d < count / 2; ++d) {
    const int64_t value = values[d];
    values[d] = values[count - 1 - d];
    values[count - 1 - d] = value;
  }
}

/* A Fortran string over the text; a blank for none, because strings of no length have no address. */
static inline const CFI_cdesc_t* string_of(CFI_cdesc_t* string, const char* text) {
  if (!text || !text[0]) text = " ";
  CFI_establish(string, (void*)text, CFI_attribute_other, CFI_type_char, strlen(text), 0, NULL);
  return string;
}

/* type(thw_block) has the components of thalweg_block in their order. user is the procedure itself. */
static inline int call_fortran(const thalweg_block* block, void* user) {
  thalweg_block turned = *block;
  turn_around(turned.start, turned.rank);
  turn_around(turned.count, turned.rank);
  turn_around(turned.shape, turned.rank);
  turn_around(turned.stride, turned.rank);
  for (int d = 0; d < turned.rank; ++d) ++turned.start[d];
  ++turned.record;
  ++turned.record_in_file;
  CFI_CDESC_T(0) collection, file, variable;
  return ((FortranProcedure)user)(&turned, string_of((CFI_cdesc_t*)&collection, block->collection),
                                  string_of((CFI_cdesc_t*)&file, block->file),
                                  string_of((CFI_cdesc_t*)&variable, block->variable));
}

#endif
