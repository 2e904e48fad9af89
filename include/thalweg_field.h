/* Fields of the session: the program says once which it has, and puts each in every step; which collections have what
 * of it (the values, means, extremes), how often and in which files is said by the configuration ("fields" of a
 * collection). Thalweg opens such collections itself. A part of thalweg.h, which is what programs include.
 *
 * Each collection ends its definitions by itself: with thalweg_ready, or the first thalweg_step or advance, when all
 * that it names is defined; at its first record at the latest, until which it waits for what is defined later. Every
 * client makes the same definitions between the same two of these calls, and those of a field before its first put. All
 * return a code, and all but thalweg_ready and thalweg_checkpoint are local. Errors of all: ARGUMENT, STATE. */
#ifndef THALWEG_FIELD_H
#define THALWEG_FIELD_H

#ifdef __cplusplus
extern "C" {
#endif

/* Belongs to its session. */
typedef struct thalweg_field thalweg_field;

/* A dimension of fields that no decomposition has, for example of levels. Errors: NAME for one of another size. */
THALWEG_API int thalweg_define_field_dimension(thalweg_session* session, const char* name, int64_t size);

/* Defines a field.
 *   name      "temp", or "ocean/temp" with the component in front; no other field has it
 *   dims      its dimensions, slowest first, without the record dimension, which collections add: "z,lat,lon"; "": none
 *   type      that of the variable in files, unless the configuration says another one
 *   decomposition, memory_dims  as of thalweg_define_variable
 *   is_static 0: it changes in time, and is put in every step; else it is put once, and has no records. Static fields
 * of a dimension's name ("lon" along "lon"), and those that the attributes coordinates, bounds and grid_mapping name,
 * are in each collection that has a field which needs them. Errors: NAME; STATE where a
 * collection that has all that is like it has ended its definitions, and has no other file in which it would be. What
 * the configuration asks for and no program can write is found when collections choose: CONFIG. */
THALWEG_API int thalweg_define_field(thalweg_session* session, const char* name, const char* dims, thalweg_type type,
                                     const thalweg_decomposition* decomposition, const char* memory_dims, int is_static,
                                     thalweg_field** field);

/* An attribute of the variables that are written of a field, as thalweg_define_text and _attribute. A number that is
 * missing_value or _FillValue is that of cells without a value, which operations over an interval leave out. STATE:
 * the field was put already, or a collection that has it has ended its definitions. */
THALWEG_API int thalweg_define_field_text(thalweg_field* field, const char* name, const char* text);
THALWEG_API int thalweg_define_field_attribute(thalweg_field* field, const char* name, thalweg_type type, int count,
                                               const void* values);

/* Puts this rank's piece of a field, for every collection that has chosen it; the array may be used again on return.
 * One that no collection has costs next to nothing. box, data, type, rank, extent, stride: as of thalweg_put_box, but
 * that what is gathered over an interval may be an array of any number type. Errors: also SHAPE, and those of
 * thalweg_put; STATE for what was put in this step already. */
THALWEG_API int thalweg_put_field(thalweg_field* field, int box, const void* data, thalweg_type type, int rank,
                                  const int64_t* extent, const int64_t* stride);

/* How a put differs from a plain one; where it is all zeros, not at all.
 *   weight  of these values in means, and what is made like them, in place of the length of the step; at least 0
 *   mask    an array like the one that is put: cells have a value where it is not zero, of real types at least 0.5.
 *           Others are left out of what is gathered, and filled where the values themselves are written
 *   mask_type, mask_stride  its type, and its strides in bytes; it has the extents of the array
 *   start   the array is a part of the box, and has no halo: its first cell in the box, from 0, in the order of the
 *           array's dimensions. Parts that do not meet are one sample; what is in none of them has no value. Values
 * that are written themselves are when the step ends */
typedef struct thalweg_put_terms {
  const double* weight;
  const void* mask;
  thalweg_type mask_type;
  const int64_t* mask_stride;
  const int64_t* start;
} thalweg_put_terms;

/* As thalweg_put_field, on these terms; NULL: on none. Between other calls of the session any threads may make such
 * puts at once, if they have a start, and call thalweg_is_wanted and thalweg_is_wanted_now: MPI is not called. What is
 * written does not depend on which thread puts which part, and when. A thread that puts the whole box says so by a
 * start. Errors: also ARGUMENT; each thread has its own. */
THALWEG_API int thalweg_put_field_on(thalweg_field* field, int box, const thalweg_put_terms* terms, const void* data,
                                     thalweg_type type, int rank, const int64_t* extent, const int64_t* stride);

/* Before the puts of a step: it ends then, and the next thalweg_advance says the same time. A program whose steps are
 * not all as long as "time-step" calls it, and means over them are weighted by their lengths; without it every sample
 * has the same weight. It is of no use to collections that the program opens itself: where their records come at times,
 * steps are as long as "time-step". */
THALWEG_API int thalweg_step(thalweg_session* session, double end_s);

/* Keeps what collections have gathered of intervals that have not ended, between two steps: in the next run, which says
 * its start by thalweg_set_time and calls thalweg_ready before its first put, those with "append: continue" go on, on
 * any ranks, as if there had been one run. The files are those of the collection "checkpoint", in turn checkpoint.1.nc
 * and checkpoint.2.nc unless the configuration says others; the run takes the one of its start. Where a collection
 * cannot go on, thalweg_ready returns STATE, behind which all others are ready. Collective over the clients; on return
 * the file is complete, and what was put before is written. Errors: also those of thalweg_wait; STATE within a step,
 * and for a field that ranks have put in different steps. */
THALWEG_API int thalweg_checkpoint(thalweg_session* session);

/* Whether any collection has chosen the field; and whether its values of this step go anywhere. */
THALWEG_API int thalweg_is_wanted(const thalweg_field* field, int* wanted);
THALWEG_API int thalweg_is_wanted_now(const thalweg_field* field, int* wanted);

#ifdef __cplusplus
}
#endif

#endif
