! Writes integers, reals and doubles as scalars and arrays of one to three dimensions through Thalweg, for
! tests/programs/unformatted_read.f90. The configuration is unformatted.yaml.
program unformatted_write
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use mpi_f08
  use thalweg
  implicit none
  integer, parameter :: nx = 13, ny = 9, nz = 4, records = 3
  real(real32), parameter :: half = 0.5_real32
  real(real64), parameter :: third = 1.0_real64 / 3.0_real64
  real(real64) :: line(nx), plane(nx, ny), volume(nx, ny, nz)
  integer :: rank, ranks, x(2), y(2), i, r
  type(thw_session) :: io
  type(thw_decomposition) :: along_x, rows
  type(thw_collection) :: file

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  line = [(real(i, real64), i=1, nx)]
  plane = reshape([(real(i, real64), i=1, nx * ny)], shape(plane))
  volume = reshape([(real(i, real64), i=1, nx * ny * nz)], shape(volume))
  x = part_of(nx)
  y = part_of(ny)

  call thw_start(io, MPI_COMM_WORLD, "unformatted.yaml")
  call thw_decompose(io, along_x, "x", [nx], [x(1)], [x(2) - x(1) + 1])
  call thw_decompose(io, rows, "x,y", [nx, ny], [1, y(1)], [nx, y(2) - y(1) + 1])
  call thw_open_collection(io, file, "unformatted")
  call thw_define_dimension(file, "z", nz)
  call define("i", THW_INT32)
  call define("r", THW_REAL32)
  call define("d", THW_REAL64)
  call thw_define_variable(file, "once", "x,y", THW_INT64, rows, units="1")
  call thw_put(file, "once", int(plane(:, y(1):y(2)), int64) * 10000000000_int64)
  do r = 1, records
    call put_record(1000.0_real64 * r)
    call thw_advance(io, 60.0_real64 * r)
  end do
  call thw_finish(io)
  call MPI_Finalize()

contains

  ! First and last of the cells of this rank.
  function part_of(cells) result(part)
    integer, intent(in) :: cells
    integer :: part(2)
    part = [cells * rank / ranks + 1, cells * (rank + 1) / ranks]
  end function part_of

  subroutine define(letter, kind)
    character(*), intent(in) :: letter
    integer, intent(in) :: kind
    call thw_define_variable(file, letter//"0", "time", kind)
    call thw_define_variable(file, letter//"1", "x,time", kind, along_x)
    call thw_define_variable(file, letter//"2", "x,y,time", kind, rows)
    call thw_define_variable(file, letter//"3", "x,y,z,time", kind, rows)
  end subroutine define

  subroutine put_record(base)
    real(real64), intent(in) :: base
    call thw_put(file, "i0", int(base))
    call thw_put(file, "i1", int(base + line(x(1):x(2))))
    call thw_put(file, "i2", int(base + plane(:, y(1):y(2))))
    call thw_put(file, "i3", int(base + volume(:, y(1):y(2), :)))
    call thw_put(file, "r0", real(base, real32) + half)
    call thw_put(file, "r1", real(base + line(x(1):x(2)), real32) + half)
    call thw_put(file, "r2", real(base + plane(:, y(1):y(2)), real32) + half)
    call thw_put(file, "r3", real(base + volume(:, y(1):y(2), :), real32) + half)
    call thw_put(file, "d0", base + third)
    call thw_put(file, "d1", base + line(x(1):x(2)) + third)
    call thw_put(file, "d2", base + plane(:, y(1):y(2)) + third)
    call thw_put(file, "d3", base + volume(:, y(1):y(2), :) + third)
  end subroutine put_record

end program unformatted_write
