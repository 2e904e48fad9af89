!> Attributes of variables and of files: of all files, of those that begin from now on, and of the one that is open. Part of
!> the module thalweg, which a model uses.
module thalweg_attributes
  use, intrinsic :: iso_c_binding, only: c_int
  use thalweg_values
  implicit none
  private

  public :: thw_define_text, thw_define_attribute, thw_change_text, thw_change_attribute
  public :: thw_add_text, thw_add_attribute

  interface
    !> Gives a text attribute to a variable, or to the file where variable is absent or blank. Local.
    subroutine thw_define_text(collection, name, text, variable, stat, errmsg) bind(c)
      import :: thw_collection, c_int
      type(thw_collection), intent(in) :: collection
      character(*), intent(in) :: name
      character(*), intent(in) :: text
      character(*), intent(in), optional :: variable
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_define_text

    !> Gives a numeric attribute to a variable, or to the file where variable is absent or blank. Local.
    !> values: scalar or rank 1, integer or real; the kind gives the type. "_FillValue" sets what holes are filled with.
    subroutine thw_define_attribute(collection, name, values, variable, stat, errmsg) bind(c)
      import :: thw_collection, c_int
      type(thw_collection), intent(in) :: collection
      character(*), intent(in) :: name
      type(*), dimension(..), intent(in) :: values
      character(*), intent(in), optional :: variable
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_define_attribute

    !> Gives a text attribute to a variable, or to the file where variable is absent or blank, or another text to one
    !> that it has: in all files of the collection that begin after this call. Local, after thw_ready; all clients
    !> between the same two advances, before they put a field of a record that begins a file.
    !> Errors: NAME for an unknown variable and for what Thalweg says itself, STATE, FORMAT.
    subroutine thw_change_text(collection, name, text, variable, stat, errmsg) bind(c)
      import :: thw_collection, c_int
      type(thw_collection), intent(in) :: collection
      character(*), intent(in) :: name
      character(*), intent(in) :: text
      character(*), intent(in), optional :: variable
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_change_text

    !> The same with a numeric attribute. values: as of thw_define_attribute.
    subroutine thw_change_attribute(collection, name, values, variable, stat, errmsg) bind(c)
      import :: thw_collection, c_int
      type(thw_collection), intent(in) :: collection
      character(*), intent(in) :: name
      type(*), dimension(..), intent(in) :: values
      character(*), intent(in), optional :: variable
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_change_attribute

    !> Gives a text attribute to a variable of the open file, or to the file itself where variable is absent or blank:
    !> the file has it when it is complete, later ones do not. Local; all clients the same names behind the same record
    !> of the file, before they put a field of the next one's; values may differ. What files cannot take so late is
    !> left out, with a warning. Errors: NAME, STATE where no file with a record is open.
    subroutine thw_add_text(collection, name, text, variable, stat, errmsg) bind(c)
      import :: thw_collection, c_int
      type(thw_collection), intent(in) :: collection
      character(*), intent(in) :: name
      character(*), intent(in) :: text
      character(*), intent(in), optional :: variable
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_add_text

    !> The same with a numeric attribute. values: as of thw_define_attribute.
    subroutine thw_add_attribute(collection, name, values, variable, stat, errmsg) bind(c)
      import :: thw_collection, c_int
      type(thw_collection), intent(in) :: collection
      character(*), intent(in) :: name
      type(*), dimension(..), intent(in) :: values
      character(*), intent(in), optional :: variable
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_add_attribute
  end interface
end module thalweg_attributes
