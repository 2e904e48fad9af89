!> Fields of the session: the model says once which it has, and puts each in every step; which collections have what of it
!> is said by the configuration ("fields" of a collection). Part of the module thalweg, which a model uses.
module thalweg_fields
  use, intrinsic :: iso_c_binding, only: c_bool, c_int
  use thalweg_values
  implicit none
  private

  public :: thw_define_field_dimension, thw_define_field, thw_define_field_text, thw_define_field_attribute
  public :: thw_put_field, thw_put_field_on, thw_step, thw_checkpoint, thw_is_wanted, thw_is_wanted_now

  interface
    !> Defines a dimension of fields that no decomposition has. Local. size: integer scalar. Errors: NAME.
    subroutine thw_define_field_dimension(session, name, size, stat, errmsg) bind(c)
      import :: thw_session, c_int
      type(thw_session), intent(in) :: session
      character(*), intent(in) :: name
      type(*), dimension(..), intent(in) :: size
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_define_field_dimension

    !> Defines a field. Local; also behind the first steps: collections that have a record are to have it in their next
    !> file. Errors: NAME; STATE where one that has all that is like it has ended its definitions, and no file follows.
    !>   name           "temp", or "ocean/temp" with the component in front
    !>   dims           its dimensions, fastest first, without the record dimension, which collections add; "": none
    !>   type           that of the variables that are written of it, unless the configuration says another one
    !>   decomposition, memory  as of thw_define_variable
    !>   is_static      logical; .true.: it is put once, and has no records; absent or .false.: it changes in time
    subroutine thw_define_field(session, field, name, dims, type, decomposition, memory, is_static, stat, errmsg) bind(c)
      import :: thw_session, thw_decomposition, thw_field, c_int
      type(thw_session), intent(in) :: session
      type(thw_field), intent(inout) :: field
      character(*), intent(in) :: name
      character(*), intent(in) :: dims
      integer(c_int), intent(in) :: type
      type(thw_decomposition), intent(in), optional :: decomposition
      character(*), intent(in), optional :: memory
      type(*), intent(in), optional :: is_static
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_define_field

    !> Gives a text attribute to the variables that are written of a field. Local. Errors: STATE once the field was put.
    subroutine thw_define_field_text(field, name, text, stat, errmsg) bind(c)
      import :: thw_field, c_int
      type(thw_field), intent(in) :: field
      character(*), intent(in) :: name
      character(*), intent(in) :: text
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_define_field_text

    !> The same with numbers: scalar or rank 1, integer or real; the kind gives the type. "missing_value" and "_FillValue"
    !> are of cells without a value, which operations over an interval leave out.
    subroutine thw_define_field_attribute(field, name, values, stat, errmsg) bind(c)
      import :: thw_field, c_int
      type(thw_field), intent(in) :: field
      character(*), intent(in) :: name
      type(*), dimension(..), intent(in) :: values
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_define_field_attribute

    !> Puts this rank's piece for the step that the coming thw_advance closes, for every collection that has chosen the
    !> field; array may be changed on return. One that no collection has costs next to nothing. Local.
    !> array, box: as field and box of thw_put. Errors: SHAPE, STATE (put twice in one step), and those of thw_put.
    subroutine thw_put_field(field, array, box, stat, errmsg) bind(c)
      import :: thw_field, c_int
      type(thw_field), intent(in) :: field
      type(*), dimension(..), intent(in) :: array
      integer(c_int), intent(in), optional :: box
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_put_field

    !> As thw_put_field, on terms.
    !>   weight  of these values in means, and what is made like them, in place of the length of the step: a scalar
    !>   mask    of the shape of array: cells have a value where it is .true., not zero, or a real of at least 0.5; others
    !>           are left out of what is gathered, and filled where the values themselves are written
    !>   start   array is a part of the box without halo: integer(n), its first cell in the box, from 1. Parts that do not
    !>           meet are one sample; what is in none of them has no value
    !> Puts with a start, thw_is_wanted and thw_is_wanted_now may be called by several threads at once, as in a parallel
    !> region of OpenMP, between other calls of the session.
    subroutine thw_put_field_on(field, array, box, weight, mask, start, stat, errmsg) bind(c)
      import :: thw_field, c_int
      type(thw_field), intent(in) :: field
      type(*), dimension(..), intent(in) :: array
      integer(c_int), intent(in), optional :: box
      type(*), dimension(..), intent(in), optional :: weight
      type(*), dimension(..), intent(in), optional :: mask
      type(*), dimension(..), intent(in), optional :: start
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_put_field_on

    !> Before the puts of a step: it ends at time, a scalar, real or integer, in seconds since reference-date, and the next
    !> thw_advance says the same. For steps that are not all as long as time-step. Local. Errors: ARGUMENT, STATE.
    subroutine thw_step(session, time, stat, errmsg) bind(c)
      import :: thw_session, c_int
      type(thw_session), intent(in) :: session
      type(*), dimension(..), intent(in) :: time
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_step

    !> Keeps what collections have gathered of intervals that have not ended, between two steps, in the next file of the
    !> collection "checkpoint": a run that says its start by thw_set_time and calls thw_ready before its first put goes on
    !> from there with those that have "append: continue". Collective over the clients. Errors: STATE (within a step; ranks
    !> have put a field in different steps), and those of thw_wait.
    subroutine thw_checkpoint(session, stat, errmsg) bind(c)
      import :: thw_session, c_int
      type(thw_session), intent(in) :: session
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_checkpoint

    !> True if any collection has chosen the field. Local. An error ends the program.
    function thw_is_wanted(field) result(is_wanted) bind(c)
      import :: thw_field, c_bool
      type(thw_field), intent(in) :: field
      logical(c_bool) :: is_wanted
    end function thw_is_wanted

    !> True if its values of this step go anywhere. Local. An error ends the program.
    function thw_is_wanted_now(field) result(is_wanted) bind(c)
      import :: thw_field, c_bool
      type(thw_field), intent(in) :: field
      logical(c_bool) :: is_wanted
    end function thw_is_wanted_now
  end interface
end module thalweg_fields
