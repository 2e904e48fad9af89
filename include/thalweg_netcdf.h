/* Thalweg for programs that write by netCDF's calls. Each function is the one of netCDF-C whose name it has behind
 * "thalweg_", and what is put goes to Thalweg's writers. Numbers that netcdf.h names (types, the unlimited size, modes,
 * the owner of an attribute) are netCDF's: NC_FLOAT of a program stays, and THALWEG_FLOAT32 is none of them.
 *
 * What differs from netCDF-C's functions:
 *  - create       has the session before the path
 *  - put_vara     is nc_put_vara_double and the like in one: how many values start and count have, the type in memory,
 *                 and the shape of the array are arguments; int64_t in place of size_t
 *  - put_att      is nc_put_att_text, nc_put_att_double and the like in one: the type is that in memory and in the file
 *  - def_dim, inq_dim, inq_att   have int64_t or int in place of size_t
 *  - def_var_deflate   has no "deflate": level 0 is none
 *  - inq_own      is no function of netCDF's; enddef, redef and others that are not here mean nothing: leave them out
 *  - codes of errors are Thalweg's (but THALWEG_NC_EEXIST), and thalweg_error_text has the text of the last one
 *
 * What is asked of a program:
 *  - Every rank makes every call, with its own part of a variable: a start and a count, or all of it where the values
 *    are the same on every rank, in one call or in several. A rank that has nothing gives a count of 0. Parts of ranks
 *    do not overlap, and those of a rank are the same in every record.
 *  - thalweg_nc_sync closes the record that was put, and so does a put of the next one; records are written one after
 *    the other. thalweg_nc_close closes the file, which gets its name in the background.
 *  - What is put before the first record is closed is kept, because the parts of all ranks are known only then: a put
 *    of the second record is collective, if no sync came before. thalweg_nc_sync and thalweg_nc_close always are. All
 *    other calls are local.
 *  - Files follow each other: those whose names differ in their number alone ("his_0001.nc", "his_0002.nc"), and that
 *    are declared alike, are one collection, whose settings a configuration may have under that name ("his").
 *  - The conventions of thalweg.h hold. Numbers of dimensions and variables count from 0; indices too, slowest
 *    dimension first.
 */
#ifndef THALWEG_NETCDF_H
#define THALWEG_NETCDF_H

#include "thalweg.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Types, with the numbers that netcdf.h has for NC_BYTE and so on, which may be given as well. Text is of type CHAR:
 * one byte, no number. */
typedef int thalweg_nc_type;

#define THALWEG_NC_BYTE 1
#define THALWEG_NC_CHAR 2
#define THALWEG_NC_SHORT 3
#define THALWEG_NC_INT 4
#define THALWEG_NC_FLOAT 5
#define THALWEG_NC_DOUBLE 6
#define THALWEG_NC_UBYTE 7
#define THALWEG_NC_USHORT 8
#define THALWEG_NC_UINT 9
#define THALWEG_NC_INT64 10
#define THALWEG_NC_UINT64 11

/* The size of the record dimension, as netcdf.h has it (NC_UNLIMITED). */
#define THALWEG_NC_UNLIMITED 0

/* The owner of an attribute that is the file's, as netcdf.h has it (NC_GLOBAL). */
#define THALWEG_NC_GLOBAL (-1)

/* A file of the name is there, as netcdf.h has it (NC_EEXIST). */
#define THALWEG_NC_EEXIST (-35)

/* Declares a file of the session. mode: bits of netcdf.h: NC_NETCDF4, NC_64BIT_DATA or NC_64BIT_OFFSET give the format
 * (else CDF-1), NC_NOCLOBBER refuses a complete file of that name; others mean nothing. Local. Errors: NAME, and
 * THALWEG_NC_EEXIST for what NC_NOCLOBBER refuses. */
THALWEG_API int thalweg_nc_create(thalweg_session* session, const char* path, int mode, int* ncid);

/* size: THALWEG_NC_UNLIMITED for the record dimension, of which a file has one at most. Errors: NAME, SHAPE. */
THALWEG_API int thalweg_nc_def_dim(int ncid, const char* name, int64_t size, int* dimid);

/* The record dimension is the slowest one of a variable that has it. Errors: ARGUMENT, NAME, SHAPE. */
THALWEG_API int thalweg_nc_def_var(int ncid, const char* name, thalweg_nc_type type, int ndims, const int* dimids,
                                   int* varid);

/* level: 0 for none, to 9. netCDF-4 alone. */
THALWEG_API int thalweg_nc_def_var_deflate(int ncid, int varid, int shuffle, int level);

/* count values of a type; of type CHAR a text of that many characters, whose end need not be marked. varid may be
 * THALWEG_NC_GLOBAL. Until the first record is closed; a later one takes the place of one of the same name. Errors:
 * ARGUMENT, NAME. */
THALWEG_API int thalweg_nc_put_att(int ncid, int varid, const char* name, thalweg_nc_type type, int count,
                                   const void* values);

/* Puts this rank's part of a variable.
 *   starts, start   how many values start has, for the fastest dimensions; where none is given it is 0
 *   counts, count   likewise; with 0, the extents of the array. What both have beyond the variable's dimensions means
 *                   nothing
 *   data, type, rank, extent, stride   the array, as of thalweg_put; dimensions of one element come and go, and an
 *                   array of rank 1 without gaps may be a buffer that is longer than the part
 * Values of another type are converted as netCDF does: numbers within its range, reals cut to whole numbers. What is
 * put again of a variable without records takes the place of what was put before, until the first record, or the file,
 * is closed; then it has to be the same. Errors: SHAPE, STATE, and those of thalweg_put and thalweg_record. */
THALWEG_API int thalweg_nc_put_vara(int ncid, int varid, int starts, const int64_t* start, int counts,
                                    const int64_t* count, const void* data, thalweg_nc_type type, int rank,
                                    const int64_t* extent, const int64_t* stride);

/* Closes the record, if any rank has put values of it. Collective. Errors: AGREEMENT, and those of thalweg_ready and
 * thalweg_record. */
THALWEG_API int thalweg_nc_sync(int ncid);

/* Closes the record that was put, and the file; its number is free of meaning then, also on error. Collective.
 * thalweg_finish does it for files that are open. Errors: as of sync. */
THALWEG_API int thalweg_nc_close(int ncid);

/* *own = 1 for a number that thalweg_nc_create gave, whether its file is open or not; 0 for any other, such as one of a
 * file that netCDF itself has opened. */
THALWEG_API int thalweg_nc_inq_own(int ncid, int* own);

/* What is declared so far. Any pointer may be NULL. *unlimited: number of the record dimension, or -1. */
THALWEG_API int thalweg_nc_inq(int ncid, int* ndims, int* nvars, int* natts, int* unlimited);

/* The number of the format that thalweg_nc_create asked for (netcdf.h, NC_FORMAT_*), whatever the configuration says.
 */
THALWEG_API int thalweg_nc_inq_format(int ncid, int* format);

/* The longest name, without its end: room for the names below. */
#define THALWEG_NC_MAX_NAME 256

/* *size: of the record dimension, the records that are closed, and the one that has values. Errors: NAME. */
THALWEG_API int thalweg_nc_inq_dim(int ncid, int dimid, char* name, int64_t* size);

/* dimids: slowest first, room for THALWEG_MAX_RANK. Any pointer may be NULL. Errors: NAME. */
THALWEG_API int thalweg_nc_inq_var(int ncid, int varid, char* name, thalweg_nc_type* type, int* ndims, int* dimids,
                                   int* natts);

/* The name of an attribute by its number, from 0; its type and how many values it has (characters of a text) by its
 * name. Errors: NAME. */
THALWEG_API int thalweg_nc_inq_attname(int ncid, int varid, int number, char* name);
THALWEG_API int thalweg_nc_inq_att(int ncid, int varid, const char* name, thalweg_nc_type* type, int* count);

/* Errors: NAME. */
THALWEG_API int thalweg_nc_inq_dimid(int ncid, const char* name, int* dimid);
THALWEG_API int thalweg_nc_inq_varid(int ncid, const char* name, int* varid);

#ifdef __cplusplus
}
#endif
#endif
