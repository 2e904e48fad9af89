! A model of clouds that has the arrays of one, but no physics: two groups, microphysics and dynamics, one after the
! other in each step. After n steps every value is its first one plus n times a rate, small whole numbers over a power
! of two, so that it can be computed again bit for bit.
module cloud_model
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use mpi_f08
  use blocks, only: block_of, block_t
  implicit none
  private
  public :: bytes_of, make_model, model_t, start_fields, step_dynamics, step_microphysics

  ! The files that it writes, one unit or collection each.
  integer, parameter, public :: microphysics = 1, surface = 2, dynamics = 3, profiles = 4, scalars = 5, files = 5
  character(*), parameter, public :: file_name(files) = [character(12) :: "microphysics", "surface", "dynamics", &
                                                                         "profiles", "scalars"]
  character(*), parameter, public :: species(5) = [character(8) :: "vapour", "cloud", "rain", "ice", "snow"]
  character(*), parameter, public :: winds(5) = [character(8) :: "u", "v", "w", "theta", "pressure"]
  real(real64), parameter, public :: step_s = 6.0

  type :: model_t
    integer :: nx = 0, ny = 0, nz = 0
    integer :: work = 0       ! rounds of computing in a step of each group
    type(MPI_Comm) :: comm
    integer :: rank = 0, ranks = 0
    type(block_t) :: own
    ! Files of the microphysics: three and two dimensions.
    integer(int32), allocatable :: cloud_type(:, :, :)
    real(real32), allocatable :: water(:, :, :, :)    ! of each species
    integer(int32), allocatable :: wet_steps(:, :)
    real(real32), allocatable :: rainfall(:, :)
    real(real64), allocatable :: heat_flux(:, :)
    ! Files of the dynamics: three dimensions, one and none; every rank has the same values of the last two.
    integer(int32), allocatable :: level_type(:, :, :)
    real(real64), allocatable :: flow(:, :, :, :)     ! of each of the winds
    integer(int32), allocatable :: cloudy_cells(:)
    real(real32), allocatable :: humidity(:)
    real(real64), allocatable :: mean_theta(:)
    integer(int32) :: storms = 0
    real(real32) :: largest_wind = 0.0
    real(real64) :: energy = 0.0
    real(real64), allocatable, private :: scratch(:, :, :)
  end type model_t

  ! A first value; the rate is the number of the variable.
  interface start
    module procedure start_integer, start_real, start_double
  end interface start

contains

  function make_model(comm, nx, ny, nz, work) result(m)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: nx, ny, nz, work
    type(model_t) :: m
    m%comm = comm
    call MPI_Comm_rank(comm, m%rank)
    call MPI_Comm_size(comm, m%ranks)
    m%own = block_of(m%rank, m%ranks, [nx, ny])
    m%nx = nx
    m%ny = ny
    m%nz = nz
    m%work = work
    associate (ni => m%own%cells(1), nj => m%own%cells(2))
      allocate (m%cloud_type(ni, nj, nz), m%water(ni, nj, nz, size(species)))
      allocate (m%wet_steps(ni, nj), m%rainfall(ni, nj), m%heat_flux(ni, nj))
      allocate (m%level_type(ni, nj, nz), m%flow(ni, nj, nz, size(winds)))
      allocate (m%cloudy_cells(nz), m%humidity(nz), m%mean_theta(nz), m%scratch(ni, nj, nz))
    end associate
  end function make_model

  ! The state before the first step, the same whenever it is called.
  subroutine start_fields(m)
    type(model_t), intent(inout) :: m
    integer :: i, j, k, n, cell
    do k = 1, m%nz
      do j = 1, m%own%cells(2)
        do i = 1, m%own%cells(1)
          cell = cell_at(m, i, j, k)
          call start(m%cloud_type(i, j, k), 1, cell)
          call start(m%level_type(i, j, k), 10, cell)
          do n = 1, 5
            call start(m%water(i, j, k, n), 1 + n, cell)
            call start(m%flow(i, j, k, n), 10 + n, cell)
          end do
          if (k > 1) cycle
          call start(m%wet_steps(i, j), 7, cell)
          call start(m%rainfall(i, j), 8, cell)
          call start(m%heat_flux(i, j), 9, cell)
        end do
      end do
      call start(m%cloudy_cells(k), 16, k - 1)
      call start(m%humidity(k), 17, k - 1)
      call start(m%mean_theta(k), 18, k - 1)
    end do
    call start(m%storms, 19, 0)
    call start(m%largest_wind, 20, 0)
    call start(m%energy, 21, 0)
    m%scratch = 0.3
  end subroutine start_fields

  subroutine step_microphysics(m)
    type(model_t), intent(inout) :: m
    integer :: n
    call compute(m)
    m%cloud_type = m%cloud_type + 1
    do n = 1, size(species)
      m%water(:, :, :, n) = m%water(:, :, :, n) + (1 + n) / 1024.0_real32
    end do
    m%wet_steps = m%wet_steps + 7
    m%rainfall = m%rainfall + 8 / 1024.0_real32
    m%heat_flux = m%heat_flux + 9 / 1024.0_real64
  end subroutine step_microphysics

  subroutine step_dynamics(m)
    type(model_t), intent(inout) :: m
    integer :: n
    call compute(m)
    m%level_type = m%level_type + 10
    do n = 1, size(winds)
      m%flow(:, :, :, n) = m%flow(:, :, :, n) + (10 + n) / 1024.0_real64
    end do
    m%cloudy_cells = m%cloudy_cells + 16
    m%humidity = m%humidity + 17 / 1024.0_real32
    m%mean_theta = m%mean_theta + 18 / 1024.0_real64
    m%storms = m%storms + 19
    m%largest_wind = m%largest_wind + 20 / 1024.0_real32
    m%energy = m%energy + 21 / 1024.0_real64
  end subroutine step_dynamics

  ! Bytes of one output of a file, of all ranks together.
  integer(int64) function bytes_of(m, file)
    type(model_t), intent(in) :: m
    integer, intent(in) :: file
    integer(int64) :: plane
    plane = int(m%nx, int64) * m%ny
    bytes_of = 4 + 4 + 8
    if (file == microphysics) bytes_of = plane * m%nz * (4 + 4 * size(species))
    if (file == dynamics) bytes_of = plane * m%nz * (4 + 8 * size(winds))
    if (file == surface) bytes_of = plane * (4 + 4 + 8)
    if (file == profiles) bytes_of = m%nz * (4 + 4 + 8)
  end function bytes_of

  ! Takes time only: what physics would. The logistic map in place of it, because no compiler can leave it out.
  subroutine compute(m)
    type(model_t), intent(inout) :: m
    integer :: n
    do n = 1, m%work
      m%scratch = 3.9_real64 * m%scratch * (1.0_real64 - m%scratch)
    end do
  end subroutine compute

  ! Number of a cell of this rank in the whole grid, from 0.
  integer function cell_at(m, i, j, k)
    type(model_t), intent(in) :: m
    integer, intent(in) :: i, j, k
    cell_at = m%own%first(1) + i - 2 + m%nx * (m%own%first(2) + j - 2 + m%ny * (k - 1))
  end function cell_at

  subroutine start_integer(field, variable, cell)
    integer(int32), intent(out) :: field
    integer, intent(in) :: variable, cell
    field = mod(cell + 4099 * variable, 65521)
  end subroutine start_integer

  subroutine start_real(field, variable, cell)
    real(real32), intent(out) :: field
    integer, intent(in) :: variable, cell
    field = mod(cell + 4099 * variable, 65521) / 1024.0_real32
  end subroutine start_real

  subroutine start_double(field, variable, cell)
    real(real64), intent(out) :: field
    integer, intent(in) :: variable, cell
    field = mod(cell + 4099 * variable, 65521) / 1024.0_real64
  end subroutine start_double

end module cloud_model
