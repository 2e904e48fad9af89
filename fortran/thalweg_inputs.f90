!> What is read: netCDF files, Zarr stores and sets of files, at any time between start and finish; and the arrays that
!> are put and restored at once. Part of the module thalweg, which a model uses. Records count from 1 here, and in messages.
module thalweg_inputs
  use, intrinsic :: iso_c_binding, only: c_double, c_int, c_int64_t
  use thalweg_values
  implicit none
  private

  public :: thw_open_input, thw_input_records, thw_input_variable, thw_input_record_at, thw_declare_input
  public :: thw_set_missing, thw_get, thw_get_at, thw_close_input
  public :: thw_register_array, thw_put_arrays, thw_restore

  interface
    !> Opens what is under a path. Collective. Errors: ARGUMENT, AGREEMENT, STORAGE, FORMAT.
    subroutine thw_open_input(session, input, path, stat, errmsg) bind(c)
      import :: thw_session, thw_input, c_int
      type(thw_session), intent(in) :: session
      type(thw_input), intent(inout) :: input
      character(*), intent(in) :: path
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_open_input

    !> The number of records; 0 without a record dimension. Local.
    function thw_input_records(input, stat, errmsg) result(records) bind(c)
      import :: thw_input, c_int, c_int64_t
      type(thw_input), intent(in) :: input
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t) :: records
    end function thw_input_records

    !> What a variable is. Local. Errors: NAME, with the nearest names.
    !>   type         becomes its type in the file: THW_REAL32, THW_INT16, ...
    !>   has_records  logical; becomes whether it has the record dimension
    !>   shape        becomes the extents of its other dimensions, fastest first
    subroutine thw_input_variable(input, variable, type, has_records, shape, stat, errmsg) bind(c)
      import :: thw_input, c_int, c_int64_t
      type(thw_input), intent(in) :: input
      character(*), intent(in) :: variable
      integer(c_int), intent(out), optional :: type
      type(*), dimension(..), intent(inout), optional :: has_records
      integer(c_int64_t), dimension(:), allocatable, intent(inout), optional :: shape
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_input_variable

    !> The number of the record whose time is time, in seconds since reference-date: a scalar, real or integer. Local.
    !> Errors: NAME (no record has this time), FORMAT (times are not known, or are of another calendar).
    function thw_input_record_at(input, time, stat, errmsg) result(record) bind(c)
      import :: thw_input, c_int, c_int64_t
      type(thw_input), intent(in) :: input
      type(*), dimension(..), intent(in) :: time
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t) :: record
    end function thw_input_record_at

    !> Declares how the arrays lie into which this rank gets a variable; without it a get brings all of it to every rank.
    !> Local; every client makes the same calls. Errors: NAME, SHAPE.
    !>   dims           what the model calls the variable's dimensions in the file, fastest first, with the record
    !>                  dimension if it has one; absent: as the file does
    !>   decomposition  how dims named by it are spread over the ranks; absent: not at all
    !>   memory         the same dimensions (record dimension left out) in the order of the model's arrays, fastest
    !>                  first; absent: as in dims
    !>   periodic       those of the dimensions on which the last cell is followed by the first, so that halos beyond
    !>                  the ends are read from the other end: "x"; or with the northern fold of a tripolar grid:
    !>                  "x,y=fold T U -1" (pivot T or F, values at the points T, U, V or F, -1 for vectors)
    subroutine thw_declare_input(input, variable, dims, decomposition, memory, periodic, stat, errmsg) bind(c)
      import :: thw_input, thw_decomposition, c_int
      type(thw_input), intent(in) :: input
      character(*), intent(in) :: variable
      character(*), intent(in), optional :: dims
      type(thw_decomposition), intent(in), optional :: decomposition
      character(*), intent(in), optional :: memory
      character(*), intent(in), optional :: periodic
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_declare_input

    !> What thw_get gives in place of missing values; without this call they are given as they are, and as NaN where the
    !> others are unpacked. value: a scalar, real or integer. Local; every client makes the same calls. Error: NAME.
    subroutine thw_set_missing(input, variable, value, stat, errmsg) bind(c)
      import :: thw_input, c_int
      type(thw_input), intent(in) :: input
      character(*), intent(in) :: variable
      type(*), dimension(..), intent(in) :: value
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_set_missing

    !> Gets this rank's part of a variable. Collective: a rank that holds nothing calls it too, and its field may be one
    !> that is not allocated. Errors: NAME, SHAPE, ARGUMENT, AGREEMENT, STORAGE, FORMAT, DEADLINE.
    !>   field   as of thw_put: integer, real or character, any section; with the declared halo or without any
    !>   record  number of the record, from 1, an integer; absent: of a variable without records
    !>   box     number of the box, from 1, on a rank that declared several; every client gets the same ones, and where
    !>           there is none, the field is one that is not allocated
    subroutine thw_get(input, variable, field, record, box, stat, errmsg) bind(c)
      import :: thw_input, c_int
      type(thw_input), intent(in) :: input
      character(*), intent(in) :: variable
      type(*), dimension(..), intent(inout) :: field
      type(*), dimension(..), intent(in), optional :: record
      integer(c_int), intent(in), optional :: box
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_get

    !> Gets this rank's part of a variable as it is at a time: between two records as the configuration says for a forcing
    !> that was opened by its name, and linear for a path. Collective where a record is needed that this rank has not yet,
    !> else local: every client makes the same calls. What comes next is read while the model computes. Errors: as of
    !> thw_get; NAME for a time outside, FORMAT for times that are not known.
    !>   time    in seconds since reference-date: a scalar, real or integer
    !>   field   as of thw_get: always the same type and extents; between two records a real
    !>   box     as of thw_get
    subroutine thw_get_at(input, variable, time, field, box, stat, errmsg) bind(c)
      import :: thw_input, c_int
      type(thw_input), intent(in) :: input
      character(*), intent(in) :: variable
      type(*), dimension(..), intent(in) :: time
      type(*), dimension(..), intent(inout) :: field
      integer(c_int), intent(in), optional :: box
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_get_at

    !> Closes the input on this rank; those that are open are closed by thw_finish. Local.
    subroutine thw_close_input(input, stat, errmsg) bind(c)
      import :: thw_input, c_int
      type(thw_input), intent(inout) :: input
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_close_input

    !> Says in which array the model keeps its piece of a variable between steps. The array has the attribute target (or is
    !> a pointer), and stays where it is until thw_finish, or until another one is registered in its place; one that is not
    !> allocated is that of a rank that holds nothing. Local. Errors: NAME, SHAPE, ARGUMENT.
    !>   box  number of the box, from 1, on a rank that declared several, each of which has an array of its own
    subroutine thw_register_array(collection, variable, field, box, stat, errmsg) bind(c)
      import :: thw_collection, c_int
      type(thw_collection), intent(in) :: collection
      character(*), intent(in) :: variable
      type(*), dimension(..), intent(inout), target :: field
      integer(c_int), intent(in), optional :: box
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_register_array

    !> Puts all registered arrays of the collection; those of variables without records the first time only. Local.
    !> Errors: as of thw_put.
    subroutine thw_put_arrays(collection, stat, errmsg) bind(c)
      import :: thw_collection, c_int
      type(thw_collection), intent(in) :: collection
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_put_arrays

    !> Gets every variable of the collection into its registered array, whatever ranks, layout or format have written the
    !> file. Collective. Errors: as of thw_open_input and thw_get; ARGUMENT for a variable without an array.
    !>   path    what is restored; absent: the newest complete file of those that the configuration names
    !>   record  its number, from 1, an integer; absent: the last one
    !>   time    becomes its time, in seconds since reference-date; NaN if the file does not say it
    subroutine thw_restore(collection, path, record, time, stat, errmsg) bind(c)
      import :: thw_collection, c_int, c_double
      type(thw_collection), intent(in) :: collection
      character(*), intent(in), optional :: path
      type(*), dimension(..), intent(in), optional :: record
      real(c_double), intent(out), optional :: time
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_restore
  end interface
end module thalweg_inputs
