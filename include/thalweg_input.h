/* Thalweg: the calls that read. Part of thalweg.h, which is included for it and whose conventions hold. */
#ifndef THALWEG_H
#error "include thalweg.h"
#endif
#ifndef THALWEG_INPUT_H
#define THALWEG_INPUT_H

/* ---- reading ----
 *
 *   open_input -> [select_input*] -> [declare_input*] -> get* -> close_input
 *
 * at any time between start and finish, also before definitions have ended. How values come from the file to the ranks
 * follows from 'reading' in the configuration: one rank reads and sends the others their parts, several do, or each
 * rank reads its own.
 */

/* Opens what the configuration calls a forcing (key forcing.NAME), or else what is under a path: a netCDF file (CDF-1,
 * 2, 5, netCDF-4), a Zarr store, or a set of files ("NAME.nc" where NAME.nc.0000 and so on are, and no file of the
 * whole but a virtual master). It is opened by ranks that read, and the others are told what is in it, as it is now:
 * where one of them opens it later, a file that has changed meanwhile is an error of that get. Collective. Errors:
 * ARGUMENT, AGREEMENT (ranks name different paths), STORAGE, FORMAT. */
THALWEG_API int thalweg_open_input(thalweg_session* session, const char* path, thalweg_input** input);

/* *records = number of records of the input, 0 for one without a record dimension. Local. */
THALWEG_API int thalweg_input_records(const thalweg_input* input, int64_t* records);

/* What a variable of the input is: its type, whether it has records, and its other dimensions, slowest first. Local.
 *   rank      becomes their number, at most THALWEG_MAX_RANK
 *   shape     room for THALWEG_MAX_RANK values; the first of them become the extents
 * Any pointer but the first two may be NULL. Errors: NAME, with the nearest names. */
THALWEG_API int thalweg_input_variable(const thalweg_input* input, const char* variable, thalweg_type* type,
                                       int* has_records, int* rank, int64_t* shape);

/* *record = number of the record whose time is time_s, in seconds since reference-date, to a thousandth; times are
 * translated from the units of the input's record coordinate, whose calendar has to be that of the session. Local.
 * Errors: NAME (no record has this time: says the nearest ones), FORMAT (no record coordinate, or none that is known,
 * or another calendar). */
THALWEG_API int thalweg_input_record_at(const thalweg_input* input, double time_s, int64_t* record);

/* ---- what is in an input: local calls; names and values that they give belong to the input, until it is closed ----
 *
 * What variables are left out, because Thalweg has no words for them, a get of one says.
 */

/* *number = how many variables the input has. */
THALWEG_API int thalweg_input_variables(const thalweg_input* input, int* number);

/* *name = the name of a variable by its number, from 0, in the order of the file. Errors: ARGUMENT. */
THALWEG_API int thalweg_input_variable_name(const thalweg_input* input, int number, const char** name);

/* The names of a variable's dimensions in the file, slowest first, with the record dimension if it has one.
 *   number    becomes how many they are
 *   names     room for THALWEG_MAX_RANK + 1 texts; the first of them become the names
 * Either may be NULL. Errors: NAME. */
THALWEG_API int thalweg_input_dimensions(const thalweg_input* input, const char* variable, int* number,
                                         const char** names);

/* How values of a variable are packed: what they mean is value * scale + offset. *is_packed becomes whether it has an
 * attribute scale_factor or add_offset, *scale and *offset what they say, 1 and 0 where it has none. Any of the three
 * may be NULL. Errors: NAME. */
THALWEG_API int thalweg_input_packing(const thalweg_input* input, const char* variable, int* is_packed, double* scale,
                                      double* offset);

/* *number = how many attributes a variable has, or the file where variable is NULL or empty. Errors: NAME. */
THALWEG_API int thalweg_input_attributes(const thalweg_input* input, const char* variable, int* number);

/* *name = the name of an attribute by its number, from 0. Errors: NAME, ARGUMENT. */
THALWEG_API int thalweg_input_attribute_name(const thalweg_input* input, const char* variable, int number,
                                             const char** name);

/* What an attribute says.
 *   type      becomes that of its values; THALWEG_CHAR: it is a text
 *   count     becomes how many they are; of a text, its bytes
 *   values    becomes the address of the first; behind a text there is a zero
 * Any of the three may be NULL. Errors: NAME, with the nearest names. */
THALWEG_API int thalweg_input_attribute(const thalweg_input* input, const char* variable, const char* name,
                                        thalweg_type* type, int* count, const void** values);

/* The times of all records, in seconds since reference-date, as thalweg_input_record_at has them. times_s: room for as
 * many as there are records. Errors: FORMAT (no record coordinate, or none that is known, or another calendar). */
THALWEG_API int thalweg_input_times(const thalweg_input* input, double* times_s);

/* ---- how it is got ---- */

/* Declares how the arrays lie into which this rank gets a variable, as thalweg_define_variable does for what it puts;
 * may be called again with another decomposition. Without it a get brings the whole variable to every rank. Local, but
 * every client makes the same calls.
 *   dims      what the model calls the variable's dimensions in the file, slowest first, with the record dimension if
 *             it has one; NULL: as the file does
 *   decomposition  how dims named by it are spread over the ranks; NULL: not at all. Of an index list a rank gets what
 *                  its list has, also points that another rank owns.
 *   memory_dims    the same dimensions (record dimension left out) in the order of the model's arrays, slowest first;
 *                  NULL: as in dims
 *   periodic       those of the dimensions, separated by commas, on which the last cell is followed by the first, so
 *                  that halos beyond the ends are read from the other end; NULL: none. With one such dimension
 *                  another may have the northern fold of a tripolar grid, beyond which its last rows lie the other
 *                  way round: "x, y=fold T U -1" has the pivot at a point T of the last row (or F, a corner), values
 *                  at the points U of their cells (or T, V, F), and, by -1, other signs there, as vectors have
 * Errors: NAME, ARGUMENT (no such fold), SHAPE (an extent of the decomposition is not that of the file). */
THALWEG_API int thalweg_declare_input(thalweg_input* input, const char* variable, const char* dims,
                                      const thalweg_decomposition* decomposition, const char* memory_dims,
                                      const char* periodic);

/* Says that of a variable only a part is got, as if the file had no more of it: from then on thalweg_input_variable and
 * thalweg_input_dimensions tell what the part has, and a decomposition that is declared has its extents. selection is a
 * list of dimensions, by the names that the file has, in any order; of those that are not in it, all is got:
 *   z[2:5]       cells from 2 to 4, counted from 0; z[2:9:3] every third of them; z[:5], z[2:], z[::3]
 *   z[2]         the cell 2; the dimension is left out
 *   lat=20:70    cells whose coordinate is from 20 to 70, both included; lat=20:70:2 every second of them; lat=20:
 *   z=500        the cell whose coordinate is 500; the dimension is left out
 *   z=~480       the one whose coordinate is nearest
 * as in "lon=-30:40, lat=20:70, z=~500". A coordinate is the variable of the dimension's name; it ascends or descends,
 * and cells lie as in the file. A longitude (its units are degrees_east) is counted around the globe, from the first
 * value to the east: "lon=350:10", "lon=-10:10" and "lon=170:-170" are parts like any other.
 * NULL or "": all of the variable again. How its arrays lie stays declared, and has to fit. Collective: one rank reads
 * coordinates. Errors: ARGUMENT (cannot be read; an index or a range beyond the file), NAME (no such dimension, no
 * coordinate, no cell with this value: says the nearest ones), FORMAT (a coordinate that neither ascends nor descends),
 * SHAPE (the declaration does not fit), AGREEMENT (ranks select different parts), STORAGE. */
THALWEG_API int thalweg_select_input(thalweg_input* input, const char* variable, const char* selection);

/* What a get gives in place of missing values, which are those that the attributes _FillValue and missing_value of the
 * variable say, or else the default fill value of netCDF; without this call they are given as they are, and as NaN
 * where the others are unpacked. For arrays of FLOAT32 and FLOAT64 value may be NaN. Local, but every client makes the
 * same calls. Errors: NAME, SHAPE (texts have no missing values). */
THALWEG_API int thalweg_set_missing(thalweg_input* input, const char* variable, double value);

/* Gets this rank's part of a variable. Collective: a rank that holds nothing calls it too, and may give NULL for data.
 *   record    number of the record, from 0; of a variable without records it is not looked at
 *   data      first element of the local array, halo included
 *   type      its type in memory. Values are converted; packed ones (attributes scale_factor and add_offset) are
 *             unpacked if it is FLOAT32 or FLOAT64, and given as they are in an array of the type of the file.
 *   rank, extent, stride  of the array, as for thalweg_put: with the declared halo or without any. A halo is filled
 *             from the file; of it, what is neither in the file nor beyond the end of a periodic dimension stays as it
 *             is, and so do places of an index list that are no points.
 * When it fails, it does so on all ranks with the same error, and the array may hold some of the values.
 * Errors: NAME, SHAPE, ARGUMENT (no such record; a value that the type in memory cannot hold), AGREEMENT (ranks get
 * different variables or records), STORAGE, FORMAT (damaged), DEADLINE. */
THALWEG_API int thalweg_get(thalweg_input* input, const char* variable, int64_t record, void* data, thalweg_type type,
                            int rank, const int64_t* extent, const int64_t* stride);

/* As thalweg_get for box number box of a rank that declared several; thalweg_get gets the first. Every client gets the
 * same boxes in the same order: a rank that has fewer than another gives NULL for data. Errors: as thalweg_get;
 * ARGUMENT for an array where there is no such box. */
THALWEG_API int thalweg_get_box(thalweg_input* input, const char* variable, int64_t record, int box, void* data,
                                thalweg_type type, int rank, const int64_t* extent, const int64_t* stride);

/* Gets this rank's part of a variable as it is at a time, in seconds since reference-date: between two records as
 * forcing.NAME.interpolation of the configuration says for an input that is opened by that name, and linear for one
 * that is opened by its path. That is lower + weight * (upper - lower), in float64 and rounded once, into an array of
 * FLOAT32 or FLOAT64, in which NaN stands for what is missing in one of both, unless set_missing says another value; at
 * the very time of a record it is this one. What has been got stays with the rank, and the record that comes next is
 * read while the model computes. So it is collective where a record is needed that this rank has not yet, and local
 * else: every client makes the same calls. Arguments are those of thalweg_get; the array always has the same type and
 * extents. Errors: as thalweg_get; NAME for a time without a record before or after it; FORMAT for times that are not
 * known or do not ascend; ARGUMENT (a variable without records); SHAPE (an array of integers, between two records). */
THALWEG_API int thalweg_get_at(thalweg_input* input, const char* variable, double time_s, void* data, thalweg_type type,
                               int rank, const int64_t* extent, const int64_t* stride);

/* As thalweg_get_at for box number box of a rank that declared several; thalweg_get_at gets the first. The records of
 * each box are kept by themselves, so that every client gets the same boxes in the same order, as by thalweg_get_box.
 * Errors: as thalweg_get_at and thalweg_get_box. */
THALWEG_API int thalweg_get_box_at(thalweg_input* input, const char* variable, double time_s, int box, void* data,
                                   thalweg_type type, int rank, const int64_t* extent, const int64_t* stride);

/* Closes the input on this rank and sets *input to NULL; those that are open are closed by finish. Local. */
THALWEG_API int thalweg_close_input(thalweg_input** input);

/* ---- a restart: all arrays of a collection at once ---- */

/* Says in which array the model keeps this rank's part of a variable between steps: thalweg_put_arrays puts from there,
 * and thalweg_restore gets into it. It has to stay where it is until the session is finished, or another one is
 * registered in its place. Local. Arguments are those of thalweg_put; a rank that holds nothing may give NULL for data.
 * Errors: NAME, SHAPE, ARGUMENT. */
THALWEG_API int thalweg_register_array(thalweg_collection* collection, const char* variable, void* data,
                                       thalweg_type type, int rank, const int64_t* extent, const int64_t* stride);

/* As thalweg_register_array for box number box of a rank that declared several, each of which has an array of its own;
 * thalweg_register_array is of the first. Where this rank has no such box, data may be NULL, and nothing is registered.
 * Errors: as thalweg_register_array; ARGUMENT for an array where there is no such box. */
THALWEG_API int thalweg_register_box(thalweg_collection* collection, const char* variable, int box, void* data,
                                     thalweg_type type, int rank, const int64_t* extent, const int64_t* stride);

/* Puts all registered arrays of the collection, as thalweg_put_box of each would; those of variables without records
 * the first time only. Local. Errors: as of thalweg_put. */
THALWEG_API int thalweg_put_arrays(thalweg_collection* collection);

/* Gets every variable of the collection from a file or a set into its registered arrays, as thalweg_get_box would with
 * the decomposition and the order of dimensions of its definition: whatever ranks, layout or format have written it.
 * What a halo has beyond the ends of the domain stays as it is. Variables that the configuration switches off are left
 * out, and so is a time coordinate that the program does not define. Collective, at any time between start and finish.
 *   path      what is restored; NULL or "": of the files that the configuration names for the collection, the complete
 *             one whose last record is the latest
 *   record    its number, from 0; -1: the last one
 *   time_s    becomes its time, in seconds since reference-date; NaN if the file does not say it. May be NULL.
 * When it fails, it does so on all ranks with the same error, and arrays may hold some of the values.
 * Errors: as of thalweg_open_input and thalweg_get; ARGUMENT for a variable or a box without an array; FORMAT also
 * where values are not those that the checksums beside the file say; STORAGE with the newest complete file, if there is
 * one. */
THALWEG_API int thalweg_restore(thalweg_collection* collection, const char* path, int64_t record, double* time_s);

#endif
