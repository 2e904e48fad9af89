! How long output kept the model from computing: measured on every rank, file by file, and shown as a table.
module pauses
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use cloud_model, only: bytes_of, file_name, files, model_t
  implicit none
  private
  public :: pauses_t, make_pauses, show_pauses

  ! Rows of the table beside those of the files.
  integer, parameter, public :: flush = files + 1, advance = files + 2, rows = files + 2
  integer, parameter :: all_rows = rows + 1
  integer, parameter, public :: original = 1, async = 2, ways = 2
  character(*), parameter :: row_name(all_rows) = [character(12) :: file_name, "flush", "advance", "all"]

  type :: pauses_t
    integer :: way = original, output = 0                   ! that are measured now
    real(real64) :: loop_s(ways) = 0.0                      ! from the first step to the end of the last
    real(real64) :: drain_s = 0.0                           ! from there until all was written
    real(real64), allocatable, private :: seconds(:, :, :)  ! row, output, way
    real(real64), private :: began_s = 0.0
  contains
    procedure :: begin
    procedure :: end_of
  end type pauses_t

contains

  function make_pauses(outputs) result(p)
    integer, intent(in) :: outputs
    type(pauses_t) :: p
    allocate (p%seconds(all_rows, outputs, ways))
    p%seconds = 0.0
  end function make_pauses

  subroutine begin(p)
    class(pauses_t), intent(inout) :: p
    p%began_s = MPI_Wtime()
  end subroutine begin

  ! What began ends, and what follows begins.
  subroutine end_of(p, row)
    class(pauses_t), intent(inout) :: p
    integer, intent(in) :: row
    real(real64) :: now_s
    now_s = MPI_Wtime()
    associate (sum_s => p%seconds(row, p%output, p%way))
      sum_s = sum_s + now_s - p%began_s
    end associate
    p%began_s = now_s
  end subroutine end_of

  ! A pause counts as long as the rank that it kept longest; minimum, mean and maximum are over the outputs. Collective.
  subroutine show_pauses(p, m, has_run)
    type(pauses_t), intent(inout) :: p
    type(model_t), intent(in) :: m
    logical, intent(in) :: has_run(ways)
    integer :: row
    p%seconds(all_rows, :, :) = sum(p%seconds(:rows, :, :), dim=1)
    call MPI_Allreduce(MPI_IN_PLACE, p%seconds, size(p%seconds), MPI_DOUBLE_PRECISION, MPI_MAX, m%comm)
    if (m%rank /= 0) return
    print "(/, a, i0, a)", "pause of the model in ms, of the slowest rank, over ", size(p%seconds, 2), " outputs"
    print "(24x, a28, a28)", "------ original ------", "------ Thalweg -------"
    print "(a12, a12, 2(a10, 2a9))", "file        ", "MiB", "min", "mean", "max", "min", "mean", "max"
    do row = 1, all_rows
      print "(4a)", row_name(row), mebibytes(m, row), cells(p, row, original, has_run), cells(p, row, async, has_run)
    end do
    if (has_run(original)) print "(a, f8.3, a)", "original:", p%loop_s(original), " s in all steps"
    if (has_run(async)) print "(2(a, f8.3), a)", "Thalweg: ", p%loop_s(async), " s in all steps, then", p%drain_s, &
      " s until all was written"
  end subroutine show_pauses

  function mebibytes(m, row) result(text)
    type(model_t), intent(in) :: m
    integer, intent(in) :: row
    character(12) :: text
    integer :: file
    real(real64) :: bytes
    bytes = 0.0
    do file = 1, files
      if (row == file .or. row == all_rows) bytes = bytes + real(bytes_of(m, file), real64)
    end do
    text = ""
    if (bytes > 0.0) write (text, "(f12.3)") bytes / 1024.0**2
  end function mebibytes

  function cells(p, row, way, has_run) result(text)
    type(pauses_t), intent(in) :: p
    integer, intent(in) :: row, way
    logical, intent(in) :: has_run(ways)
    character(28) :: text
    text = ""
    ! By hand nothing is queued, so there is nothing to flush.
    if (.not. has_run(way) .or. way == original .and. (row == flush .or. row == advance)) return
    associate (ms => 1000.0 * p%seconds(row, :, way))
      write (text, "(f10.3, 2f9.3)") minval(ms), sum(ms) / size(ms), maxval(ms)
    end associate
  end function cells

end module pauses
