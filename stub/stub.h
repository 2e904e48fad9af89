/* This is what the files of the stub have in common. */
#ifndef THALWEG_STUB_H
#define THALWEG_STUB_H

#include "thalweg_netcdf.h"

/* Keeps the text for thalweg_error_text and returns the code. */
int stub_refuse(int code, const char* format, ...) __attribute__((format(printf, 2, 3)));

/* The same for a null pointer whose use would end the program. */
int stub_refuse_null(const char* argument);

int stub_refuse_memory(void);

/* What a handle of the session points at, which goes with it; NULL: there is no memory. */
void* stub_new_handle(thalweg_session* session);

/* The files of a session go with it. */
void stub_forget_files(const thalweg_session* session);

#endif
