! The longitude-latitude grid of the whole world: mask, positions and metric terms, the same on every rank.
! Arakawa C: h and tracers in the centre of a cell, u on its east face, v on its north face, vorticity on its
! north-east corner. Face and corner 0 are the west or south edge of the grid.
module grid
  use, intrinsic :: iso_fortran_env, only: int8, real64
  use netcdf, only: nf90_noerr, nf90_strerror
  use settings, only: settings_t, stop_model
  implicit none
  private
  public :: grid_t, make_grid, is_wet, earth_radius, pi, nf

  real(real64), parameter :: earth_radius = 6.371e6_real64, pi = acos(-1.0_real64)

  type :: grid_t
    integer :: nx = 0, ny = 0
    integer(int8), allocatable :: wet(:, :)                  ! 1 = ocean
    real(real64), allocatable :: lon(:), lat(:)              ! centres, degrees
    real(real64), allocatable :: lon_u(:), lat_v(:)          ! edges, degrees, from 0
    real(real64), allocatable :: dx(:), area(:)              ! of row j: width at its centre, area of a cell
    real(real64), allocatable :: dx_v(:), area_q(:), f_q(:)  ! of edge j: width, area around a corner, Coriolis
    real(real64), allocatable :: f(:)                        ! Coriolis parameter at centres
    real(real64) :: dy = 0.0
  end type grid_t

contains

  function make_grid(wet, chosen) result(g)
    integer(int8), intent(in) :: wet(:, :)
    type(settings_t), intent(in) :: chosen
    type(grid_t) :: g
    integer :: j
    allocate (g%wet, source=wet)
    g%nx = size(wet, 1)
    g%ny = size(wet, 2)
    call set_metrics(g)
    do j = 1, g%ny
      if (abs(g%lat(j)) > chosen%latitude_limit) g%wet(:, j) = 0_int8
    end do
    if (.not. any(g%wet == 1_int8)) call stop_model(trim(chosen%mask_file)//": no wet cell within latitude_limit")
  end function make_grid

  subroutine set_metrics(g)
    type(grid_t), intent(inout) :: g
    real(real64), parameter :: omega = 7.292e-5_real64, rad = pi / 180.0_real64
    real(real64) :: dlon, dlat, south, north
    integer :: i, j
    dlon = 360.0_real64 / g%nx
    dlat = 180.0_real64 / g%ny
    g%lon = [(-180.0_real64 + (i - 0.5_real64) * dlon, i=1, g%nx)]
    g%lat = [(-90.0_real64 + (j - 0.5_real64) * dlat, j=1, g%ny)]
    allocate (g%lon_u(0:g%nx), g%lat_v(0:g%ny), g%dx_v(0:g%ny), g%area_q(0:g%ny), g%f_q(0:g%ny))
    g%lon_u = [(-180.0_real64 + i * dlon, i=0, g%nx)]
    g%lat_v = [(-90.0_real64 + j * dlat, j=0, g%ny)]
    g%dy = earth_radius * rad * dlat
    g%dx = earth_radius * rad * dlon * cos(rad * g%lat)
    g%dx_v = earth_radius * rad * dlon * cos(rad * g%lat_v)
    g%area = earth_radius**2 * rad * dlon * (sin(rad * g%lat_v(1:)) - sin(rad * g%lat_v(:g%ny - 1)))
    g%f = 2.0_real64 * omega * sin(rad * g%lat)
    g%f_q = 2.0_real64 * omega * sin(rad * g%lat_v)
    do j = 0, g%ny
      south = max(g%lat_v(j) - 0.5_real64 * dlat, -90.0_real64)
      north = min(g%lat_v(j) + 0.5_real64 * dlat, 90.0_real64)
      g%area_q(j) = earth_radius**2 * rad * dlon * (sin(rad * north) - sin(rad * south))
    end do
  end subroutine set_metrics

  ! Of any index: x is periodic, beyond the first and last row there is land.
  elemental logical function is_wet(g, i, j)
    type(grid_t), intent(in) :: g
    integer, intent(in) :: i, j
    is_wet = .false.
    if (j >= 1 .and. j <= g%ny) is_wet = g%wet(modulo(i - 1, g%nx) + 1, j) == 1_int8
  end function is_wet

  ! Stops with netCDF's own words where a call of netCDF failed.
  subroutine nf(stat, what)
    integer, intent(in) :: stat
    character(*), intent(in) :: what
    if (stat /= nf90_noerr) call stop_model("cannot "//trim(what)//": "//trim(nf90_strerror(stat)))
  end subroutine nf

end module grid
