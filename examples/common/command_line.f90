! Options of the command line: "--name value" or "--name=value", the last one prevails. What nobody asks for is ignored:
! it may be meant for Thalweg or for MPI.
module command_line
  use, intrinsic :: iso_fortran_env, only: error_unit
  use mpi_f08, only: MPI_Abort, MPI_COMM_WORLD
  implicit none
  private
  public :: count_option, stop_run, text_option

contains

  function text_option(name, default) result(text)
    character(*), intent(in) :: name, default
    character(:), allocatable :: text, word
    integer :: n
    text = default
    do n = 1, command_argument_count()
      word = argument(n)
      if (index(word, "--"//name//"=") == 1) text = word(len(name) + 4:)
      if (word /= "--"//name) cycle
      if (n == command_argument_count()) call stop_run(word//" stands at the end of the command line, without a value")
      text = argument(n + 1)
    end do
  end function text_option

  ! A whole number, least or more.
  integer function count_option(name, default, least)
    character(*), intent(in) :: name
    integer, intent(in) :: default, least
    character(12) :: word
    character(:), allocatable :: text
    integer :: stat
    write (word, "(i0)") default
    text = text_option(name, trim(word))
    read (text, *, iostat=stat) count_option
    if (stat == 0 .and. text /= "" .and. verify(text, "0123456789") == 0) then
      if (count_option >= least) return
    end if
    write (word, "(i0)") least
    call stop_run("--"//name//" '"//text//"' is not a whole number from "//trim(word)//" on")
  end function count_option

  function argument(n) result(word)
    integer, intent(in) :: n
    character(:), allocatable :: word
    integer :: length
    call get_command_argument(n, length=length)
    allocate (character(length) :: word)
    call get_command_argument(n, word)
  end function argument

  ! Ends the whole run with a message; any rank may call it.
  subroutine stop_run(text)
    character(*), intent(in) :: text
    write (error_unit, "(a)") text
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine stop_run

end module command_line
