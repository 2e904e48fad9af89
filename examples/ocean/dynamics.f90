! Rotating shallow water on the sphere, with reduced gravity: one active layer of thickness h over a deep ocean at rest.
!
!   dh/dt = -div(h u)
!   du/dt = -q k × (h u) - grad(g' h + |u|²/2) + tau/(rho h) - r u + nu lap(u),   q = (f + zeta)/h
!
! Space: C-grid, the potential-enstrophy conserving scheme of Sadourny (1975, J. Atmos. Sci. 32, 680–689), lengths and
! areas those of the sphere. Viscosity: grad(div) - curl(zeta), free slip. Time: the three-stage Runge–Kutta scheme of
! Wicker and Skamarock (2002, Mon. Wea. Rev. 130, 2088–2097), which keeps no history and is stable for omega dt < 1.73.
!
! All arithmetic of a cell depends on the cells around it alone, in a fixed order: the result is the same, bit for bit,
! for any number of ranks.
module dynamics
  use, intrinsic :: iso_fortran_env, only: real64
  use decomposition, only: block_t
  use forcing, only: zonal_stress
  use grid, only: grid_t
  use halo, only: exchange
  use settings, only: settings_t
  use state, only: state_t, h_, u_, v_
  implicit none
  private
  public :: dynamics_t, make_dynamics, set_stress, step_flow, vorticity, stability

  real(real64), parameter :: half = 0.5_real64, quarter = 0.25_real64, water_density = 1025.0_real64

  type :: dynamics_t
    real(real64), allocatable :: stage(:, :, :)              ! h, u, v of a stage
    real(real64), allocatable :: tendency(:, :, :)           ! of h, u, v
    real(real64), allocatable :: flux_x(:, :), flux_y(:, :)  ! h u and h v on faces, m2 s-1
    real(real64), allocatable :: zeta(:, :), q(:, :)         ! on corners
    real(real64), allocatable :: head(:, :), divergence(:, :)  ! in centres
    real(real64), allocatable :: corner_share(:, :)          ! 1 / number of wet cells around a corner
    real(real64), allocatable :: stress(:, :)                ! tau/rho on eastern faces
    real(real64), allocatable :: volume_x(:, :), volume_y(:, :)  ! m3 that went through faces since they were zeroed
  end type dynamics_t

contains

  function make_dynamics(g, b, s, chosen) result(d)
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    type(state_t), intent(in) :: s
    type(settings_t), intent(in) :: chosen
    type(dynamics_t) :: d
    integer :: i, j
    allocate (d%stage, d%tendency, source=s%flow)
    allocate (d%flux_x(0:b%ni + 1, 0:b%nj + 1), source=0.0_real64)
    allocate (d%flux_y, d%zeta, d%q, d%head, d%divergence, d%corner_share, d%volume_x, d%volume_y, source=d%flux_x)
    d%tendency = 0.0
    do j = 0, b%nj + 1
      do i = 0, b%ni + 1
        d%corner_share(i, j) = 1.0_real64 / max(1.0_real64, sum(s%wet(i:i + 1, j:j + 1)))
      end do
    end do
    allocate (d%stress(b%ni, b%nj))
    do j = 1, b%nj
      d%stress(:, j) = chosen%wind_stress / water_density * zonal_stress(g%lat(b%js + j - 1))
    end do
  end function make_dynamics

  ! tau: the zonal stress of the wind on eastern faces, N m-2, in place of the steady one.
  subroutine set_stress(d, tau)
    type(dynamics_t), intent(inout) :: d
    real(real64), intent(in) :: tau(:, :)
    d%stress = tau / water_density
  end subroutine set_stress

  ! One step. Afterwards the flow has valid halos, and volume_x, volume_y have grown by what this step transported.
  subroutine step_flow(d, s, g, b, chosen)
    type(dynamics_t), intent(inout) :: d
    type(state_t), intent(inout) :: s
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    type(settings_t), intent(in) :: chosen
    integer :: stage, j
    d%stage = s%flow
    do stage = 3, 1, -1
      call fluxes(d, s, b)
      call corners_and_centres(d, s, g, b, chosen)
      call tendencies(d, s, g, b, chosen)
      d%stage = s%flow + (chosen%dt_s / stage) * d%tendency
      call exchange(b, 3, d%stage)
    end do
    s%flow = d%stage
    do j = 0, b%nj + 1  ! Row ny + 1 is land: nothing flows there.
      d%volume_x(:, j) = d%volume_x(:, j) + d%flux_x(:, j) * (g%dy * chosen%dt_s)
      d%volume_y(:, j) = d%volume_y(:, j) + d%flux_y(:, j) * (g%dx_v(min(b%js + j - 1, g%ny)) * chosen%dt_s)
    end do
  end subroutine step_flow

  subroutine fluxes(d, s, b)
    type(dynamics_t), intent(inout) :: d
    type(state_t), intent(in) :: s
    type(block_t), intent(in) :: b
    integer :: i, j
    do j = 0, b%nj + 1
      do i = 0, b%ni + 1
        d%flux_x(i, j) = half * (d%stage(i, j, h_) + d%stage(i + 1, j, h_)) * d%stage(i, j, u_) * s%wet_u(i, j)
        d%flux_y(i, j) = half * (d%stage(i, j, h_) + d%stage(i, j + 1, h_)) * d%stage(i, j, v_) * s%wet_v(i, j)
      end do
    end do
  end subroutine fluxes

  ! Relative and potential vorticity on corners; Bernoulli head and divergence in centres, each with one cell of halo.
  subroutine corners_and_centres(d, s, g, b, chosen)
    type(dynamics_t), intent(inout) :: d
    type(state_t), intent(in) :: s
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    type(settings_t), intent(in) :: chosen
    real(real64) :: h_q
    integer :: i, j, jg
    do j = 0, b%nj + 1
      jg = b%js + j - 1
      call vorticity_row(d%stage, s, g, b, j, d%zeta(:, j))
      if (jg < 1 .or. jg > g%ny) cycle
      do i = 0, b%ni + 1
        h_q = (d%stage(i, j, h_) + d%stage(i + 1, j, h_) + d%stage(i, j + 1, h_) + d%stage(i + 1, j + 1, h_)) &
          * d%corner_share(i, j)
        d%q(i, j) = (g%f_q(jg) + d%zeta(i, j)) / max(h_q, 1.0_real64)
        d%head(i, j) = chosen%reduced_gravity * d%stage(i, j, h_) &
          + quarter * (d%stage(i, j, u_)**2 + d%stage(i - 1, j, u_)**2 &
          + d%stage(i, j, v_)**2 + d%stage(i, j - 1, v_)**2)
        d%divergence(i, j) = ((d%stage(i, j, u_) - d%stage(i - 1, j, u_)) * g%dy + d%stage(i, j, v_) * g%dx_v(jg) &
          - d%stage(i, j - 1, v_) * g%dx_v(jg - 1)) / g%area(jg)
      end do
    end do
  end subroutine corners_and_centres

  ! Circulation around the corners north-east of the cells of row j over the area within; zero at coasts.
  subroutine vorticity_row(flow, s, g, b, j, zeta)
    type(state_t), intent(in) :: s
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    real(real64), intent(in) :: flow(-1:, -1:, :)
    integer, intent(in) :: j
    real(real64), intent(out) :: zeta(0:)
    integer :: i, jg
    jg = b%js + j - 1
    zeta = 0.0
    if (jg < 1 .or. jg >= g%ny) return
    do i = 0, b%ni + 1
      zeta(i) = ((flow(i + 1, j, v_) - flow(i, j, v_)) * g%dy - flow(i, j + 1, u_) * g%dx(jg + 1) &
        + flow(i, j, u_) * g%dx(jg)) / g%area_q(jg) * s%wet_q(i, j)
    end do
  end subroutine vorticity_row

  subroutine tendencies(d, s, g, b, chosen)
    type(dynamics_t), intent(inout) :: d
    type(state_t), intent(in) :: s
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    type(settings_t), intent(in) :: chosen
    real(real64) :: mean_flux, h_u
    integer :: i, j, jg
    do j = 1, b%nj
      jg = b%js + j - 1
      do i = 1, b%ni
        d%tendency(i, j, h_) = -((d%flux_x(i, j) - d%flux_x(i - 1, j)) * g%dy + d%flux_y(i, j) * g%dx_v(jg) &
          - d%flux_y(i, j - 1) * g%dx_v(jg - 1)) / g%area(jg)
      end do
      do i = 1, b%ni
        mean_flux = quarter * (d%flux_y(i, j) + d%flux_y(i + 1, j) + d%flux_y(i, j - 1) + d%flux_y(i + 1, j - 1))
        h_u = max(half * (d%stage(i, j, h_) + d%stage(i + 1, j, h_)), 1.0_real64)
        d%tendency(i, j, u_) = s%wet_u(i, j) * (half * (d%q(i, j) + d%q(i, j - 1)) * mean_flux &
          - (d%head(i + 1, j) - d%head(i, j)) / g%dx(jg) + d%stress(i, j) / h_u - chosen%drag * d%stage(i, j, u_) &
          + chosen%viscosity * ((d%divergence(i + 1, j) - d%divergence(i, j)) / g%dx(jg) &
          - (d%zeta(i, j) - d%zeta(i, j - 1)) / g%dy))
      end do
      do i = 1, b%ni
        mean_flux = quarter * (d%flux_x(i, j) + d%flux_x(i - 1, j) + d%flux_x(i, j + 1) + d%flux_x(i - 1, j + 1))
        d%tendency(i, j, v_) = s%wet_v(i, j) * (-half * (d%q(i, j) + d%q(i - 1, j)) * mean_flux &
          - (d%head(i, j + 1) - d%head(i, j)) / g%dy - chosen%drag * d%stage(i, j, v_) &
          + chosen%viscosity * ((d%divergence(i, j + 1) - d%divergence(i, j)) / g%dy &
          + (d%zeta(i, j) - d%zeta(i - 1, j)) / max(g%dx_v(jg), 1.0_real64)))
      end do
    end do
  end subroutine tendencies

  ! Relative vorticity of the present flow on all corners of the block and those of its west and south edges.
  subroutine vorticity(s, g, b, zeta)
    type(state_t), intent(in) :: s
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    real(real64), intent(out) :: zeta(0:, 0:)
    integer :: j
    do j = 0, b%nj
      call vorticity_row(s%flow, s, g, b, j, zeta(:, j))
    end do
  end subroutine vorticity

  ! The greatest omega dt of gravity waves riding on the flow of this block: must stay below 1.73.
  real(real64) function stability(s, g, b, chosen)
    type(state_t), intent(in) :: s
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    type(settings_t), intent(in) :: chosen
    real(real64) :: wave, speed
    integer :: i, j
    stability = 0.0
    do j = 1, b%nj
      do i = 1, b%ni
        if (s%wet(i, j) == 0.0_real64) cycle
        wave = sqrt(chosen%reduced_gravity * max(s%flow(i, j, h_), 0.0_real64))
        speed = maxval(s%profile) * max(abs(s%flow(i, j, u_)), abs(s%flow(i, j, v_)))
        associate (dx => g%dx(b%js + j - 1))
          stability = max(stability, chosen%dt_s * (speed / dx &
            + 2.0_real64 * wave * sqrt(1.0_real64 / dx**2 + 1.0_real64 / g%dy**2)))
        end associate
      end do
    end do
  end function stability

end module dynamics
