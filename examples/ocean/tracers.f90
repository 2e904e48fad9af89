! Advection of temperature and salinity on levels that share the active layer in fixed parts (terrain-following levels
! between surface and interface). The volumes through faces are those that changed h, times share and profile of the
! level; the vertical volume follows from the continuity of each level. So a constant tracer stays constant and the
! content of the ocean is conserved, both to rounding.
! Horizontal: second order upwind with minmod-limited slopes (van Leer 1979, J. Comput. Phys. 32, 101–136); vertical:
! first order upwind.
module tracers
  use, intrinsic :: iso_fortran_env, only: real64
  use decomposition, only: block_t, w => halo_width
  use dynamics, only: dynamics_t
  use forcing, only: climatology
  use grid, only: grid_t
  use halo, only: exchange
  use settings, only: settings_t
  use state, only: state_t, fill, h_
  implicit none
  private
  public :: step_tracers

  real(real64), parameter :: half = 0.5_real64, day_s = 86400.0_real64

contains

  ! h_before: thickness at the time from which the transported volumes were summed. Ends with valid halos.
  subroutine step_tracers(s, d, g, b, chosen, h_before)
    type(state_t), intent(inout) :: s
    type(dynamics_t), intent(in) :: d
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    type(settings_t), intent(in) :: chosen
    real(real64), intent(in) :: h_before(:, :)
    integer :: tracer
    do tracer = 1, size(s%tracer, 4)
      call advect(s, d, g, b, h_before, s%tracer(:, :, :, tracer))
      if (chosen%relaxation_days > 0.0) call relax(s, g, b, chosen, tracer)
    end do
    call exchange(b, size(s%tracer, 3) * size(s%tracer, 4), s%tracer)
  end subroutine step_tracers

  subroutine advect(s, d, g, b, h_before, c)
    type(state_t), intent(in) :: s
    type(dynamics_t), intent(in) :: d
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    real(real64), intent(in) :: h_before(-1:, -1:)
    real(real64), intent(inout) :: c(1 - w:, 1 - w:, :)
    real(real64) :: flux_x(0:b%ni, b%nj), flux_y(b%ni, 0:b%nj), from_above(b%ni, b%nj), upward(b%ni, b%nj)
    real(real64) :: new, inflow, through
    integer :: i, j, k, levels
    levels = size(c, 3)
    from_above = 0.0
    through = 0.0
    do k = 1, levels
      call face_fluxes(s, d, b, s%share(k) * s%profile(k), c(:, :, k), flux_x, flux_y)
      ! What crosses the lower side of level k, of the net outflow of the whole column; exactly zero at the bottom.
      through = merge(through + s%share(k) * (s%profile(k) - 1.0_real64), 0.0_real64, k < levels)
      call upward_flux(d, b, through, c(:, :, k), c(:, :, min(k + 1, levels)), upward)
      do j = 1, b%nj
        associate (area => g%area(b%js + j - 1))
          do i = 1, b%ni
            inflow = flux_x(i - 1, j) - flux_x(i, j) + flux_y(i, j - 1) - flux_y(i, j) + upward(i, j) - from_above(i, j)
            new = (c(i, j, k) * h_before(i, j) + inflow / (s%share(k) * area)) &
              / max(s%flow(i, j, h_), 1.0_real64)
            c(i, j, k) = merge(new, fill, s%wet(i, j) > 0.0_real64)
          end do
        end associate
      end do
      from_above = upward
    end do
  end subroutine advect

  ! Tracer times volume through the east and north faces of one level.
  subroutine face_fluxes(s, d, b, part, c, flux_x, flux_y)
    type(state_t), intent(in) :: s
    type(dynamics_t), intent(in) :: d
    type(block_t), intent(in) :: b
    real(real64), intent(in) :: part, c(1 - w:, 1 - w:)
    real(real64), intent(out) :: flux_x(0:, 1:), flux_y(1:, 0:)
    real(real64) :: difference(-1:max(b%ni, b%nj) + 1), slope(0:max(b%ni, b%nj) + 1)
    real(real64) :: slope_y(b%ni, 0:b%nj + 1)
    integer :: i, j
    do j = 1, b%nj
      do i = -1, b%ni + 1
        difference(i) = (c(i + 1, j) - c(i, j)) * s%wet_u(i, j)
      end do
      do i = 0, b%ni + 1
        slope(i) = minmod(difference(i - 1), difference(i))
      end do
      do i = 0, b%ni
        flux_x(i, j) = part * (max(d%volume_x(i, j), 0.0_real64) * (c(i, j) + half * slope(i)) &
          + min(d%volume_x(i, j), 0.0_real64) * (c(i + 1, j) - half * slope(i + 1)))
      end do
    end do
    do j = 0, b%nj + 1
      do i = 1, b%ni
        slope_y(i, j) = minmod((c(i, j) - c(i, j - 1)) * s%wet_v(i, j - 1), (c(i, j + 1) - c(i, j)) * s%wet_v(i, j))
      end do
    end do
    do j = 0, b%nj
      do i = 1, b%ni
        flux_y(i, j) = part * (max(d%volume_y(i, j), 0.0_real64) * (c(i, j) + half * slope_y(i, j)) &
          + min(d%volume_y(i, j), 0.0_real64) * (c(i, j + 1) - half * slope_y(i, j + 1)))
      end do
    end do
  end subroutine face_fluxes

  ! Tracer times volume from level k + 1 (below) into level k.
  subroutine upward_flux(d, b, through, here, below, upward)
    type(dynamics_t), intent(in) :: d
    type(block_t), intent(in) :: b
    real(real64), intent(in) :: through, here(1 - w:, 1 - w:), below(1 - w:, 1 - w:)
    real(real64), intent(out) :: upward(:, :)
    real(real64) :: volume
    integer :: i, j
    do j = 1, b%nj
      do i = 1, b%ni
        volume = through * (d%volume_x(i, j) - d%volume_x(i - 1, j) + d%volume_y(i, j) - d%volume_y(i, j - 1))
        upward(i, j) = max(volume, 0.0_real64) * below(i, j) + min(volume, 0.0_real64) * here(i, j)
      end do
    end do
  end subroutine upward_flux

  ! The smaller of two slopes of the same sign, else zero.
  elemental real(real64) function minmod(a, b)
    real(real64), intent(in) :: a, b
    minmod = half * (sign(1.0_real64, a) + sign(1.0_real64, b)) * min(abs(a), abs(b))
  end function minmod

  ! The surface level is drawn to the climatology of its latitude.
  subroutine relax(s, g, b, chosen, tracer)
    type(state_t), intent(inout) :: s
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    type(settings_t), intent(in) :: chosen
    integer, intent(in) :: tracer
    real(real64) :: rate, goal
    integer :: i, j
    rate = chosen%dt_s * chosen%tracer_every / (chosen%relaxation_days * day_s)
    do j = 1, b%nj
      goal = climatology(tracer, g%lat(b%js + j - 1), s%depth(1))
      do i = 1, b%ni
        if (s%wet(i, j) == 0.0_real64) cycle
        s%tracer(i, j, 1, tracer) = (s%tracer(i, j, 1, tracer) + rate * goal) / (1.0_real64 + rate)
      end do
    end do
  end subroutine relax

end module tracers
