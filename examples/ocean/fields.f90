! The fields that the model offers for output: names, attributes and where the values are. All ways of output work
! from these tables. Land holds the fill value.
module fields
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use decomposition, only: block_t
  use dynamics, only: vorticity
  use grid, only: grid_t
  use settings, only: settings_t
  use state, only: fill, h_, salt, state_t, temp, u_, v_
  implicit none
  private
  public :: field_t, position_t, axis_t, fields_t, make_fields, update_history, update_restart

  ! Where on the C-grid: the axes, their extents, and the part of them that this rank owns.
  type :: position_t
    character(16) :: dims = ""
    integer :: shape(2) = 0, start(2) = 1, count(2) = 0
  end type position_t

  type :: axis_t
    character(8) :: name = "", axis = ""
    character(16) :: units = "", standard_name = ""
    character(48) :: long_name = ""
    real(real64), allocatable :: values(:)
  end type axis_t

  type :: field_t
    character(16) :: name = "", units = ""
    character(48) :: standard_name = "", long_name = ""
    integer :: position = 1
    real(real64), pointer :: values(:, :, :) => null()  ! (i, j, level), what this rank owns; one level: a flat field
    logical :: flat = .true.
  end type field_t

  integer, parameter :: centre = 1, face_u = 2, face_v = 3, corner = 4

  type :: fields_t
    type(position_t) :: position(4)
    type(axis_t) :: axis(5)
    type(field_t), allocatable :: history(:), restart(:)
    ! Two-dimensional fields as they are written: at their positions, with fill on land.
    real(real64), pointer, private :: ssh(:, :, :), surface_u(:, :, :), surface_v(:, :, :), zeta(:, :, :)
    real(real64), pointer, private :: h(:, :, :), u(:, :, :), v(:, :, :)
  end type fields_t

contains

  ! The block at the western (southern) edge of the grid owns the faces and corners of that edge too.
  subroutine make_fields(f, s, g, b)
    type(fields_t), intent(out) :: f
    type(state_t), intent(in), target :: s
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    real(real64), pointer :: t(:, :, :), c(:, :, :)
    integer :: west, south
    west = merge(1, 0, b%is == 1 .and. .not. b%idle)
    south = merge(1, 0, b%js == 1 .and. .not. b%idle)
    f%position(centre) = position_t("lon,lat", [g%nx, g%ny], [b%is, b%js], [b%ni, b%nj])
    f%position(face_u) = position_t("lon_u,lat", [g%nx + 1, g%ny], [b%is + 1 - west, b%js], [b%ni + west, b%nj])
    f%position(face_v) = position_t("lon,lat_v", [g%nx, g%ny + 1], [b%is, b%js + 1 - south], [b%ni, b%nj + south])
    f%position(corner) = position_t("lon_u,lat_v", [g%nx + 1, g%ny + 1], [b%is + 1 - west, b%js + 1 - south], &
      [b%ni + west, b%nj + south])
    f%axis = [ &
      axis_t("lon", "X", "degrees_east", "longitude", "longitude of cell centres", g%lon), &
      axis_t("lat", "Y", "degrees_north", "latitude", "latitude of cell centres", g%lat), &
      axis_t("lon_u", "X", "degrees_east", "longitude", "longitude of eastern faces and corners", g%lon_u), &
      axis_t("lat_v", "Y", "degrees_north", "latitude", "latitude of northern faces and corners", g%lat_v), &
      axis_t("depth", "Z", "m", "depth", "depth of level middles in the layer at rest", s%depth)]

    allocate (f%ssh(b%ni, b%nj, 1), f%h(b%ni, b%nj, 1), source=fill)
    allocate (f%surface_u(1 - west:b%ni, b%nj, 1), f%u(1 - west:b%ni, b%nj, 1), source=fill)
    allocate (f%surface_v(b%ni, 1 - south:b%nj, 1), f%v(b%ni, 1 - south:b%nj, 1), source=fill)
    allocate (f%zeta(1 - west:b%ni, 1 - south:b%nj, 1), source=fill)
    t => s%tracer(1:b%ni, 1:b%nj, :, temp)
    c => s%tracer(1:b%ni, 1:b%nj, :, salt)
    f%history = [ &
      field_t("ssh", "m", "sea_surface_height_above_geoid", "sea surface height", centre, f%ssh), &
      field_t("u", "m s-1", "sea_water_x_velocity", "eastward velocity at the surface", face_u, f%surface_u), &
      field_t("v", "m s-1", "sea_water_y_velocity", "northward velocity at the surface", face_v, f%surface_v), &
      field_t("vorticity", "s-1", "ocean_relative_vorticity", "relative vorticity of the layer", corner, f%zeta), &
      field_t("temp", "degC", "sea_water_potential_temperature", "potential temperature", centre, t, .false.), &
      field_t("salt", "g kg-1", "sea_water_absolute_salinity", "salinity", centre, c, .false.)]
    f%restart = [ &
      field_t("h", "m", "cell_thickness", "thickness of the active layer", centre, f%h), &
      field_t("u", "m s-1", "sea_water_x_velocity", "eastward velocity, mean of the layer", face_u, f%u), &
      field_t("v", "m s-1", "sea_water_y_velocity", "northward velocity, mean of the layer", face_v, f%v), &
      field_t("temp", "degC", "sea_water_potential_temperature", "potential temperature", centre, t, .false.), &
      field_t("salt", "g kg-1", "sea_water_absolute_salinity", "salinity", centre, c, .false.)]
  end subroutine make_fields

  ! Sea level follows from the thickness: the deep ocean is at rest, so the surface stands g'/g (h - H) high.
  subroutine update_history(f, s, g, b, chosen)
    type(fields_t), intent(inout) :: f
    type(state_t), intent(in) :: s
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    type(settings_t), intent(in) :: chosen
    real(real64), parameter :: gravity = 9.81_real64
    real(real64) :: zeta(0:b%ni + 1, 0:b%nj)
    if (b%idle) return
    call masked(s%profile(1) * s%flow(:, :, u_), s%wet_u, f%surface_u(:, :, 1), b)
    call masked(s%profile(1) * s%flow(:, :, v_), s%wet_v, f%surface_v(:, :, 1), b)
    call masked(chosen%reduced_gravity / gravity * (s%flow(:, :, h_) - chosen%depth_m), s%wet, f%ssh(:, :, 1), b)
    call vorticity(s, g, b, zeta)
    associate (west => lbound(f%zeta, 1), south => lbound(f%zeta, 2))
      f%zeta(:, :, 1) = merge(zeta(west:b%ni, south:b%nj), fill, s%wet_q(west:b%ni, south:b%nj) > 0.0_real64)
    end associate
  end subroutine update_history

  subroutine update_restart(f, s, b)
    type(fields_t), intent(inout) :: f
    type(state_t), intent(in) :: s
    type(block_t), intent(in) :: b
    if (b%idle) return
    call masked(s%flow(:, :, h_), s%wet, f%h(:, :, 1), b)
    call masked(s%flow(:, :, u_), s%wet_u, f%u(:, :, 1), b)
    call masked(s%flow(:, :, v_), s%wet_v, f%v(:, :, 1), b)
  end subroutine update_restart

  ! Copies what the rank owns out of a field with halo, fill where it is land.
  subroutine masked(from, wet, to, b)
    real(real64), intent(in) :: from(-1:, -1:), wet(-1:, -1:)
    real(real64), intent(out) :: to(:, :)
    type(block_t), intent(in) :: b
    integer :: west, south
    west = b%ni - size(to, 1) + 1
    south = b%nj - size(to, 2) + 1
    to = merge(from(west:b%ni, south:b%nj), fill, wet(west:b%ni, south:b%nj) > 0.0_real64)
  end subroutine masked

end module fields
