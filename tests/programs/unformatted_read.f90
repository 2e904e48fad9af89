! Reads what tests/programs/unformatted_write.f90 has written: plain Fortran that knows nothing of Thalweg.
!   unformatted_read FILE
program unformatted_read
  use, intrinsic :: iso_fortran_env, only: int64, iostat_end, real32, real64
  implicit none
  integer, parameter :: nx = 13, ny = 9, nz = 4, records = 3
  real(real32), parameter :: half = 0.5_real32
  real(real64), parameter :: third = 1.0_real64 / 3.0_real64
  real(real64) :: line(nx), plane(nx, ny), volume(nx, ny, nz), base, time, d0, d1(nx), d2(nx, ny), d3(nx, ny, nz)
  real(real32) :: r0, r1(nx), r2(nx, ny), r3(nx, ny, nz)
  integer :: i0, i1(nx), i2(nx, ny), i3(nx, ny, nz), unit, i, r, stat
  integer(int64) :: once(nx, ny)
  character(256) :: path

  line = [(real(i, real64), i=1, nx)]
  plane = reshape([(real(i, real64), i=1, nx * ny)], shape(plane))
  volume = reshape([(real(i, real64), i=1, nx * ny * nz)], shape(volume))

  call get_command_argument(1, path)
  open (newunit=unit, file=path, form="unformatted", status="old", action="read")
  read (unit) once
  call check("once", all(once == int(plane, int64) * 10000000000_int64))
  do r = 1, records
    base = 1000.0_real64 * r
    read (unit) i0
    call check("i0", i0 == int(base))
    read (unit) i1
    call check("i1", all(i1 == int(base + line)))
    read (unit) i2
    call check("i2", all(i2 == int(base + plane)))
    read (unit) i3
    call check("i3", all(i3 == int(base + volume)))
    ! Equality of values is equality of bits here: there is no zero and no NaN.
    read (unit) r0
    call check("r0", r0 == real(base, real32) + half)
    read (unit) r1
    call check("r1", all(r1 == real(base + line, real32) + half))
    read (unit) r2
    call check("r2", all(r2 == real(base + plane, real32) + half))
    read (unit) r3
    call check("r3", all(r3 == real(base + volume, real32) + half))
    read (unit) d0
    call check("d0", d0 == base + third)
    read (unit) d1
    call check("d1", all(d1 == base + line + third))
    read (unit) d2
    call check("d2", all(d2 == base + plane + third))
    read (unit) d3
    call check("d3", all(d3 == base + volume + third))
    read (unit) time
    call check("time", time == 60.0_real64 * r)
  end do
  read (unit, iostat=stat)
  call check("the end of the file", stat == iostat_end)
  print "(a, i0, a)", "all values of ", records, " records are right"

contains

  subroutine check(what, is_right)
    character(*), intent(in) :: what
    logical, intent(in) :: is_right
    if (is_right) return
    print "(2a, i0)", what, " is wrong in record ", r
    error stop
  end subroutine check

end program unformatted_read
