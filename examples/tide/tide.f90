!> Puts a tide in every step; tide.yaml says what is written of it: snapshots, daily means and extremes, a spread.
!>
!>   mpiexec -n 4 tide_fortran tide.yaml
program tide
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use thalweg
  implicit none
  integer, parameter :: nx = 8, ny = 12, hours = 72
  character(200) :: file
  type(thw_session) :: io

  call MPI_Init()
  file = "tide.yaml"
  if (command_argument_count() > 0) call get_command_argument(1, file)
  call thw_start(io, MPI_COMM_WORLD, file)
  if (thw_is_client(io)) call run_model()
  call thw_finish(io)
  call MPI_Finalize()

contains

  subroutine run_model()
    type(MPI_Comm) :: comm
    type(thw_decomposition) :: rows
    type(thw_field) :: y, height, current
    real(real64), allocatable :: phase(:, :)
    integer :: rank, ranks, first, last, hour, i, j

    call thw_model_comm(io, comm)
    call MPI_Comm_rank(comm, rank)
    call MPI_Comm_size(comm, ranks)
    first = ny * rank / ranks + 1
    last = ny * (rank + 1) / ranks
    allocate (phase(nx, first:last))
    call thw_decompose(io, rows, dims="x,y", shape=[nx, ny], start=[1, first], count=[nx, last - first + 1])

    call thw_define_field(io, y, "y", "y", THW_REAL64, is_static=.true.)
    call thw_define_field_text(y, "units", "km")
    call thw_define_field_text(y, "long_name", "along the coast")
    call thw_define_field(io, height, "tide/height", "x,y", THW_REAL32, rows)
    call thw_define_field_text(height, "units", "m")
    call thw_define_field_text(height, "long_name", "height of the surface")
    call thw_define_field(io, current, "tide/current", "x,y", THW_REAL32, rows)
    call thw_define_field_text(current, "units", "m s-1")
    call thw_define_field_text(current, "long_name", "speed along the coast")

    call thw_put_field(y, [(real(j - 1, real64), j=1, ny)])
    do hour = 1, hours
      do j = first, last
        phase(:, j) = [(2 * acos(-1.0_real64) * hour / 12.42_real64 - 0.3_real64 * (j - 1 + 0.1_real64 * (i - 1)), i=1, nx)]
      end do
      call thw_put_field(height, cos(phase))
      if (thw_is_wanted(current)) call thw_put_field(current, 0.5_real64 * sin(phase))
      call thw_advance(io, hour * 3600)
    end do
  end subroutine run_model
end program tide
