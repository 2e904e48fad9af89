/* Thalweg: output of Earth-system models. The C interface; the Fortran and C++ interfaces are checked against it.
 *
 * Conventions, valid for every function:
 *  - Every function returns THALWEG_OK (0) or an error code. The text of the last error of the calling thread is in
 *    thalweg_error_text(): what happened, with which value, what is allowed, where, and what to do. Nothing is printed
 *    and nothing is aborted by the library.
 *  - "Collective" means: every client (thalweg_is_client) calls it, in the same order. thalweg_start and thalweg_finish
 *    are calls of servers too, which make no others between them.
 *    "Local" means: any rank, any order, no communication that waits for another rank.
 *  - Handles belong to the session and end with thalweg_finish. A call with one whose session is finished is an error
 *    (STATE), and so is one with a pointer that is NULL or was never a handle (ARGUMENT). Strings and arrays given are
 *    copied; only thalweg_put reads the model's field, and it may be changed as soon as thalweg_put has returned.
 *  - Dimensions are listed slowest first ("time,z,y,x"), as ncdump prints them. All indices count from 0.
 *  - Extents and indices are in elements, strides in bytes, times in seconds.
 *  - A handle may be used by one thread at a time, but for parts of fields, which any threads put at once
 *    (thalweg_put_field_on). Two sessions in one process are independent, in two threads where MPI was begun with
 *    MPI_THREAD_MULTIPLE; but collections with 'engine: library' are for one thread, because their libraries are.
 *
 * Order of calls:
 *
 *   start -> decompose, open_collection, define_* -> [ready] -> ( put* -> advance )* -> finish
 *
 * Definitions end with thalweg_ready, or with the first advance, wait or finish after them, whichever comes first: that
 * one call is collective, because there the ranks agree on plans, memory and files. Puts before it are kept.
 */
#ifndef THALWEG_H
#define THALWEG_H

#include <mpi.h>
#include <stdint.h>

#include "thalweg_values.h"

#if defined(__GNUC__)
#define THALWEG_API __attribute__((visibility("default")))
#else
#define THALWEG_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct thalweg_session thalweg_session;             /* one model's use of Thalweg, from start to finish */
typedef struct thalweg_decomposition thalweg_decomposition; /* which part of an index space each rank holds */
typedef struct thalweg_collection thalweg_collection;       /* a series of files with the same variables */
typedef struct thalweg_input thalweg_input;                 /* a file, or a set of files, that is read */

/* ---- session ---- */

/* Sets the procedure that writes collections of this name and of format "user" in sessions that this process starts
 * later, as thalweg_set_procedure does for an open collection; it is not looked at with another format. A server is in
 * thalweg_start until the model has finished, so this is the way where the configuration has servers: every rank calls
 * it, with a procedure of its own program, because any may be made a server. It is called by the helper thread of each
 * server that writes a part of the collection. A later call takes the place of an earlier one. Local. Errors: ARGUMENT.
 */
THALWEG_API int thalweg_register_procedure(const char* collection, thalweg_write_procedure procedure, void* user);

/* Starts a session. Collective over comm, which is duplicated. config: path of a YAML file; NULL or "" for defaults
 * (settings may still come from the environment, THALWEG_<KEY>). Errors: CONFIG, MPI. On error *session is NULL. */
THALWEG_API int thalweg_start(MPI_Comm comm, const char* config, thalweg_session** session);

/* As thalweg_start, with the YAML text itself in place of a file. origin names it in messages (NULL: "program"). */
THALWEG_API int thalweg_start_text(MPI_Comm comm, const char* yaml, const char* origin, thalweg_session** session);

/* The whole part of a rank whose program is a server and nothing else, for launches of several programs: starts a
 * session in which this rank is a server wherever it is, serves, and returns when the model has finished. Collective
 * with thalweg_start of the other ranks, with the same configuration, in which the number of servers may be left out.
 * Errors: CONFIG, MPI, and what ended the output. */
THALWEG_API int thalweg_serve(MPI_Comm comm, const char* config);

/* *flag = 1 on a rank that computes, 0 on one that only served, or is left over: it comes back from thalweg_start when
 * all is written, and calls thalweg_finish and nothing else. Local. */
THALWEG_API int thalweg_is_client(const thalweg_session* session, int* flag);

/* *comm = communicator of the clients; it belongs to the session. Local. Errors: STATE on a rank that is no client. */
THALWEG_API int thalweg_model_comm(const thalweg_session* session, MPI_Comm* comm);

/* Writes and publishes everything, prints the report, frees the session with all its handles, and sets *session to
 * NULL, also on error. Collective, before MPI_Finalize (STATE behind it). Errors: STORAGE, DEADLINE, AGREEMENT (ranks
 * did not make the same steps: files stay NAME.partial) and any that a writer met since the last call. */
THALWEG_API int thalweg_finish(thalweg_session** session);

/* ---- declarations: before thalweg_ready or the first advance ---- */

/* Declares which part of a global index space this rank holds. Collective.
 *   dims      names of the dimensions, slowest first, for example "y,x"; 1 to 5 of them
 *   shape     global extent of each dimension
 *   box_count number of boxes of this rank, 0 for a rank that holds nothing
 *   start, count   box_count rows of as many values as dims, without halo; may be NULL where box_count is 0
 *   halo_low, halo_high  cells around each box that the local arrays hold as well; NULL: none
 *   masked    1: cells that no rank owns are intended (land) and get the fill value; 0: they are an error
 * Errors: SHAPE for a box outside of shape; AGREEMENT for overlaps and unintended holes, naming ranks and boxes. */
THALWEG_API int thalweg_decompose(thalweg_session* session, const char* dims, const int64_t* shape, int box_count,
                                  const int64_t* start, const int64_t* count, const int64_t* halo_low,
                                  const int64_t* halo_high, int masked, thalweg_decomposition** decomposition);

/* Declares which points of one dimension this rank holds, as a list: for unstructured meshes. Collective.
 *   dim       name of the dimension, for example "cell"
 *   size      its global extent
 *   count     number of local points, which is the extent of the local arrays along dim; may be 0
 *   index     global index of each local point, in any order; a negative one marks a point that is not written (halo,
 *             hole); may be NULL where count is 0
 *   masked    1: points that no rank lists are intended and get the fill value; 0: they are an error
 * A point listed twice is an error, or belongs to the lowest rank that lists it ("owner: lowest-rank").
 * Errors: SHAPE for an index that is too large, naming rank, position and value; AGREEMENT for points listed twice and
 * unintended holes, naming ranks and points. */
THALWEG_API int thalweg_decompose_indices(thalweg_session* session, const char* dim, int64_t size, int64_t count,
                                          const int64_t* index, int masked, thalweg_decomposition** decomposition);

/* Declares which points of a grid this rank holds, as a list: land without sea, any map. Files have all the dimensions;
 * the rank's arrays have one in their place, along the list. Collective.
 *   dims      names of the dimensions, slowest first, for example "lat,lon"; 1 to 5 of them
 *   shape     global extent of each dimension
 *   count     number of local points, which is the extent of the local arrays along the list; may be 0
 *   index     number of each local point among all, in any order, counted row by row from 0 ((lat, lon): lat * shape[1]
 *             + lon); a negative one marks a point that is not written; may be NULL where count is 0
 *   masked    as for thalweg_decompose_indices, as are the errors
 * A variable on it has all of dims next to each other and in this order, in its dimensions and in its memory
 * dimensions, where they stand for the one dimension of the list ("time,z,lat,lon": arrays of z by points). */
THALWEG_API int thalweg_decompose_points(thalweg_session* session, const char* dims, const int64_t* shape,
                                         int64_t count, const int64_t* index, int masked,
                                         thalweg_decomposition** decomposition);

/* Opens a collection by name; its file, format and frequency come from the configuration. Local, but every client
 * opens the same collections. Errors: NAME if the configuration has collections and this is none of them. */
THALWEG_API int thalweg_open_collection(thalweg_session* session, const char* name, thalweg_collection** collection);

/* As thalweg_open_collection, with the program's own settings of the collection: yaml has the keys that may stand below
 * its name in a configuration, for example "{file: ssh_%Y.nc, every: 6 h}" (NULL or "": none). What the configuration
 * says of the same collection prevails, key by key, so that a user can change what the program says; it need not have
 * the collection. Local, but every client gives the same settings. Errors: NAME for one that is open; CONFIG with all
 * faults, each with its place in the text. thalweg_ready: AGREEMENT if clients gave different settings. */
THALWEG_API int thalweg_open_collection_text(thalweg_session* session, const char* name, const char* yaml,
                                             thalweg_collection** collection);

/* Defines a dimension that is not decomposed. Local. The record dimension needs no definition, unless it has a name of
 * the program's: with the size THALWEG_UNLIMITED, before any variable. If the configuration says its name
 * ("record-dimension"), files have that, and the program goes on to use its own. Errors: ARGUMENT, NAME, STATE. */
THALWEG_API int thalweg_define_dimension(thalweg_collection* collection, const char* name, int64_t size);

/* Defines a variable. Local.
 *   dims      its dimensions in the file, slowest first; the record dimension ("time" unless configured), if it has
 *             one, comes first. A variable without it is put once, and is written into each file.
 *   type      its type in the file
 *   decomposition  how dims named by it are spread over the ranks, each of which the variable has once; NULL:
 *             replicated, every rank puts the same values; any but the record dimension may come twice then ("x,x")
 *   memory_dims    the same dimensions (record dimension left out) in the order of the model's arrays, slowest first;
 *                  NULL: as in dims
 * Errors: NAME, SHAPE. */
THALWEG_API int thalweg_define_variable(thalweg_collection* collection, const char* name, const char* dims,
                                        thalweg_type type, const thalweg_decomposition* decomposition,
                                        const char* memory_dims);

/* Gives a text attribute to a variable, or to the file where variable is NULL or empty. The record dimension's variable
 * ("time") takes attributes whether the model defines it or Thalweg adds it: its bounds, for example. Local. */
THALWEG_API int thalweg_define_text(thalweg_collection* collection, const char* variable, const char* name,
                                    const char* text);

/* Gives a numeric attribute of count values, which may be 0, to a variable, or to the file where variable is NULL or
 * empty. Local. Values of type CHAR are a text of that length. "_FillValue" of the variable's type sets what holes are
 * filled with. */
THALWEG_API int thalweg_define_attribute(thalweg_collection* collection, const char* variable, const char* name,
                                         thalweg_type type, int count, const void* values);

/* Sets the procedure that writes a collection of format "user", where Thalweg makes, renames and looks at no file: what
 * "file" says is a name that the procedure is told, "append" and "durability" have no meaning, and a record is
 * committed when the procedure has returned from its RECORD on every node. Local, but every client sets one; user is
 * handed to the procedure as it is. Errors: STATE after the end of definitions (which fail with STATE for a collection
 * of that format without a procedure) and where servers write (thalweg_register_procedure), FORMAT for a collection of
 * another format. */
THALWEG_API int thalweg_set_procedure(thalweg_collection* collection, thalweg_write_procedure procedure, void* user);

/* Ends the definitions: checks that all ranks agree, makes plans and memory, sees that files can be made. Collective,
 * optional: the first advance, wait or finish does it otherwise, but then the first record is copied twice, the second
 * time in that call, and staging memory is mapped beside the first steps of the model, where records of this time pay
 * for their pages. After this call memory is mapped, and a put of the first record costs as much as any.
 * Errors: AGREEMENT, MEMORY, STORAGE, FORMAT, CONFIG (a configured variable that was never defined). */
THALWEG_API int thalweg_ready(thalweg_session* session);

/* ---- the model's steps ---- */

/* Says the model time at the start of the run, in seconds since reference-date (default 0); needed by a run that
 * continues another one. Local, before the first put or advance and, for collections with 'append: continue', before
 * definitions end. Errors: STATE after that, ARGUMENT. */
THALWEG_API int thalweg_set_time(thalweg_session* session, double time_s);

/* Says the model time at which the run ends, in seconds since reference-date: records of collections with "every: end"
 * are closed by the advance to it, and that advance may be shorter than time-step. No advance goes beyond it. Local,
 * before the first put or advance; every client says the same. Errors: STATE after that, ARGUMENT (no time, or before
 * the start), AGREEMENT (said by wait and finish). */
THALWEG_API int thalweg_set_end_time(thalweg_session* session, double time_s);

/* How the record coordinate that Thalweg puts counts, for bounds and times of the model's own: *units becomes "seconds
 * since 2000-01-01 00:00:00", with reference-date, and *calendar the configured one, such as "noleap". Local. The texts
 * belong to the session. Errors: STATE, ARGUMENT. */
THALWEG_API int thalweg_time_units(const thalweg_session* session, const char** units, const char** calendar);

/* Puts this rank's piece of a field for the record that thalweg_advance, or thalweg_record, closes next, and returns
 * when it is in its block (memory speed). Local: it never waits for other ranks to come to a call; before definitions
 * have ended (thalweg_ready) the piece is checked and copied, and put when they have. A field that is not due costs a
 * look-up.
 *   data      first element of the local array, halo included
 *   type      its type in memory: the file type, or another number type. Integers take integers that they hold (INT<n>
 *             in UINT<n>: bits as they are), and reals that their scale_factor or add_offset pack
 *   rank      number of dimensions of the array, as in memory_dims
 *   extent    its extents; in a decomposed dimension either with the declared halo or without any
 *   stride    byte strides, any sign; NULL: contiguous, last dimension fastest
 * A variable without records is put once, at any time, for all files of its collection. Put again, before the first
 * field of the record that begins a file, it has the new values in that file and those behind it; the open file keeps
 * what it has. Who does not put its piece again leaves it as it was.
 * Ranks that hold nothing may leave out the call. A record's field that a rank holding a piece did not put before
 * advance is filled with the fill value and reported. FLOAT64 values that a FLOAT32 cannot hold become infinite and
 * are reported at the end.
 * Errors: NAME, SHAPE, ARGUMENT (a value that an integer variable cannot hold), STATE (put twice in one record, or
 * before one file), DEADLINE, FULL, and what a writer met (STORAGE). */
THALWEG_API int thalweg_put(thalweg_collection* collection, const char* variable, const void* data, thalweg_type type,
                            int rank, const int64_t* extent, const int64_t* stride);

/* As thalweg_put for box number box of a rank that declared several. */
THALWEG_API int thalweg_put_box(thalweg_collection* collection, const char* variable, int box, const void* data,
                                thalweg_type type, int rank, const int64_t* extent, const int64_t* stride);

/* *due = 1 if the coming thalweg_advance will close a record of the collection, and always with "every: on-demand".
 * Local. */
THALWEG_API int thalweg_is_due(const thalweg_collection* collection, int* due);

/* Closes the step: model time is now time_s, in seconds since reference-date in the configured calendar. Due records
 * are complete with it. Every client makes the same steps, to the same times. Local, never waits for storage under
 * "writers: thread"; with "sync" it returns when the record is written. Records of collections with "engine: library"
 * are written in it under both, by calls that are collective.
 * Errors: ARGUMENT (no time), STATE (time does not grow, or it is the start time and no collection has initial-record),
 * AGREEMENT (ranks go to different times; said here, or by wait and finish), STORAGE, DEADLINE. Without
 * thalweg_ready the first one is collective, and has its errors too. */
THALWEG_API int thalweg_advance(thalweg_session* session, double time_s);

/* Closes the record of a collection with "every: on-demand": it holds what was put since the last one, and its time is
 * time_s, in seconds since reference-date. Model time and other collections stay as they are: this goes on beside
 * thalweg_advance, and without it. Every client closes the same records, at the same times, in the same order with its
 * advances. Local, and waits as thalweg_advance does.
 * Errors: ARGUMENT (no time), STATE (the collection has an interval; time does not grow from record to record),
 * AGREEMENT (ranks close different records; said here, or by wait and finish), STORAGE, DEADLINE. Without thalweg_ready
 * the first of these calls is collective, and has its errors too. */
THALWEG_API int thalweg_record(thalweg_collection* collection, double time_s);

/* The records of the collection after this call go to a new file of this name (instead of the configured series).
 * Local; every client calls it between the same two advances or records, before it puts a field of the coming record.
 * Errors: STATE; STORAGE for a name that this run has used; thalweg_wait and thalweg_finish: AGREEMENT if ranks named
 * others. */
THALWEG_API int thalweg_new_file(thalweg_collection* collection, const char* file);

/* Closes the open file of the collection: no record follows in it, and it gets its name as soon as its writers have
 * done their part, which thalweg_wait waits for. Where none is open, a file without records is made: of the name that
 * thalweg_new_file gave, or the first of a series whose name has no date. A later record opens the next file of the
 * series, or that of thalweg_new_file. Variables without records that were not put before are filled. Local; every
 * client calls it between the same two advances or records. With "engine: library" it is collective.
 * Errors: STATE (the coming record has fields, no file is open), STORAGE. Without thalweg_ready the first of these
 * calls is collective, and has its errors too. */
THALWEG_API int thalweg_close_file(thalweg_collection* collection);

/* Gives a text attribute to a variable, or to the file where variable is NULL or empty, or another text to one that it
 * has: in all files of the collection that begin after this call, also the first one, while it has no record. For what
 * is said anew with each file: the units of a time that counts from its first record, a title. Local, after
 * thalweg_ready; every client makes the same changes between the same two advances, before it puts a field of a record
 * that begins a file. Errors: NAME for an unknown variable, and for what Thalweg says itself: _FillValue, units and
 * calendar of a time that it puts, what tells of rounding; STATE before the end of definitions, or too late for the
 * coming file; FORMAT where the format does not take it, or (CDF) the header would outgrow its first size by more than
 * header-reserve. thalweg_finish: AGREEMENT if ranks made different changes. */
THALWEG_API int thalweg_change_text(thalweg_collection* collection, const char* variable, const char* name,
                                    const char* text);

/* The same with a numeric attribute of count values. A text may become numbers, and numbers a text. */
THALWEG_API int thalweg_change_attribute(thalweg_collection* collection, const char* variable, const char* name,
                                         thalweg_type type, int count, const void* values);

/* Gives a text attribute to a variable of the open file of the collection, or to the file itself where variable is NULL
 * or empty: what is known at the end only, such as how long the run took. The file has it, in place of one of that
 * name, when it is complete; later files do not. Local; every client gives attributes of the same names between the
 * same two advances or records, behind the first record of the file and before it puts a field of the next one's.
 * Values may differ: the file has those of the rank that makes it, with servers those of the lowest client. What files
 * cannot take so late is left out, with a warning: of one record, of "engine: library", of sets that are read as one
 * file (netCDF-4), types that the format has not, and (CDF) more bytes than header-reserve. Errors: NAME, as of
 * thalweg_change_text; STATE where no file with a record is open. thalweg_finish: AGREEMENT if ranks gave others. */
THALWEG_API int thalweg_add_text(thalweg_collection* collection, const char* variable, const char* name,
                                 const char* text);

/* The same with a numeric attribute of count values. */
THALWEG_API int thalweg_add_attribute(thalweg_collection* collection, const char* variable, const char* name,
                                      thalweg_type type, int count, const void* values);

/* Asks the writers to drain what is there. Local. */
THALWEG_API int thalweg_flush(thalweg_session* session);

/* Returns when all records closed so far are committed. Collective. Errors: STORAGE, DEADLINE. With "on-server-loss:
 * continue" what servers were lost is an error too, here and in thalweg_finish, when all else is done. */
THALWEG_API int thalweg_wait(thalweg_session* session);

/* Returns when the records of the collection that this rank has closed so far are written by the writers of its node
 * and, if one of them owns the files, committed. Local, and nothing is asked of other nodes: what all of them have done
 * thalweg_wait says. The other ranks have to go on meanwhile, because records wait for the pieces of all of them and,
 * with some formats, for the rank that owns the files to be in a call. What has failed elsewhere is no error as long as
 * the records are written. Errors: what a file of the collection has met; DEADLINE, and any failure that keeps the
 * records from being written; STATE if no writer of the node has a part in the files, and on several ranks for a
 * collection whose records are gathered (write-behind.below), or with "drain: on-flush" on several nodes: one rank
 * cannot have them committed without the others. */
THALWEG_API int thalweg_wait_collection(thalweg_collection* collection);

#include "thalweg_field.h"
#include "thalweg_input.h"

/* ---- aside ---- */

/* Turns what a killed run left ("NAME.partial") into a proper file NAME with *records whole records. Local, needs no
 * session. records may be NULL. Errors: STORAGE, FORMAT. */
THALWEG_API int thalweg_recover(const char* partial, int64_t* records);

/* Text of the last error of the calling thread; "" if there was none. Valid until its next call. */
THALWEG_API const char* thalweg_error_text(void);

/* "major.minor.patch" */
THALWEG_API const char* thalweg_version(void);

#ifdef __cplusplus
}
#endif
#endif
