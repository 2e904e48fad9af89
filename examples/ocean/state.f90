! What the model carries from step to step on the cells of one block, and the masks of that block.
! Everything is float64. Land: h, u, v are zero; tracers hold the fill value, and nothing flows to or from them.
module state
  use, intrinsic :: iso_fortran_env, only: real64
  use decomposition, only: block_t, w => halo_width
  use grid, only: grid_t, is_wet
  use settings, only: settings_t
  implicit none
  private
  public :: state_t, make_state, fill, temp, salt, h_, u_, v_

  real(real64), parameter :: fill = 9.9692099683868690e+36_real64  ! netCDF's fill value, of float32 and of float64
  integer, parameter :: h_ = 1, u_ = 2, v_ = 3, temp = 1, salt = 2  ! places in flow and tracer

  type :: state_t
    real(real64), allocatable :: flow(:, :, :)       ! (i, j, h u v): thickness m, velocities m s-1 (mean of the layer)
    real(real64), allocatable :: tracer(:, :, :, :)  ! (i, j, level, temperature or salinity)
    real(real64), allocatable :: wet(:, :), wet_u(:, :), wet_v(:, :), wet_q(:, :)  ! 1 = water, 0 = land
    real(real64), allocatable :: share(:)            ! part of the layer's thickness in each level; the sum is 1
    real(real64), allocatable :: profile(:)          ! velocity of a level over the mean velocity of the layer
    real(real64), allocatable :: depth(:)            ! of the middle of each level in the layer at rest, m
  end type state_t

contains

  function make_state(g, b, chosen) result(s)
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    type(settings_t), intent(in) :: chosen
    type(state_t) :: s
    allocate (s%flow(1 - w:b%ni + w, 1 - w:b%nj + w, 3), source=0.0_real64)
    allocate (s%tracer(1 - w:b%ni + w, 1 - w:b%nj + w, chosen%levels, 2), source=fill)
    call set_masks(s, g, b)
    call set_levels(s, chosen)
  end function make_state

  ! A face is open between two wet cells; vorticity exists on corners in open water.
  subroutine set_masks(s, g, b)
    type(state_t), intent(inout) :: s
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    integer :: i, j
    logical :: here, east, north, both
    allocate (s%wet(1 - w:b%ni + w, 1 - w:b%nj + w), source=0.0_real64)
    allocate (s%wet_u, s%wet_v, s%wet_q, source=s%wet)
    if (b%idle) return
    do j = 1 - w, b%nj + w
      do i = 1 - w, b%ni + w
        here = is_wet(g, b%is + i - 1, b%js + j - 1)
        east = is_wet(g, b%is + i, b%js + j - 1)
        north = is_wet(g, b%is + i - 1, b%js + j)
        both = is_wet(g, b%is + i, b%js + j)
        s%wet(i, j) = merge(1, 0, here)
        s%wet_u(i, j) = merge(1, 0, here .and. east)
        s%wet_v(i, j) = merge(1, 0, here .and. north)
        s%wet_q(i, j) = merge(1, 0, here .and. east .and. north .and. both)
      end do
    end do
  end subroutine set_masks

  ! Levels grow thicker downwards; the velocity decays downwards, such that the levels together move as the layer.
  subroutine set_levels(s, chosen)
    type(state_t), intent(inout) :: s
    type(settings_t), intent(in) :: chosen
    integer :: k
    s%share = [(1.0_real64 + 0.4_real64 * (k - 1), k=1, chosen%levels)]
    s%share = s%share / sum(s%share)
    s%depth = [(chosen%depth_m * (sum(s%share(:k)) - 0.5_real64 * s%share(k)), k=1, chosen%levels)]
    s%profile = exp(-1.2_real64 * s%depth / chosen%depth_m)
    s%profile = s%profile / sum(s%share * s%profile)
  end subroutine set_levels

end module state
