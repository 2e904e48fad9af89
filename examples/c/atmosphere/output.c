/* All that the model has to do with Thalweg. Files, formats and intervals: atmosphere.yaml. Fields: fields.c. */
#include "output.h"

#include <stdio.h>
#include <stdlib.h>

void check(int code) {
  if (code == THALWEG_OK) return;
  fprintf(stderr, "atmosphere_c: %s\n", thalweg_error_text());
  MPI_Abort(MPI_COMM_WORLD, code);
}

static void text(thalweg_collection* file, const char* variable, const char* name, const char* value) {
  if (value) check(thalweg_define_text(file, variable, name, value));
}

static void define_axis(thalweg_collection* file, const Axis* axis) {
  check(thalweg_define_dimension(file, axis->name, axis->size));
  check(thalweg_define_variable(file, axis->name, axis->name, THALWEG_FLOAT64, NULL, NULL));
  text(file, axis->name, "standard_name", axis->standard_name);
  text(file, axis->name, "units", axis->units);
  text(file, axis->name, "axis", axis->axis);
  text(file, axis->name, "long_name", axis->long_name);
}

static void define_field(thalweg_collection* file, const Field* field, thalweg_type type,
                         thalweg_decomposition* const* at) {
  const thalweg_decomposition* place = field->place < 0 ? NULL : at[field->place];
  check(thalweg_define_variable(file, field->name, field->dims, type, place, NULL));
  text(file, field->name, "standard_name", field->standard_name);
  text(file, field->name, "units", field->units);
  text(file, field->name, "cell_methods", field->cell_methods);
  text(file, field->name, "long_name", field->long_name);
}

static void put_axis(thalweg_collection* file, const Axis* axis) {
  double* degrees = malloc(sizeof(double) * axis->size);
  for (int64_t i = 0; i < axis->size; ++i) degrees[i] = axis->first + i * axis->step;
  check(thalweg_put(file, axis->name, degrees, THALWEG_FLOAT64, 1, &axis->size, NULL));
  free(degrees);
}

void output_define(Output* out, Model* model, double time_s) {
  thalweg_decomposition* at[PLACES];
  for (int n = 0; n < PLACES; ++n) {
    int64_t shape[2], start[2], count[2];
    place_of(model, n, shape, start, count);
    check(thalweg_decompose(out->io, places[n], shape, 1, start, count, NULL, NULL, 0, &at[n]));
  }
  Axis axes[AXES];
  make_axes(model, axes);
  for (int n = 0; n < FILES; ++n) {
    check(thalweg_open_collection(out->io, files[n].name, &out->files[n]));
    text(out->files[n], NULL, "Conventions", "CF-1.11");
    text(out->files[n], NULL, "title", "Rossby-Haurwitz wave: shallow water on the rotating sphere");
    text(out->files[n], NULL, "source", "example atmosphere of Thalweg, in C");
    text(out->files[n], NULL, "references", "Williamson et al. 1992, J. Comput. Phys. 102, 211-224, test 6");
    for (int k = 0; k < AXES; ++k) define_axis(out->files[n], &axes[k]);
    for (int k = 0; k < files[n].count; ++k) define_field(out->files[n], &files[n].fields[k], files[n].type, at);
  }
  check(thalweg_define_dimension(out->files[HISTORY], "bnds", 2));
  check(thalweg_define_variable(out->files[HISTORY], "time_bnds", "time,bnds", THALWEG_FLOAT64, NULL, NULL));
  text(out->files[HISTORY], "time", "bounds", "time_bnds");
  check(thalweg_set_time(out->io, time_s));
  check(thalweg_ready(out->io));
  for (int n = 0; n < FILES * AXES; ++n) put_axis(out->files[n / AXES], &axes[n % AXES]);
}

static void put_field(thalweg_collection* file, Model* model, const Field* field) {
  int64_t shape[2], start[2], count[2];
  const View view = view_of(model, field->name);
  if (field->place >= 0) place_of(model, field->place, shape, start, count);
  const int64_t stride[2] = {view.row_bytes, sizeof(double)};
  check(thalweg_put(file, field->name, view.data, THALWEG_FLOAT64, field->place < 0 ? 0 : 2, count, stride));
}

void output_step(Output* out, Model* model, double time_s) {
  int due[FILES];
  for (int n = 0; n < FILES; ++n) check(thalweg_is_due(out->files[n], &due[n]));
  if (due[HISTORY]) {
    const double bounds[2] = {model->since_s, time_s};
    const int64_t two = 2;
    model_diagnose(model);
    check(thalweg_put(out->files[HISTORY], "time_bnds", bounds, THALWEG_FLOAT64, 1, &two, NULL));
    for (int k = 0; k < files[HISTORY].count; ++k) put_field(out->files[HISTORY], model, &files[HISTORY].fields[k]);
    model_begin_mean(model, time_s);
  }
  for (int k = 0; due[RESTART] && k < files[RESTART].count; ++k) {
    put_field(out->files[RESTART], model, &files[RESTART].fields[k]);
  }
  check(thalweg_advance(out->io, time_s)); /* what is due is written while the model goes on */
}
