!> What fake_core.c recorded, and the texts to compare it with.
module recorded
  use, intrinsic :: iso_c_binding, only: c_char, c_int
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  integer :: checks = 0, failures = 0
  character(*), parameter :: newline = new_line("a")

  interface
    subroutine fake_take(text, capacity) bind(c)
      import :: c_char, c_int
      character(kind=c_char), intent(inout) :: text(*)
      integer(c_int), value :: capacity
    end subroutine fake_take
    function fake_length() result(length) bind(c)
      import :: c_int
      integer(c_int) :: length
    end function fake_length
    subroutine fake_fail(code) bind(c)
      import :: c_int
      integer(c_int), value :: code
    end subroutine fake_fail
  end interface

contains

  subroutine check(name, holds, found)
    character(*), intent(in) :: name
    logical, intent(in) :: holds
    character(*), intent(in) :: found
    checks = checks + 1
    if (holds) return
    failures = failures + 1
    write (error_unit, '(4a)') "failed: ", name, ": found: ", trim(found)
  end subroutine check

  !> The calls that the core got since the last expect are these, one a line.
  subroutine expect(name, wanted)
    character(*), intent(in) :: name, wanted
    character(kind=c_char) :: taken(4096)
    character(:), allocatable :: text
    integer :: i, length
    length = fake_length()
    call fake_take(taken, size(taken))
    allocate (character(length) :: text)
    do i = 1, length
      text(i:i) = taken(i)
    end do
    call check(name, text == wanted .and. length == len(wanted), text)
  end subroutine expect

  !> What the core got is not looked at.
  subroutine forget()
    character(kind=c_char) :: taken(4096)
    call fake_take(taken, size(taken))
  end subroutine forget

  !> What thalweg_put gets for a contiguous array that holds 1, 2, 3, ... in memory order.
  function contiguous(type, bytes, extents) result(text)
    integer, intent(in) :: type, bytes, extents(:)
    character(:), allocatable :: text
    integer :: d, n
    n = size(extents)
    text = "put variable='f' type=" // decimal(type) // " rank=" // decimal(n) // " extent="
    text = text // list([(extents(d), d=n, 1, -1)]) // " stride="
    text = text // list([(bytes * product(extents(:d - 1)), d=n, 1, -1)]) // " data:"
    do d = 1, product(extents)
      text = text // " " // decimal(d)
    end do
  end function contiguous

  !> What thalweg_put gets for the first 0 to 5 dimensions of an array of shape [2,3,1,2,2].
  function all_ranks(type, bytes) result(text)
    integer, intent(in) :: type, bytes
    character(:), allocatable :: text
    integer, parameter :: extents(5) = [2, 3, 1, 2, 2]
    integer :: n
    text = contiguous(type, bytes, extents(:0))
    do n = 1, 5
      text = text // new_line("a") // contiguous(type, bytes, extents(:n))
    end do
  end function all_ranks

  function list(values) result(text)
    integer, intent(in) :: values(:)
    character(:), allocatable :: text
    integer :: i
    text = ""
    do i = 1, size(values)
      if (i > 1) text = text // ","
      text = text // decimal(values(i))
    end do
  end function list

  function decimal(value) result(text)
    integer, intent(in) :: value
    character(:), allocatable :: text
    character(12) :: buffer
    write (buffer, '(i0)') value
    text = trim(buffer)
  end function decimal
end module recorded
