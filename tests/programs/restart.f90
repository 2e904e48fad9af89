! Writes a restart, and prints for each variable the checksum that FMS would give it: the bits of each rank's part as
! integers, summed up over its elements and over the ranks, in the format Z16. And when a record is committed.
!
!   restart [RECORDS]
!
! One record, or so many. In the model's time a step is an hour. The configuration is thalweg.yaml, with the
! collection 'restart'.
program restart
  use, intrinsic :: iso_fortran_env, only: int64, output_unit, real64
  use mpi_f08
  use thalweg
  implicit none
  integer, parameter :: nx = 37, ny = 29, nz = 3
  type(thw_session) :: io
  type(thw_decomposition) :: cells
  type(thw_collection) :: out
  type(MPI_Comm) :: clients
  integer :: rank, ranks, first, last, r, records
  character(32) :: word

  records = 1
  if (command_argument_count() > 0) then
    call get_command_argument(1, word)
    read (word, *) records
  end if
  call MPI_Init()
  call thw_start(io, MPI_COMM_WORLD, "thalweg.yaml")
  if (thw_is_client(io)) call run_model()
  call thw_finish(io)
  call MPI_Finalize()

contains

  subroutine run_model()
    call thw_model_comm(io, clients)
    call MPI_Comm_rank(clients, rank)
    call MPI_Comm_size(clients, ranks)
    first = ny * rank / ranks + 1
    last = ny * (rank + 1) / ranks
    call thw_decompose(io, cells, "x,y", [nx, ny], [1, first], [nx, last - first + 1])
    call thw_open_collection(io, out, "restart")
    call thw_define_dimension(out, "z", nz)
    call thw_define_variable(out, "z", "z", THW_REAL64)
    call thw_define_variable(out, "area", "x,y", THW_REAL64, cells)
    call thw_define_variable(out, "temp", "x,y,z,time", THW_REAL64, cells)
    call thw_define_variable(out, "ssh", "x,y,time", THW_REAL64, cells)
    call thw_define_variable(out, "mean", "time", THW_REAL64)
    call thw_define_text(out, "units", "degC", "temp")
    call thw_put(out, "z", [1.0_real64, 2.5_real64, 7.25_real64])
    call put("area", 0, 0, .false.)
    do r = 1, records
      call put("temp", 1, r, .true.)
      call put("ssh", 2, r, .false.)
      call thw_put(out, "mean", value(3, r, 0))
      if (rank == 0) call say("mean", r, transfer(value(3, r, 0), 0_int64))
      call thw_advance(io, 3600.0_real64 * r)
      call thw_wait(io)
      if (rank == 0) then
        write (output_unit, '(a,1x,i0)') "committed", r
        flush (output_unit)
      end if
    end do
  end subroutine run_model

  subroutine put(name, variable, record, has_levels)
    character(*), intent(in) :: name
    integer, intent(in) :: variable, record
    logical, intent(in) :: has_levels
    real(real64) :: values(nx, first:last, nz)
    integer(int64) :: sum_of_rank, sum_of_all
    integer :: i, j, k
    do k = 1, nz
      do j = first, last
        do i = 1, nx
          values(i, j, k) = value(variable, record, ((k - 1) * ny + j - 1) * nx + i - 1)
        end do
      end do
    end do
    if (has_levels) then
      sum_of_rank = sum(transfer(values, [0_int64]))
      call thw_put(out, name, values)
    else
      sum_of_rank = sum(transfer(values(:, :, 1), [0_int64]))
      call thw_put(out, name, values(:, :, 1))
    end if
    call MPI_Allreduce(sum_of_rank, sum_of_all, 1, MPI_INTEGER8, MPI_SUM, clients)
    if (rank == 0) call say(name, record, sum_of_all)
  end subroutine put

  subroutine say(name, record, checksum)
    character(*), intent(in) :: name
    integer, intent(in) :: record
    integer(int64), intent(in) :: checksum
    write (output_unit, '(a,1x,i0,1x,"|",Z16,"|")') name, record, checksum
    flush (output_unit)
  end subroutine say

  ! The sum of 'mean' has few digits, so that blanks come before them.
  pure function value(variable, record, place) result(number)
    integer, intent(in) :: variable, record, place
    real(real64) :: number
    number = sin(real(variable + 1, real64) * (place + 1) + record)
    if (variable == 3) number = transfer(1000_int64 + record, number)
  end function value
end program restart
