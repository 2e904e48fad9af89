#pragma once
#include "fields.h"

typedef struct Output {
  thalweg_session* io;
  thalweg_collection* files[FILES];
} Output;

/* Every call of Thalweg returns 0 or an error code; here an error ends the program with its text. */
void check(int code);

void output_define(Output* output, Model* model, double time_s);
void output_step(Output* output, Model* model, double time_s); /* the model time is now time_s */
