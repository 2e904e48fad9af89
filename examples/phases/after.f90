! A driver and a component of ESMF's shape, in three phases; Thalweg writes the component's field.
module ocean
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use clock, only: clock_t
  use thalweg
  implicit none
  private
  public :: finalize, initialize, ocean_t, run

  integer, parameter :: nx = 40, ny = 30

  type :: ocean_t
    integer :: first = 1, rows = 0
    real(real64), allocatable :: height(:, :)
    type(thw_collection) :: history
  end type ocean_t

contains

  subroutine initialize(self, comm, io)
    type(ocean_t), intent(out) :: self
    type(MPI_Comm), intent(in) :: comm
    type(thw_session), intent(in) :: io
    type(thw_decomposition) :: cells
    integer :: rank, ranks, i, j
    call MPI_Comm_rank(comm, rank)
    call MPI_Comm_size(comm, ranks)
    self%first = ny * rank / ranks + 1
    self%rows = ny * (rank + 1) / ranks - self%first + 1
    allocate (self%height(nx, self%rows))
    do j = 1, self%rows
      self%height(:, j) = [(real(i + nx * (self%first + j - 2), real64), i=1, nx)]
    end do
    call thw_decompose(io, cells, "x,y", [nx, ny], start=[1, self%first], count=[nx, self%rows])
    call thw_open_collection(io, self%history, "history")
    call thw_define_variable(self%history, "height", "x,y,time", THW_REAL64, cells, units="m")
  end subroutine initialize

  subroutine run(self, now)
    type(ocean_t), intent(inout) :: self
    type(clock_t), intent(in) :: now
    self%height = cshift(self%height, 1, dim=1) + now%step_s / 2.0_real64**20
    call thw_put(self%history, "height", self%height)
  end subroutine run

  subroutine finalize(self)
    type(ocean_t), intent(inout) :: self
    deallocate (self%height)
  end subroutine finalize

end module ocean

program driver
  use mpi_f08
  use clock, only: clock_t
  use ocean, only: finalize, initialize, ocean_t, run
  use thalweg
  implicit none
  type(thw_session) :: io

  call MPI_Init()
  call thw_start(io, MPI_COMM_WORLD, "phases.yaml")
  if (thw_is_client(io)) call drive()
  call thw_finish(io)
  call MPI_Finalize()

contains

  subroutine drive()
    type(clock_t) :: now
    type(ocean_t) :: component
    type(MPI_Comm) :: comm
    call thw_model_comm(io, comm)
    call initialize(component, comm, io)
    do while (.not. now%is_at_end())
      call run(component, now)
      call now%tick()
      call thw_advance(io, now%time_s)
    end do
    call finalize(component)
  end subroutine drive

end program driver
