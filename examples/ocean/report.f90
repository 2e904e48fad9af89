! What a run tells about itself: totals of the ocean, and the time that output took.
module report
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t
  use mpi_f08
  use decomposition, only: block_t
  use grid, only: grid_t
  use state, only: h_, state_t
  implicit none
  private
  public :: ocean_volume, tracer_content, timing_t, reading_t, now_s, cpu_s, write_report

  ! Seconds that this rank waited for what it read.
  type :: reading_t
    real(real64) :: mask_s = 0.0, restart_s = 0.0
    integer :: winds = 0                                         ! how often the wind was asked for
    real(real64) :: wind_s = 0.0                                 ! all of these together
    real(real64) :: first_wind_s = 0.0, longest_wind_s = 0.0     ! the first of them, and the longest of the others
  end type reading_t

  type :: timing_t
    type(reading_t) :: reading
    real(real64) :: started = 0.0, cpu_started = 0.0      ! before the output was opened
    real(real64) :: loop_started = 0.0, loop_ended = 0.0
    integer :: records = 0                                ! steps with output so far
    real(real64), allocatable :: stall(:)                 ! seconds that this rank spent in them
    logical, allocatable :: with_restart(:)
  end type timing_t

  interface
    integer(c_int) function clock_gettime(clock, time) bind(c)
      import :: c_int, c_int64_t
      integer(c_int), value :: clock
      integer(c_int64_t), intent(out) :: time(2)
    end function clock_gettime
  end interface

contains

  real(real64) function ocean_volume(s, g, b)
    type(state_t), intent(in) :: s
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    real(real64) :: volume(b%ni, b%nj)
    integer :: j
    do j = 1, b%nj
      volume(:, j) = s%flow(1:b%ni, j, h_) * g%area(b%js + j - 1)
    end do
    ocean_volume = exact_sum(volume, g, b)
  end function ocean_volume

  real(real64) function tracer_content(s, g, b, tracer)
    type(state_t), intent(in) :: s
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    integer, intent(in) :: tracer
    real(real64) :: content(b%ni, b%nj)
    integer :: j, k
    content = 0.0
    do j = 1, b%nj
      do k = 1, size(s%share)
        content(:, j) = content(:, j) + s%share(k) * s%flow(1:b%ni, j, h_) * s%tracer(1:b%ni, j, k, tracer) &
          * g%area(b%js + j - 1)
      end do
    end do
    tracer_content = exact_sum(content, g, b)
  end function tracer_content

  ! A sum that does not depend on the order: all values as integer multiples of one power of two, chosen such that
  ! neither they nor their sum can overflow (after Hallberg and Adcroft 2014, Parallel Comput. 40, 140–143).
  real(real64) function exact_sum(values, g, b)
    real(real64), intent(in) :: values(:, :)
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    real(real64) :: largest
    integer :: power
    integer(int64) :: total
    largest = tiny(largest)
    if (size(values) > 0) largest = max(largest, maxval(abs(values)))
    call MPI_Allreduce(MPI_IN_PLACE, largest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, b%comm)
    power = 61 - exponent(largest * real(g%nx, real64) * g%ny)
    total = sum(nint(scale(values, power), int64))
    call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER8, MPI_SUM, b%comm)
    exact_sum = scale(real(total, real64), -power)
  end function exact_sum

  ! Seconds since 1970, so that the times of a run can be set beside those of the program that launched it.
  real(real64) function now_s()
    integer(c_int64_t) :: clock(2)
    integer(c_int) :: stat
    stat = clock_gettime(0_c_int, clock)
    now_s = real(clock(1), real64) + 1.0e-9_real64 * real(clock(2), real64)
  end function now_s

  ! CPU seconds of this process so far, all its threads.
  real(real64) function cpu_s()
    call cpu_time(cpu_s)
  end function cpu_s

  ! Rank 0 writes what the run took, as JSON. Collective. A record's stall is that of the rank that waited longest;
  ! records of the history are told from those with which a restart was written.
  subroutine write_report(path, b, t, volume)
    character(*), intent(in) :: path
    type(block_t), intent(in) :: b
    type(timing_t), intent(in) :: t
    real(real64), intent(in) :: volume(2)
    real(real64) :: stall(t%records), wall, cpu, read(5)
    integer :: unit
    wall = now_s() - t%started
    cpu = cpu_s() - t%cpu_started
    stall = t%stall(:t%records)
    associate (r => t%reading)
      read = [r%mask_s, r%restart_s, r%wind_s, r%first_wind_s, r%longest_wind_s]
    end associate
    call MPI_Allreduce(MPI_IN_PLACE, read, 5, MPI_DOUBLE_PRECISION, MPI_MAX, b%comm)
    call MPI_Allreduce(MPI_IN_PLACE, stall, t%records, MPI_DOUBLE_PRECISION, MPI_MAX, b%comm)
    call MPI_Allreduce(MPI_IN_PLACE, cpu, 1, MPI_DOUBLE_PRECISION, MPI_SUM, b%comm)
    if (b%rank /= 0 .or. path == "") return
    open (newunit=unit, file=path, status="replace", action="write")
    write (unit, "(a)") "{"
    call write_entry(unit, "started_unix_s", [t%started])
    call write_entry(unit, "open_s", [t%loop_started - t%started])
    call write_entry(unit, "loop_s", [t%loop_ended - t%loop_started])
    call write_entry(unit, "finish_s", [wall - (t%loop_ended - t%started)])
    call write_entry(unit, "wall_s", [wall])
    call write_entry(unit, "cpu_s", [cpu])
    call write_entry(unit, "volume_m3", volume)
    call write_entry(unit, "mask_s", read(1:1))
    call write_entry(unit, "restart_read_s", read(2:2))
    call write_entry(unit, "wind_s", read(3:3))
    call write_entry(unit, "first_wind_s", read(4:4))
    call write_entry(unit, "longest_wind_s", read(5:5))
    call write_entry(unit, "stall_s", pack(stall, .not. t%with_restart(:t%records)), list=.true.)
    call write_entry(unit, "restart_stall_s", pack(stall, t%with_restart(:t%records)), list=.true.)
    write (unit, "(2(a, i0), a)") '  "layout": [', b%px, ", ", b%py, "],"
    write (unit, "(3(a, i0))") '  "ranks": ', b%ranks, ', "idle_ranks": ', b%ranks - b%used, ', "land_blocks": ', &
      b%px * b%py - b%used
    write (unit, "(a)") "}"
    close (unit)
  end subroutine write_report

  ! One line of the report; a list where there are several values or list is set.
  subroutine write_entry(unit, name, values, list)
    integer, intent(in) :: unit
    character(*), intent(in) :: name
    real(real64), intent(in) :: values(:)
    logical, intent(in), optional :: list
    character(26) :: text
    character(:), allocatable :: line
    integer :: n
    line = ""
    do n = 1, size(values)
      write (text, "(es26.17e3)") values(n)
      if (n > 1) line = line//", "
      line = line//trim(adjustl(text))
    end do
    if (size(values) > 1 .or. present(list)) line = "["//line//"]"
    write (unit, "(5a)") '  "', name, '": ', line, ","
  end subroutine write_entry

end module report
