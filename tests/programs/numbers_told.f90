! Calls that are wrong in their numbers, and the texts of their errors: as Fortran counts and lists.
program numbers_told
  use mpi_f08
  use thalweg
  implicit none
  type(thw_session) :: io
  type(thw_decomposition) :: cells, points, grid, ignored
  type(thw_collection) :: history, listed
  integer :: stat, i
  character(500) :: text
  real :: temp(4, 3), wrong(4, 7)

  call MPI_Init()
  temp = 1
  wrong = 1
  call thw_start(io, MPI_COMM_WORLD, "thalweg.yaml")
  call thw_decompose(io, cells, "x,y", [4, 3], [2, 1], [4, 3], stat=stat, errmsg=text)
  call told()
  call thw_decompose_points(io, points, "cell", [10], [1, 3, 13], stat=stat, errmsg=text)
  call told()
  call thw_decompose(io, cells, "x,y", [4, 3], [1, 1], [4, 3])
  call thw_open_collection(io, history, "history")
  call thw_define_variable(history, "turned", "x,time,y", THW_REAL32, cells, stat=stat, errmsg=text)
  call told()
  call thw_decompose(io, ignored, "x,y", [4, 3], reshape([1, 1, 2, 1], [2, 2]), reshape([2, 3, 3, 3], [2, 2]), &
                     stat=stat, errmsg=text)
  call told()
  call thw_decompose(io, ignored, "x,y", [4, 3], [2, 1], [3, 3], stat=stat, errmsg=text)
  call told()
  call thw_decompose_points(io, grid, "lon,lat", [4, 3], [(i, i=1, 12)])
  call thw_open_collection(io, listed, "listed")
  call thw_define_variable(listed, "turned", "lat,lon,time", THW_REAL32, grid, stat=stat, errmsg=text)
  call told()
  call thw_define_variable(history, "temp", "x,y,time", THW_REAL32, cells)
  call thw_put(history, "temp", wrong, stat=stat, errmsg=text)
  call told()
  call thw_put(history, "temp", temp, box=2, stat=stat, errmsg=text)
  call told()
  call thw_put(history, "temp", temp)
  call thw_put(history, "temp", temp, stat=stat, errmsg=text)
  call told()
  call thw_advance(io, 3600.0)
  call thw_finish(io)
  call MPI_Finalize()

contains

  subroutine told()
    write (*, '(a)') trim(text)
  end subroutine told
end program numbers_told
