!> A day of a model that begins anew, or from its newest restart, and leaves one.
!>
!>   mpiexec -n 4 restart_fortran [restore]
program restarting
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use mpi_f08
  use thalweg
  implicit none
  integer, parameter :: nx = 8, ny = 12
  type(thw_session) :: io
  real(real64), allocatable, target :: height(:, :)
  real(real32), allocatable, target :: speed(:, :)

  call MPI_Init()
  call thw_start(io, MPI_COMM_WORLD)
  if (thw_is_client(io)) call run_model()
  call thw_finish(io)
  call MPI_Finalize()

contains

  subroutine run_model()
    type(MPI_Comm) :: comm
    type(thw_decomposition) :: rows
    type(thw_collection) :: restart
    real(real64) :: time
    integer :: rank, ranks, first, last

    call thw_model_comm(io, comm)
    call MPI_Comm_rank(comm, rank)
    call MPI_Comm_size(comm, ranks)
    first = ny * rank / ranks + 1
    last = ny * (rank + 1) / ranks
    call thw_decompose(io, rows, dims="x,y", shape=[nx, ny], start=[1, first], count=[nx, last - first + 1])

    allocate (height(nx, first:last), speed(nx, first:last))
    height = 0
    speed = 0
    call thw_open_collection_text(io, restart, "restart", &
                                  "{file: restart.%n.nc, cycle: 2, every: on-demand}")
    call thw_define_variable(restart, "height", "x,y,time", THW_REAL64, rows)
    call thw_define_variable(restart, "speed", "x,y,time", THW_REAL32, rows)
    call thw_register_array(restart, "height", height)
    call thw_register_array(restart, "speed", speed)

    time = 0
    if (command_argument_count() > 0) call thw_restore(restart, time=time)
    height = height + rank + 1 ! the model's day
    speed = speed + rank + 1
    call thw_put_arrays(restart)
    call thw_record(restart, time + 86400)
  end subroutine run_model
end program restarting
