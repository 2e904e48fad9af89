! A driver and a component of ESMF's shape, in three phases; the component gathers its field and writes it by netCDF.
module ocean
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use clock, only: clock_t
  use gathered_output, only: close_file, create_file, output_t, write_record
  implicit none
  private
  public :: finalize, initialize, ocean_t, run

  integer, parameter :: nx = 40, ny = 30

  type :: ocean_t
    integer :: first = 1, rows = 0
    real(real64), allocatable :: height(:, :)
    type(output_t) :: history
  end type ocean_t

contains

  subroutine initialize(self, comm)
    type(ocean_t), intent(out) :: self
    type(MPI_Comm), intent(in) :: comm
    integer :: rank, ranks, i, j
    call MPI_Comm_rank(comm, rank)
    call MPI_Comm_size(comm, ranks)
    self%first = ny * rank / ranks + 1
    self%rows = ny * (rank + 1) / ranks - self%first + 1
    allocate (self%height(nx, self%rows))
    do j = 1, self%rows
      self%height(:, j) = [(real(i + nx * (self%first + j - 2), real64), i=1, nx)]
    end do
    call create_file(self%history, comm, "history.nc", "height", "m", [nx, ny], self%rows)
  end subroutine initialize

  subroutine run(self, now)
    type(ocean_t), intent(inout) :: self
    type(clock_t), intent(in) :: now
    self%height = cshift(self%height, 1, dim=1) + now%step_s / 2.0_real64**20
    if (mod(now%time_s + now%step_s, 10800.0_real64) < 1.0) &
      call write_record(self%history, now%time_s + now%step_s, self%height)
  end subroutine run

  subroutine finalize(self)
    type(ocean_t), intent(inout) :: self
    call close_file(self%history)
    deallocate (self%height)
  end subroutine finalize

end module ocean

program driver
  use mpi_f08
  use clock, only: clock_t
  use ocean, only: finalize, initialize, ocean_t, run
  implicit none

  call MPI_Init()
  call drive()
  call MPI_Finalize()

contains

  subroutine drive()
    type(clock_t) :: now
    type(ocean_t) :: component
    call initialize(component, MPI_COMM_WORLD)
    do while (.not. now%is_at_end())
      call run(component, now)
      call now%tick()
    end do
    call finalize(component)
  end subroutine drive

end program driver
