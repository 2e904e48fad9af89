!> Reads the last record of what minimal_fortran has written, with a halo, and goes on from there in again.nc.
!>
!>   mpiexec -n 4 reading_fortran
program reading
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use thalweg
  implicit none
  integer, parameter :: nx = 8, ny = 12
  type(thw_session) :: io

  call MPI_Init()
  call thw_start(io, MPI_COMM_WORLD)
  if (thw_is_client(io)) call run_model()
  call thw_finish(io)
  call MPI_Finalize()

contains

  !> This rank's block, in an array with the halo that it was declared with.
  subroutine read_height(blocks, height)
    type(thw_decomposition), intent(in) :: blocks
    real(real64), intent(inout) :: height(:, :)
    type(thw_input) :: before
    call thw_open_input(io, before, "history.nc")
    call thw_declare_input(before, "height", "x,y,time", blocks, periodic="x")
    call thw_get(before, "height", height, record=thw_input_records(before))
    call thw_close_input(before)
  end subroutine read_height

  subroutine run_model()
    type(MPI_Comm) :: comm
    type(thw_decomposition) :: blocks
    type(thw_collection) :: again
    real(real64), allocatable :: height(:, :)
    integer :: rank, ranks, places(2), place(2), first(2), cells(2)

    call thw_model_comm(io, comm)
    call MPI_Comm_rank(comm, rank)
    call MPI_Comm_size(comm, ranks)
    places = 0
    call MPI_Dims_create(ranks, 2, places)
    place = [mod(rank, places(1)), rank / places(1)]
    first = [nx, ny] * place / places + 1
    cells = [nx, ny] * (place + 1) / places - first + 1
    allocate (height(0:cells(1) + 1, 0:cells(2) + 1))
    call thw_decompose(io, blocks, dims="x,y", shape=[nx, ny], start=first, count=cells, halo=[1, 1])
    call read_height(blocks, height)

    call thw_open_collection(io, again, "again")
    call thw_define_variable(again, "height", "x,y,time", THW_REAL64, blocks)
    call thw_put(again, "height", height)
    call thw_advance(io, 3600)
  end subroutine run_model
end program reading
