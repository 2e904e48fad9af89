!> What is in an input, and which part of it is got. Part of the module thalweg, which a model uses. Numbers count from 1
!> here, dimensions are listed fastest first.
module thalweg_contents
  use, intrinsic :: iso_c_binding, only: c_double, c_int
  use thalweg_values
  implicit none
  private

  public :: thw_input_variables, thw_input_variable_name, thw_input_dimensions, thw_input_packing
  public :: thw_input_attributes, thw_input_attribute_name, thw_input_attribute, thw_input_times, thw_select_input

  interface
    !> How many variables the input has. Local.
    function thw_input_variables(input, stat, errmsg) result(number) bind(c)
      import :: thw_input, c_int
      type(thw_input), intent(in) :: input
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int) :: number
    end function thw_input_variables

    !> The name of a variable by its number, in the order of the file. Local. Errors: ARGUMENT; also for a name that is
    !> longer than the text.
    subroutine thw_input_variable_name(input, number, name, stat, errmsg) bind(c)
      import :: thw_input, c_int
      type(thw_input), intent(in) :: input
      type(*), dimension(..), intent(in) :: number
      character(*), intent(inout) :: name
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_input_variable_name

    !> The names of a variable's dimensions in the file: "x,y,time", with the record dimension if it has one. Local.
    !> Errors: NAME, ARGUMENT (they are longer than the text).
    subroutine thw_input_dimensions(input, variable, dims, stat, errmsg) bind(c)
      import :: thw_input, c_int
      type(thw_input), intent(in) :: input
      character(*), intent(in) :: variable
      character(*), intent(inout) :: dims
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_input_dimensions

    !> How values of a variable are packed: what they mean is value * scale + offset. Local. Errors: NAME.
    !>   is_packed      logical; becomes whether it has an attribute scale_factor or add_offset
    !>   scale, offset  become what they say; 1 and 0 where it has none
    subroutine thw_input_packing(input, variable, is_packed, scale, offset, stat, errmsg) bind(c)
      import :: thw_input, c_int, c_double
      type(thw_input), intent(in) :: input
      character(*), intent(in) :: variable
      type(*), dimension(..), intent(inout), optional :: is_packed
      real(c_double), intent(out), optional :: scale
      real(c_double), intent(out), optional :: offset
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_input_packing

    !> How many attributes a variable has, or without one the file. Local. Errors: NAME.
    function thw_input_attributes(input, variable, stat, errmsg) result(number) bind(c)
      import :: thw_input, c_int
      type(thw_input), intent(in) :: input
      character(*), intent(in), optional :: variable
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int) :: number
    end function thw_input_attributes

    !> The name of an attribute by its number, of a variable or without one of the file. Local. Errors: NAME, ARGUMENT.
    subroutine thw_input_attribute_name(input, number, name, variable, stat, errmsg) bind(c)
      import :: thw_input, c_int
      type(thw_input), intent(in) :: input
      type(*), dimension(..), intent(in) :: number
      character(*), intent(inout) :: name
      character(*), intent(in), optional :: variable
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_input_attribute_name

    !> What an attribute says, of a variable or without one of the file. Local. Errors: NAME, with the nearest names;
    !> ARGUMENT (values have no room for it, or are of a type that cannot hold it; a text and numbers are no values of each
    !> other).
    !>   values  a text; or numbers of any kind, a scalar or an array of rank 1, of which the first ones become those of the
    !>           attribute
    !>   type    becomes that of its values: THW_REAL64, THW_INT32, ...; THW_CHAR: it is a text
    !>   count   becomes how many values it has, or characters
    subroutine thw_input_attribute(input, name, values, variable, type, count, stat, errmsg) bind(c)
      import :: thw_input, c_int
      type(thw_input), intent(in) :: input
      character(*), intent(in) :: name
      type(*), dimension(..), intent(inout), optional :: values
      character(*), intent(in), optional :: variable
      integer(c_int), intent(out), optional :: type
      integer(c_int), intent(out), optional :: count
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_input_attribute

    !> The times of all records, in seconds since reference-date. Local. Errors: FORMAT (times are not known, or are of
    !> another calendar).
    subroutine thw_input_times(input, times, stat, errmsg) bind(c)
      import :: thw_input, c_int, c_double
      type(thw_input), intent(in) :: input
      real(c_double), dimension(:), allocatable, intent(inout) :: times
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_input_times

    !> Says that of a variable only a part is got, as if the file had no more of it: thw_input_variable then tells what the
    !> part has, and a decomposition that is declared has its extents. Collective. Errors: ARGUMENT, NAME, FORMAT, SHAPE,
    !> AGREEMENT, STORAGE.
    !>   selection  dimensions by their names in the file, in any order: "lon=-30:40, lat=20:70:2, z=~500" by coordinates,
    !>              "z[0:5]" by index, which counts from 0, without its end, in Fortran, too; "z=500" and "z[2]" leave the
    !>              dimension out. Absent: all of the variable again
    subroutine thw_select_input(input, variable, selection, stat, errmsg) bind(c)
      import :: thw_input, c_int
      type(thw_input), intent(in) :: input
      character(*), intent(in) :: variable
      character(*), intent(in), optional :: selection
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_select_input
  end interface
end module thalweg_contents
