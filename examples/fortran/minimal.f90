!> The smallest complete program: a field of 8 x 12 cells, cut into blocks in x and y, three records of it.
!>
!>   mpiexec -n 4 minimal_fortran [config.yaml]
program minimal
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use thalweg
  implicit none
  integer, parameter :: nx = 8, ny = 12
  type(thw_session) :: io
  character(256) :: config = ""

  ! Without stat and errmsg an error ends the program with its text.
  call MPI_Init()
  call get_command_argument(1, config)
  call thw_start(io, MPI_COMM_WORLD, config)
  ! False on ranks that the configuration makes servers: they come back when all is written.
  if (thw_is_client(io)) call run_model()
  call thw_finish(io)
  call MPI_Finalize()

contains

  !> The model: each rank computes its block of the field, with a halo of one cell, on the communicator of the clients.
  subroutine run_model()
    type(MPI_Comm) :: comm
    type(thw_decomposition) :: blocks
    type(thw_collection) :: history
    real(real64), allocatable :: height(:, :)
    integer :: rank, ranks, places(2), place(2), first(2), cells(2), record, i, j

    call thw_model_comm(io, comm)
    call MPI_Comm_rank(comm, rank)
    call MPI_Comm_size(comm, ranks)
    places = 0
    call MPI_Dims_create(ranks, 2, places)
    place = [mod(rank, places(1)), rank / places(1)]
    first = [nx, ny] * place / places + 1 ! fastest dimension first: x, y
    cells = [nx, ny] * (place + 1) / places - first + 1
    allocate (height(0:cells(1) + 1, 0:cells(2) + 1))

    call thw_decompose(io, blocks, dims="x,y", shape=[nx, ny], start=first, count=cells, halo=[1, 1])
    call thw_open_collection(io, history, "history")
    call thw_define_variable(history, "height", "x,y,time", THW_REAL32, blocks, units="m")

    do record = 1, 3
      do j = 0, cells(2) + 1
        do i = 0, cells(1) + 1
          height(i, j) = 1000 * record + (first(2) + j - 2) * nx + first(1) + i - 2
        end do
      end do
      call thw_put(history, "height", height) ! height is free again; any section will do as well
      call thw_advance(io, 3600.0_real64 * record) ! the record is complete
    end do
  end subroutine run_model
end program minimal
