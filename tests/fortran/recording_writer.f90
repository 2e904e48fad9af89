!> A write procedure that keeps what it is called with as text.
module recording_writer
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_int
  use, intrinsic :: iso_fortran_env, only: real32
  use thalweg
  implicit none
  private
  character(200), public :: kept = ""
  public :: keep_block

contains

  function keep_block(block, collection, file, variable) result(code) bind(c)
    type(thw_block), intent(in) :: block
    character(*), intent(in) :: collection, file, variable
    integer(c_int) :: code
    real(real32), pointer :: field(:, :)
    call c_f_pointer(block%data, field, block%count(:2))
    write (kept, '(5(i0,1x),f0.2,4(1x,i0,",",i0),1x,i0,2(1x,i0),3(" [",a,"]"))') block%event, block%type, block%rank, &
      block%record, block%record_in_file, block%time, block%start(:2), block%count(:2), block%shape(:2), &
      block%stride(:2), block%checksum, int(field(1, 1)), int(field(3, 2)), collection, file, variable
    code = 17
  end function keep_block
end module recording_writer
