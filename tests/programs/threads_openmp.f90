! threads_openmp: a model that puts blocks of its domain within a parallel region of OpenMP, as FMS's send_data is called.
! The configuration is thalweg.yaml. Prints how many threads there were.
program threads_openmp
  use mpi_f08
  use omp_lib, only: omp_get_max_threads
  use thalweg
  implicit none
  integer, parameter :: nx = 60, ny = 48, nz = 4, block_rows = 4, steps = 12
  type(thw_session) :: io
  type(thw_decomposition) :: cells
  type(thw_field) :: temp, pressure
  real :: t(nx, ny, nz), p(nx, ny)
  integer :: step, j, provided

  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided)
  call thw_start(io, MPI_COMM_WORLD, "thalweg.yaml")
  call thw_decompose(io, cells, "x,y", [nx, ny], [1, 1], [nx, ny])
  call thw_define_field_dimension(io, "z", nz)
  call thw_define_field(io, temp, "temp", "x,y,z", THW_REAL32, cells)
  call thw_define_field(io, pressure, "pressure", "x,y", THW_REAL32, cells)
  do step = 1, steps
    !$omp parallel do schedule(dynamic)
    do j = 1, ny, block_rows
      call compute(j, min(j + block_rows - 1, ny))
      call thw_put_field_on(temp, t(:, j:min(j + block_rows - 1, ny), :), start=[1, j, 1])
      call thw_put_field_on(pressure, p(:, j:min(j + block_rows - 1, ny)), start=[1, j])
    end do
    !$omp end parallel do
    call thw_advance(io, 3600.0 * step)
  end do
  call thw_finish(io)
  print '(i0, a)', omp_get_max_threads(), " threads"
  call MPI_Finalize()

contains

  subroutine compute(first, last)
    integer, intent(in) :: first, last
    integer :: i, j, k

    do j = first, last
      do i = 1, nx
        p(i, j) = 1000.0 + 10.0 * sin(0.1 * (i + 2 * j) + step)
        do k = 1, nz
          t(i, j, k) = 280.0 + k + cos(0.05 * (3 * i + j) - step)
        end do
      end do
    end do
  end subroutine compute
end program threads_openmp
