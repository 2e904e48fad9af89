! Each rank holds two rows of six cells and writes two records of them.
program model_fortran
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use mpi_f08
  use thalweg
  implicit none
  type(thw_session) :: io
  type(thw_decomposition) :: cells
  type(thw_collection) :: history
  real(real32) :: temp(6, 2)
  integer :: rank, ranks, record, i, j

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call thw_start(io, MPI_COMM_WORLD)
  call thw_decompose(io, cells, dims="x,y", shape=[6, 2*ranks], start=[1, 2*rank + 1], count=[6, 2])
  call thw_open_collection(io, history, "history")
  call thw_define_variable(history, "temp", "x,y,time", THW_REAL32, cells)
  do record = 1, 2
    do j = 1, 2
      do i = 1, 6
        temp(i, j) = real(100*record + 6*(2*rank + j - 1) + i - 1, real32)
      end do
    end do
    call thw_put(history, "temp", temp)
    call thw_advance(io, 3600.0_real64*record)
  end do
  call thw_finish(io)
  call MPI_Finalize()
end program model_fortran
