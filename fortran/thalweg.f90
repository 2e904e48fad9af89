!> Thalweg: output of Earth-system models. The Fortran interface; thalweg.h has the long form of every text here.
!>
!> The module holds interfaces only: the bodies are in thalweg_fortran.c, which reads the descriptors of the arrays and
!> strings. So every kind, rank and section of an array is accepted as it is, without a copy.
!>
!> Conventions, valid for every procedure:
!>  - Dimensions are listed fastest first ("x,y,z,time"), as Fortran stores them. Starts and boxes count from 1.
!>  - stat is 0 on success and one of THW_ERROR_* otherwise; errmsg then holds what happened, with which value, what is
!>    allowed, where, and what to do (unchanged on success, cut at its length). Without stat an error ends the program:
!>    its text goes to standard error and MPI_Abort is called.
!>  - "Collective": every client (thw_is_client) calls it, in the same order; thw_start and thw_finish are calls of
!>    servers too, which make no others between them. "Local": any rank.
!>  - Trailing blanks of character arguments are ignored. Integers given as type(*) may be of any kind.
!>  - Handles belong to the session: to use one after thw_finish, or before it was made, is an error (STATE, ARGUMENT).
module thalweg
  use, intrinsic :: iso_c_binding, only: c_bool, c_int, c_int64_t
  use thalweg_attributes
  use thalweg_contents
  use thalweg_fields
  use thalweg_inputs
  use thalweg_sessions
  use thalweg_values
  implicit none
  private

  public :: thw_session, thw_decomposition, thw_collection, thw_field, thw_input, thw_block, thw_write_procedure
  public :: THW_EVENT_BEGIN, THW_EVENT_BLOCK, THW_EVENT_RECORD, THW_EVENT_END
  public :: THW_OK, THW_ERROR_ARGUMENT, THW_ERROR_CONFIG, THW_ERROR_NAME, THW_ERROR_SHAPE, THW_ERROR_STATE
  public :: THW_ERROR_AGREEMENT, THW_ERROR_MEMORY, THW_ERROR_STORAGE, THW_ERROR_DEADLINE, THW_ERROR_FULL
  public :: THW_ERROR_FORMAT, THW_ERROR_MPI, THW_ERROR_PEER, THW_ERROR_INTERNAL
  public :: THW_INT8, THW_INT16, THW_INT32, THW_INT64, THW_UINT8, THW_UINT16, THW_UINT32, THW_UINT64
  public :: THW_REAL32, THW_REAL64, THW_CHAR, THW_UNLIMITED
  public :: thw_start, thw_start_text, thw_serve, thw_finish, thw_is_client, thw_model_comm
  public :: thw_decompose, thw_decompose_indices, thw_decompose_points, thw_define_dimension, thw_define_variable
  public :: thw_open_collection, thw_open_collection_text, thw_define_text, thw_define_attribute, thw_set_procedure
  public :: thw_ready, thw_set_time, thw_set_end_time, thw_time_units, thw_put, thw_is_due, thw_advance, thw_record
  public :: thw_new_file, thw_close_file
  public :: thw_change_text, thw_change_attribute, thw_add_text, thw_add_attribute
  public :: thw_flush, thw_wait, thw_wait_collection
  public :: thw_define_field_dimension, thw_define_field, thw_define_field_text, thw_define_field_attribute
  public :: thw_put_field, thw_put_field_on, thw_step, thw_checkpoint, thw_is_wanted, thw_is_wanted_now
  public :: thw_open_input, thw_input_records, thw_input_variable, thw_input_record_at, thw_declare_input
  public :: thw_set_missing, thw_get, thw_get_at, thw_close_input
  public :: thw_input_variables, thw_input_variable_name, thw_input_dimensions, thw_input_packing
  public :: thw_input_attributes, thw_input_attribute_name, thw_input_attribute, thw_input_times, thw_select_input
  public :: thw_register_array, thw_put_arrays, thw_restore
  public :: thw_register_procedure, thw_recover, thw_error_text, thw_version

  ! ---- declarations: before thw_ready or the first advance ----
  interface
    !> Declares which part of a global index space this rank holds. Collective. Errors: SHAPE, AGREEMENT.
    !>   dims          names of the n dimensions, fastest first, for example "x,y"
    !>   shape         integer(n): global extents
    !>   start, count  integer(n) for one box or integer(n,boxes); without halo; start counts from 1
    !>   halo          integer(n): cells around each box that the local arrays hold as well, the same on both sides;
    !>                 or halo_low and halo_high for the two sides apart; absent: none
    !>   boxes         number of boxes, at most as many as start has; 0 for a rank that holds nothing; absent: all
    !>   masked        logical; .true.: cells that no rank owns are intended (land); absent or .false.: an error
    subroutine thw_decompose(session, decomposition, dims, shape, start, count, halo, halo_low, halo_high, &
                             boxes, masked, stat, errmsg) bind(c)
      import :: thw_session, thw_decomposition, c_int
      type(thw_session), intent(in) :: session
      type(thw_decomposition), intent(inout) :: decomposition
      character(*), intent(in) :: dims
      type(*), dimension(..), intent(in) :: shape
      type(*), dimension(..), intent(in) :: start
      type(*), dimension(..), intent(in) :: count
      type(*), dimension(..), intent(in), optional :: halo
      type(*), dimension(..), intent(in), optional :: halo_low
      type(*), dimension(..), intent(in), optional :: halo_high
      integer(c_int), intent(in), optional :: boxes
      type(*), intent(in), optional :: masked
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_decompose

    !> Declares which points of one dimension this rank holds. Collective. Errors: SHAPE, AGREEMENT.
    !>   dim     name of the dimension, for example "cell"
    !>   size    integer scalar: its global extent
    !>   index   integer(n): global index of each local point, from 1, in any order; one below 1 is not written
    !>   masked  as in thw_decompose
    subroutine thw_decompose_indices(session, decomposition, dim, size, index, masked, stat, errmsg) bind(c)
      import :: thw_session, thw_decomposition, c_int
      type(thw_session), intent(in) :: session
      type(thw_decomposition), intent(inout) :: decomposition
      character(*), intent(in) :: dim
      type(*), dimension(..), intent(in) :: size
      type(*), dimension(..), intent(in) :: index
      type(*), intent(in), optional :: masked
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_decompose_indices

    !> Declares which points of a grid this rank holds, as a list. Files have all dimensions; the rank's arrays have one
    !> in their place, along the list. Collective. Errors: SHAPE, NAME, AGREEMENT.
    !>   dims    names of the n dimensions, fastest first, for example "lon,lat"
    !>   shape   integer(n): global extents
    !>   index   integer(m): number of each local point, from 1 in the order of array elements (SCORPIO's compmap), in any
    !>           order; one below 1 is not written
    !>   masked  as in thw_decompose
    !> A variable on it has all of dims next to each other and in this order, also in its memory order, where they stand
    !> for the dimension of the list.
    subroutine thw_decompose_points(session, decomposition, dims, shape, index, masked, stat, errmsg) bind(c)
      import :: thw_session, thw_decomposition, c_int
      type(thw_session), intent(in) :: session
      type(thw_decomposition), intent(inout) :: decomposition
      character(*), intent(in) :: dims
      type(*), dimension(..), intent(in) :: shape
      type(*), dimension(..), intent(in) :: index
      type(*), intent(in), optional :: masked
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_decompose_points

    !> Opens a collection by its name in the configuration. Local; every client opens the same ones. Error: NAME.
    subroutine thw_open_collection(session, collection, name, stat, errmsg) bind(c)
      import :: thw_session, thw_collection, c_int
      type(thw_session), intent(in) :: session
      type(thw_collection), intent(inout) :: collection
      character(*), intent(in) :: name
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_open_collection

    !> As thw_open_collection, with the program's own settings of it in YAML: the keys that may stand below its name in
    !> a configuration, whose own entry of this name prevails, key by key. Local; every client gives the same. Errors:
    !> NAME, CONFIG.
    subroutine thw_open_collection_text(session, collection, name, yaml, stat, errmsg) bind(c)
      import :: thw_session, thw_collection, c_int
      type(thw_session), intent(in) :: session
      type(thw_collection), intent(inout) :: collection
      character(*), intent(in) :: name
      character(*), intent(in) :: yaml
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_open_collection_text

    !> Defines a dimension that is not decomposed, or the record dimension. Local. size: integer scalar; THW_UNLIMITED.
    subroutine thw_define_dimension(collection, name, size, stat, errmsg) bind(c)
      import :: thw_collection, c_int
      type(thw_collection), intent(in) :: collection
      character(*), intent(in) :: name
      type(*), dimension(..), intent(in) :: size
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_define_dimension

    !> Defines a variable. Local. Errors: NAME, SHAPE.
    !>   dims           its dimensions in the file, fastest first; the record dimension, if it has one, comes last
    !>   type           its type in the file: THW_REAL32, THW_INT16, ...
    !>   decomposition  how dims named by it are spread over the ranks; absent: every rank puts the same values
    !>   memory         the same dimensions (record dimension left out) in the order of the model's arrays, fastest
    !>                  first; absent: as in dims
    !>   units, long_name, standard_name  text attributes; absent: not written
    subroutine thw_define_variable(collection, name, dims, type, decomposition, memory, units, long_name, &
                                   standard_name, stat, errmsg) bind(c)
      import :: thw_collection, thw_decomposition, c_int
      type(thw_collection), intent(in) :: collection
      character(*), intent(in) :: name
      character(*), intent(in) :: dims
      integer(c_int), intent(in) :: type
      type(thw_decomposition), intent(in), optional :: decomposition
      character(*), intent(in), optional :: memory
      character(*), intent(in), optional :: units
      character(*), intent(in), optional :: long_name
      character(*), intent(in), optional :: standard_name
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_define_variable

    !> Sets the procedure that writes a collection of format "user". Local; every client sets one. It is called until
    !> thw_finish has returned, so it is a module procedure, not an internal one. Errors: STATE, FORMAT.
    subroutine thw_set_procedure(collection, writer, stat, errmsg) bind(c)
      import :: thw_collection, thw_write_procedure, c_int
      type(thw_collection), intent(in) :: collection
      procedure(thw_write_procedure) :: writer
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_set_procedure

    !> Ends the definitions. Collective, optional: the first advance, wait or finish does it otherwise.
    !> Errors: AGREEMENT, MEMORY, STORAGE, FORMAT, CONFIG.
    subroutine thw_ready(session, stat, errmsg) bind(c)
      import :: thw_session, c_int
      type(thw_session), intent(in) :: session
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_ready
  end interface

  ! ---- the model's steps ----
  interface
    !> Says the model time, in seconds since reference-date (default 0), at the start of a run that continues another
    !> one. Local, before the first put or advance and, with 'append: continue', before definitions end. Error: STATE
    !> after that.
    subroutine thw_set_time(session, time, stat, errmsg) bind(c)
      import :: thw_session, c_int
      type(thw_session), intent(in) :: session
      type(*), dimension(..), intent(in) :: time
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_set_time

    !> Says the model time, in seconds since reference-date, at which the run ends: records of 'every: end' are closed by
    !> the advance to it, which may be shorter than time-step; no advance goes beyond it. Local, before the first put or
    !> advance; every client says the same. Error: STATE after that.
    subroutine thw_set_end_time(session, time, stat, errmsg) bind(c)
      import :: thw_session, c_int
      type(thw_session), intent(in) :: session
      type(*), dimension(..), intent(in) :: time
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_set_end_time

    !> Puts this rank's piece of a field for the record that the coming thw_advance closes; the field may be changed on
    !> return. Local. Errors: NAME, SHAPE, ARGUMENT, STATE, DEADLINE, FULL, STORAGE.
    !>   field  integer or real, where the variable can hold the values (reals in integers: packed), or character for CHAR;
    !>          its rank and order as in memory; any section; in a decomposed dimension either with the declared halo or
    !>          without any. Characters longer than 1 have their length as the first dimension.
    !>   box    number of the box, from 1, on a rank that declared several
    subroutine thw_put(collection, variable, field, box, stat, errmsg) bind(c)
      import :: thw_collection, c_int
      type(thw_collection), intent(in) :: collection
      character(*), intent(in) :: variable
      type(*), dimension(..), intent(in) :: field
      integer(c_int), intent(in), optional :: box
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_put

    !> How the record coordinate that Thalweg puts counts, for bounds and times of the model's own: units becomes
    !> "seconds since 2000-01-01 00:00:00", with reference-date, and calendar the configured one, such as "noleap". Local.
    !> Errors: STATE, ARGUMENT for a text that is too short.
    subroutine thw_time_units(session, units, calendar, stat, errmsg) bind(c)
      import :: thw_session, c_int
      type(thw_session), intent(in) :: session
      character(*), intent(inout) :: units
      character(*), intent(inout), optional :: calendar
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_time_units

    !> True if the coming thw_advance closes a record of the collection. Local. An error ends the program.
    function thw_is_due(collection) result(is_due) bind(c)
      import :: thw_collection, c_bool
      type(thw_collection), intent(in) :: collection
      logical(c_bool) :: is_due
    end function thw_is_due

    !> Closes the step: model time is now time, in seconds since reference-date: a scalar, real or integer. Local.
    !> Errors: ARGUMENT, STATE, AGREEMENT, STORAGE, DEADLINE.
    subroutine thw_advance(session, time, stat, errmsg) bind(c)
      import :: thw_session, c_int
      type(thw_session), intent(in) :: session
      type(*), dimension(..), intent(in) :: time
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_advance

    !> Closes the record of a collection with "every: on-demand", at time, in seconds since reference-date; model time
    !> and other collections stay as they are. Local; all clients close the same records. Errors: as thw_advance.
    subroutine thw_record(collection, time, stat, errmsg) bind(c)
      import :: thw_collection, c_int
      type(thw_collection), intent(in) :: collection
      type(*), dimension(..), intent(in) :: time
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_record

    !> The records after this call go to a new file of this name. Local; all clients between the same two advances.
    subroutine thw_new_file(collection, file, stat, errmsg) bind(c)
      import :: thw_collection, c_int
      type(thw_collection), intent(in) :: collection
      character(*), intent(in) :: file
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_new_file

    !> Closes the open file, or makes one without records; it gets its name as soon as its writers have done their part,
    !> which thw_wait waits for. Local; all clients between the same two advances. Errors: STATE, STORAGE.
    subroutine thw_close_file(collection, stat, errmsg) bind(c)
      import :: thw_collection, c_int
      type(thw_collection), intent(in) :: collection
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_close_file

    !> Asks the writers to drain what is there. Local.
    subroutine thw_flush(session, stat, errmsg) bind(c)
      import :: thw_session, c_int
      type(thw_session), intent(in) :: session
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_flush

    !> Returns when all records closed so far are committed. Collective. Errors: STORAGE, DEADLINE.
    subroutine thw_wait(session, stat, errmsg) bind(c)
      import :: thw_session, c_int
      type(thw_session), intent(in) :: session
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_wait

    !> Returns when the records of the collection closed so far are written by the writers of this rank's node. Local;
    !> the other ranks have to go on meanwhile. Errors: what a file of the collection has met; DEADLINE; STATE if no
    !> writer of the node has a part in the files, or its records are gathered (write-behind) on several ranks.
    subroutine thw_wait_collection(collection, stat, errmsg) bind(c)
      import :: thw_collection, c_int
      type(thw_collection), intent(in) :: collection
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_wait_collection
  end interface

  ! ---- aside ----
  interface
    !> Sets the procedure that writes collections of this name and of format "user" in sessions that this process starts
    !> later: as thw_set_procedure, but also for ranks that the configuration makes servers. Every rank calls it, before
    !> thw_start. Local. Errors: ARGUMENT.
    subroutine thw_register_procedure(collection, writer, stat, errmsg) bind(c)
      import :: thw_write_procedure, c_int
      character(*), intent(in) :: collection
      procedure(thw_write_procedure) :: writer
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_register_procedure

    !> Turns what a killed run left ("NAME.partial") into a file NAME with so many whole records. Local, needs no
    !> session. Errors: STORAGE, FORMAT.
    subroutine thw_recover(partial, records, stat, errmsg) bind(c)
      import :: c_int, c_int64_t
      character(*), intent(in) :: partial
      integer(c_int64_t), intent(out), optional :: records
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_recover

    !> Text of the last error of the calling thread, padded with blanks; blank if there was none. Local.
    subroutine thw_error_text(text) bind(c)
      character(*), intent(inout) :: text
    end subroutine thw_error_text

    !> "major.minor.patch", padded with blanks. Local.
    subroutine thw_version(text) bind(c)
      character(*), intent(inout) :: text
    end subroutine thw_version
  end interface
end module thalweg
