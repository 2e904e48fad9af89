!> What is read: netCDF files, Zarr stores and sets of files, at any time between start and finish. Part of the module
!> thalweg, which a model uses. Records count from 1 here, and from 0 in messages, as in the C interface.
module thalweg_inputs
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t
  use thalweg_values
  implicit none
  private

  public :: thw_open_input, thw_input_records, thw_input_variable, thw_input_record_at, thw_declare_input
  public :: thw_set_missing, thw_get, thw_close_input

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
    !>                  the ends are read from the other end: "x"
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

    !> What thw_get gives in place of missing values; without this call they are given as they are. value: a scalar, real
    !> or integer. Local; every client makes the same calls. Error: NAME.
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
    subroutine thw_get(input, variable, field, record, stat, errmsg) bind(c)
      import :: thw_input, c_int
      type(thw_input), intent(in) :: input
      character(*), intent(in) :: variable
      type(*), dimension(..), intent(inout) :: field
      type(*), dimension(..), intent(in), optional :: record
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_get

    !> Closes the input on this rank; those that are open are closed by thw_finish. Local.
    subroutine thw_close_input(input, stat, errmsg) bind(c)
      import :: thw_input, c_int
      type(thw_input), intent(inout) :: input
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_close_input
  end interface
end module thalweg_inputs
