! The analytic initial state: a thermocline that is deep in the subtropics and rises across a meandering front, with
! mesoscale eddies in places that a fixed sequence of pseudo-random numbers gives; the velocity in geostrophic balance;
! tracers from the climatology, warm where the thermocline is deep.
module initial
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use decomposition, only: block_t
  use forcing, only: climatology
  use grid, only: earth_radius, grid_t, pi
  use halo, only: exchange
  use settings, only: settings_t
  use state, only: h_, salt, state_t, temp, u_, v_
  implicit none
  private
  public :: start_analytic

  real(real64), parameter :: rad = pi / 180.0_real64
  real(real64), parameter :: least_coriolis = 1.5e-5_real64  ! s-1; keeps the balance finite at the equator

contains

  subroutine start_analytic(s, g, b, chosen)
    type(state_t), intent(inout) :: s
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    type(settings_t), intent(in) :: chosen
    integer :: j
    do j = 1, b%nj
      s%flow(1:b%ni, j, h_) = chosen%depth_m * relief(g%lat(b%js + j - 1) + meander(g%lon(b%is:b%ie)))
    end do
    call add_eddies(s, g, b, chosen)
    s%flow(:, :, h_) = s%flow(:, :, h_) * s%wet
    call exchange(b, 3, s%flow)
    call balance(s, g, b, chosen)
    call exchange(b, 3, s%flow)
    call set_tracers(s, g, b, chosen)
    call exchange(b, 2 * size(s%depth), s%tracer)
  end subroutine start_analytic

  ! Thickness over its mean: subtropical gyres, and a front near 47° beyond which the layer is thin.
  elemental real(real64) function relief(lat)
    real(real64), intent(in) :: lat
    relief = 1.0_real64 + 0.22_real64 * exp(-((abs(lat) - 29.0_real64) / 13.0_real64)**2) &
      - 0.3_real64 / (1.0_real64 + exp(-(abs(lat) - 47.0_real64) / 4.0_real64))
  end function relief

  ! How far, in degrees, a front is shifted at a longitude.
  elemental real(real64) function meander(lon)
    real(real64), intent(in) :: lon
    meander = 2.2_real64 * sin(3.0_real64 * rad * lon) + 1.2_real64 * sin(8.0_real64 * rad * lon + 1.0_real64) &
      + 0.7_real64 * sin(23.0_real64 * rad * lon)
  end function meander

  ! Gaussian humps and hollows of the thermocline, cut off at four radii. Every rank draws the same sequence.
  subroutine add_eddies(s, g, b, chosen)
    type(state_t), intent(inout) :: s
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    type(settings_t), intent(in) :: chosen
    integer(int64) :: seed
    integer :: eddy, i, j
    real(real64) :: lon, lat, radius, height, x, y
    seed = 20240229_int64
    do eddy = 1, chosen%eddies
      lon = 360.0_real64 * random(seed) - 180.0_real64
      lat = sign(15.0_real64 + 47.0_real64 * random(seed), random(seed) - 0.5_real64)
      radius = earth_radius * rad * max(0.7_real64 + 1.3_real64 * random(seed), 800.0_real64 / g%nx)
      height = chosen%depth_m * 0.4_real64 * (random(seed) - 0.5_real64)
      do j = 1, b%nj
        y = earth_radius * rad * (g%lat(b%js + j - 1) - lat)
        if (abs(y) > 4.0_real64 * radius) cycle
        do i = 1, b%ni
          x = g%lon(b%is + i - 1) - lon
          x = earth_radius * rad * cos(rad * lat) * (x - 360.0_real64 * anint(x / 360.0_real64))
          if (abs(x) > 4.0_real64 * radius) cycle
          s%flow(i, j, h_) = s%flow(i, j, h_) + height * exp(-(x**2 + y**2) / (2.0_real64 * radius**2))
        end do
      end do
    end do
  end subroutine add_eddies

  ! Climatology; warmer, and a little saltier, where an eddy holds a thicker layer than there is around it.
  subroutine set_tracers(s, g, b, chosen)
    type(state_t), intent(inout) :: s
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    type(settings_t), intent(in) :: chosen
    real(real64) :: lat, anomaly
    integer :: i, j, k
    do k = 1, size(s%depth)
      do j = 1, b%nj
        do i = 1, b%ni
          if (s%wet(i, j) == 0.0_real64) cycle
          lat = g%lat(b%js + j - 1) + meander(g%lon(b%is + i - 1))
          anomaly = 0.03_real64 * (s%flow(i, j, h_) - chosen%depth_m * relief(lat)) * exp(-s%depth(k) / 350.0_real64)
          s%tracer(i, j, k, temp) = max(climatology(temp, lat, s%depth(k)) + anomaly, -1.8_real64)
          s%tracer(i, j, k, salt) = climatology(salt, lat, s%depth(k)) + 0.05_real64 * anomaly
        end do
      end do
    end do
  end subroutine set_tracers

  ! The next number in [0, 1) of a linear congruential sequence (Park and Miller 1988, Commun. ACM 31, 1192–1201).
  real(real64) function random(seed)
    integer(int64), intent(inout) :: seed
    seed = mod(16807_int64 * seed, 2147483647_int64)
    random = real(seed, real64) / 2147483647.0_real64
  end function random

  ! u and v from the slope of h; at a face it is the mean of the slopes across the four faces around it, land: zero.
  subroutine balance(s, g, b, chosen)
    type(state_t), intent(inout) :: s
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    type(settings_t), intent(in) :: chosen
    real(real64) :: rise
    integer :: i, j, jg
    do j = 1, b%nj
      jg = b%js + j - 1
      do i = 1, b%ni
        rise = 0.25_real64 * (step_y(i, j) + step_y(i + 1, j) + step_y(i, j - 1) + step_y(i + 1, j - 1))
        s%flow(i, j, u_) = -s%wet_u(i, j) * chosen%reduced_gravity * rise / g%dy / bounded(g%f(jg))
        rise = 0.25_real64 * (step_x(i, j) + step_x(i - 1, j) + step_x(i, j + 1) + step_x(i - 1, j + 1))
        s%flow(i, j, v_) = s%wet_v(i, j) * chosen%reduced_gravity * rise / max(g%dx_v(jg), 1.0_real64) &
          / bounded(g%f_q(jg))
      end do
    end do
  contains
    real(real64) function step_x(i, j)
      integer, intent(in) :: i, j
      step_x = (s%flow(i + 1, j, h_) - s%flow(i, j, h_)) * s%wet_u(i, j)
    end function step_x
    real(real64) function step_y(i, j)
      integer, intent(in) :: i, j
      step_y = (s%flow(i, j + 1, h_) - s%flow(i, j, h_)) * s%wet_v(i, j)
    end function step_y
  end subroutine balance

  elemental real(real64) function bounded(f)
    real(real64), intent(in) :: f
    bounded = sign(max(abs(f), least_coriolis), f)
  end function bounded

end module initial
