! Puts a field by a map as PIO and SCORPIO have it: for each local element its number, from 1, in an array of (lon, lat), in
! the order of array elements; 0 for one that is not written. What rank r holds of element i of level l at step s is
! 10000 s + 1000 l + i, and a place that is not written has -1.
program compmap
  use mpi_f08
  use thalweg
  use, intrinsic :: iso_fortran_env, only: real32
  implicit none

  integer, parameter :: nlon = 7, nlat = 5, nlev = 3
  type(thw_session) :: io
  type(thw_decomposition) :: land
  type(thw_collection) :: history
  type(MPI_Comm) :: model
  integer, allocatable :: map(:)
  real(real32), allocatable :: carbon(:, :)
  integer :: rank, ranks, step

  call MPI_Init()
  call thw_start(io, MPI_COMM_WORLD, "compmap.yaml")
  call thw_model_comm(io, model)
  call MPI_Comm_rank(model, rank)
  call MPI_Comm_size(model, ranks)
  map = own_map()
  call thw_decompose_points(io, land, "lon,lat", [nlon, nlat], map, masked=.true.)
  call thw_open_collection(io, history, "history")
  call thw_define_dimension(history, "lev", nlev)
  call thw_define_variable(history, "carbon", "lon,lat,lev,time", THW_REAL32, land)
  call thw_define_variable(history, "turned", "lon,lat,lev,time", THW_REAL32, land, "lev,lon,lat")
  allocate (carbon(size(map), nlev))
  do step = 1, 2
    call fill()
    call thw_put(history, "carbon", carbon)
    call thw_put(history, "turned", transpose(carbon))
    call thw_advance(io, 3600 * step)
  end do
  call thw_finish(io)
  call MPI_Finalize()

contains

  !> Elements are dealt like cards, from the last one down; each fifth is sea, and one place of each rank is not written.
  function own_map() result(own)
    integer, allocatable :: own(:)
    integer :: i
    own = pack([(i, i = nlon * nlat, 1, -1)], [(mod(i, ranks) == rank .and. mod(i, 5) /= 0, i = nlon * nlat, 1, -1)])
    own = [own(1), 0, own(2:)]
  end function own_map

  subroutine fill()
    integer :: level
    do level = 1, nlev
      carbon(:, level) = real(merge(10000 * step + 1000 * level + map, -1, map > 0), real32)
    end do
  end subroutine fill

end program compmap
