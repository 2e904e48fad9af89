!> Reads the western half of what minimal_fortran has written, at times between its records, into between.nc.
!>
!>   mpiexec -n 4 forcing_fortran
program forcing
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use thalweg
  implicit none
  integer, parameter :: nx = 4, ny = 12 ! of 8 cells along x
  real(real64), parameter :: times(3) = [4500.0, 7200.0, 9900.0]
  type(thw_session) :: io

  call MPI_Init()
  call thw_start(io, MPI_COMM_WORLD)
  if (thw_is_client(io)) call run_model()
  call thw_finish(io)
  call MPI_Finalize()

contains

  subroutine run_model()
    type(MPI_Comm) :: comm
    type(thw_decomposition) :: rows
    type(thw_collection) :: between
    type(thw_input) :: driver
    real(real64), allocatable :: height(:, :)
    integer :: rank, ranks, first, last, step

    call thw_model_comm(io, comm)
    call MPI_Comm_rank(comm, rank)
    call MPI_Comm_size(comm, ranks)
    first = ny * rank / ranks + 1
    last = ny * (rank + 1) / ranks
    call thw_decompose(io, rows, dims="x,y", shape=[nx, ny], start=[1, first], count=[nx, last - first + 1])
    call thw_open_collection(io, between, "between")
    call thw_define_variable(between, "height", "x,y,time", THW_REAL64, rows)

    call thw_open_input(io, driver, "history.nc") ! or the name of a forcing of the configuration
    call thw_select_input(driver, "height", "x[0:4]") ! from here on it is as if the file had no more
    call thw_declare_input(driver, "height", "x,y,time", rows)
    allocate (height(nx, first:last))
    do step = 1, size(times)
      call thw_get_at(driver, "height", times(step), height)
      call thw_put(between, "height", height)
      call thw_advance(io, times(step))
    end do
  end subroutine run_model
end program forcing
