! The files that the model offers: their axes, fields and attributes, and where the values are. All ways of output work
! from these tables, in which every entry says which file it belongs to. Land holds the fill value.
module fields
  use, intrinsic :: iso_fortran_env, only: real64
  use decomposition, only: block_t
  use dynamics, only: vorticity
  use grid, only: grid_t
  use settings, only: settings_t
  use state, only: fill, h_, salt, state_t, temp, u_, v_
  implicit none
  private
  public :: field_t, position_t, axis_t, text_t, fields_t, make_fields, update_history, update_restart, &
    take_restart

  integer, parameter, public :: history = 1, restart = 2  ! numbers of the files

  ! Where on the C-grid: the axes, their extents, and the part of them that this rank owns.
  type :: position_t
    character(16) :: dims = ""
    integer :: shape(2) = 0, start(2) = 1, count(2) = 0
    integer :: boxes = 1  ! 0: this rank owns nothing
  end type position_t

  type :: axis_t
    integer :: file = 0
    character(8) :: name = "", axis = ""
    character(16) :: units = "", standard_name = ""
    character(48) :: long_name = ""
    real(real64), allocatable :: values(:)
  end type axis_t

  type :: field_t
    integer :: file = 0
    character(16) :: name = "", units = ""
    character(48) :: standard_name = "", long_name = ""
    integer :: position = 1
    real(real64), pointer :: values(:, :, :) => null()  ! (i, j, level), what this rank owns; one level: a flat field
    logical :: flat = .true.
    character(24) :: dims = ""
  end type field_t

  ! An attribute of a variable, or of the file where variable is blank.
  type :: text_t
    integer :: file = 0
    character(16) :: variable = ""
    character(16) :: name = ""
    character(72) :: text = ""
  end type text_t

  integer, parameter, public :: centre = 1
  integer, parameter :: face_u = 2, face_v = 3, corner = 4

  type :: fields_t
    type(position_t) :: position(4)
    type(axis_t), allocatable :: axis(:)
    type(field_t), allocatable :: field(:)
    type(text_t), allocatable :: text(:)
    ! Two-dimensional fields as they are written: at their positions, with fill on land.
    real(real64), pointer, private :: ssh(:, :, :), surface_u(:, :, :), surface_v(:, :, :), zeta(:, :, :)
    real(real64), pointer, private :: h(:, :, :), u(:, :, :), v(:, :, :)
  end type fields_t

contains

  subroutine make_fields(f, s, g, b)
    type(fields_t), intent(out) :: f
    type(state_t), intent(in), target :: s
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    integer :: n
    call make_positions(f, g, b)
    f%axis = [make_axes(history, g, s%depth), make_axes(restart, g, s%depth)]
    call allocate_fields(f, b)
    call list_fields(f, s%tracer(1:b%ni, 1:b%nj, :, temp), s%tracer(1:b%ni, 1:b%nj, :, salt))
    f%text = [texts_of_file(history), texts_of_file(restart), (texts_of_axis(f%axis(n)), n=1, size(f%axis)), &
      (texts_of_field(f%field(n)), n=1, size(f%field))]
  end subroutine make_fields

  ! The block at the western (southern) edge of the grid owns the faces and corners of that edge too.
  subroutine make_positions(f, g, b)
    type(fields_t), intent(inout) :: f
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    integer :: west, south
    west = merge(1, 0, b%is == 1 .and. .not. b%idle)
    south = merge(1, 0, b%js == 1 .and. .not. b%idle)
    f%position(centre) = position_t("lon,lat", [g%nx, g%ny], [b%is, b%js], [b%ni, b%nj])
    f%position(face_u) = position_t("lon_u,lat", [g%nx + 1, g%ny], [b%is + 1 - west, b%js], [b%ni + west, b%nj])
    f%position(face_v) = position_t("lon,lat_v", [g%nx, g%ny + 1], [b%is, b%js + 1 - south], [b%ni, b%nj + south])
    f%position(corner) = position_t("lon_u,lat_v", [g%nx + 1, g%ny + 1], [b%is + 1 - west, b%js + 1 - south], &
      [b%ni + west, b%nj + south])
    f%position%boxes = merge(0, 1, b%idle)
  end subroutine make_positions

  function make_axes(file, g, depth) result(axes)
    integer, intent(in) :: file
    type(grid_t), intent(in) :: g
    real(real64), intent(in) :: depth(:)
    type(axis_t) :: axes(5)
    axes = [ &
      axis_t(file, "lon", "X", "degrees_east", "longitude", "longitude of cell centres", g%lon), &
      axis_t(file, "lat", "Y", "degrees_north", "latitude", "latitude of cell centres", g%lat), &
      axis_t(file, "lon_u", "X", "degrees_east", "longitude", "longitude of eastern faces and corners", g%lon_u), &
      axis_t(file, "lat_v", "Y", "degrees_north", "latitude", "latitude of northern faces and corners", g%lat_v), &
      axis_t(file, "depth", "Z", "m", "depth", "depth of level middles in the layer at rest", depth)]
  end function make_axes

  subroutine allocate_fields(f, b)
    type(fields_t), intent(inout) :: f
    type(block_t), intent(in) :: b
    integer :: west, south
    west = b%ni + 1 - f%position(corner)%count(1)
    south = b%nj + 1 - f%position(corner)%count(2)
    allocate (f%ssh(b%ni, b%nj, 1), f%h(b%ni, b%nj, 1), source=fill)
    allocate (f%surface_u(west:b%ni, b%nj, 1), f%u(west:b%ni, b%nj, 1), source=fill)
    allocate (f%surface_v(b%ni, south:b%nj, 1), f%v(b%ni, south:b%nj, 1), source=fill)
    allocate (f%zeta(west:b%ni, south:b%nj, 1), source=fill)
  end subroutine allocate_fields

  subroutine list_fields(f, t, c)
    type(fields_t), intent(inout) :: f
    real(real64), intent(in), target :: t(:, :, :), c(:, :, :)
    integer :: n
    f%field = [ &
      field_t(history, "ssh", "m", "sea_surface_height_above_geoid", "sea surface height", centre, f%ssh), &
      field_t(history, "u", "m s-1", "sea_water_x_velocity", "eastward velocity at the surface", face_u, f%surface_u), &
      field_t(history, "v", "m s-1", "sea_water_y_velocity", "northward velocity at the surface", &
        face_v, f%surface_v), &
      field_t(history, "vorticity", "s-1", "ocean_relative_vorticity", "relative vorticity of the layer", &
        corner, f%zeta), &
      field_t(history, "temp", "degC", "sea_water_potential_temperature", "potential temperature", &
        centre, t, .false.), &
      field_t(history, "salt", "g kg-1", "sea_water_absolute_salinity", "salinity", centre, c, .false.), &
      field_t(restart, "h", "m", "cell_thickness", "thickness of the active layer", centre, f%h), &
      field_t(restart, "u", "m s-1", "sea_water_x_velocity", "eastward velocity, mean of the layer", face_u, f%u), &
      field_t(restart, "v", "m s-1", "sea_water_y_velocity", "northward velocity, mean of the layer", face_v, f%v), &
      field_t(restart, "temp", "degC", "sea_water_potential_temperature", "potential temperature", &
        centre, t, .false.), &
      field_t(restart, "salt", "g kg-1", "sea_water_absolute_salinity", "salinity", centre, c, .false.)]
    do n = 1, size(f%field)
      f%field(n)%dims = trim(f%position(f%field(n)%position)%dims)//",depth,time"
      if (f%field(n)%flat) f%field(n)%dims = trim(f%position(f%field(n)%position)%dims)//",time"
    end do
  end subroutine list_fields

  pure function texts_of_file(file) result(texts)
    integer, intent(in) :: file
    type(text_t) :: texts(3)
    texts = [ &
      text_t(file, "", "Conventions", "CF-1.8"), &
      text_t(file, "", "title", "Rotating shallow water of the world ocean with temperature and salinity"), &
      text_t(file, "", "source", "Thalweg's example ocean")]
  end function texts_of_file

  pure function texts_of_axis(axis) result(texts)
    type(axis_t), intent(in) :: axis
    type(text_t), allocatable :: texts(:)
    texts = [ &
      text_t(axis%file, axis%name, "units", axis%units), &
      text_t(axis%file, axis%name, "long_name", axis%long_name), &
      text_t(axis%file, axis%name, "standard_name", axis%standard_name), &
      text_t(axis%file, axis%name, "axis", axis%axis)]
    if (axis%axis == "Z") texts = [texts, text_t(axis%file, axis%name, "positive", "down")]
  end function texts_of_axis

  pure function texts_of_field(field) result(texts)
    type(field_t), intent(in) :: field
    type(text_t) :: texts(3)
    texts = [ &
      text_t(field%file, field%name, "units", field%units), &
      text_t(field%file, field%name, "long_name", field%long_name), &
      text_t(field%file, field%name, "standard_name", field%standard_name)]
  end function texts_of_field

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

  ! The state as the fields of a restart have it, without its halos. Tracers need nothing: their fields are the state's.
  subroutine take_restart(f, s, b)
    type(fields_t), intent(in) :: f
    type(state_t), intent(inout) :: s
    type(block_t), intent(in) :: b
    call unmasked(f%h(:, :, 1), s%wet, s%flow(:, :, h_), b)
    call unmasked(f%u(:, :, 1), s%wet_u, s%flow(:, :, u_), b)
    call unmasked(f%v(:, :, 1), s%wet_v, s%flow(:, :, v_), b)
  end subroutine take_restart

  ! Faces of the edges of the grid are left out: the state does not have them.
  subroutine unmasked(from, wet, to, b)
    real(real64), intent(in) :: from(:, :), wet(-1:, -1:)
    real(real64), intent(inout) :: to(-1:, -1:)
    type(block_t), intent(in) :: b
    integer :: west, south
    west = size(from, 1) - b%ni + 1
    south = size(from, 2) - b%nj + 1
    to(1:b%ni, 1:b%nj) = merge(from(west:, south:), 0.0_real64, wet(1:b%ni, 1:b%nj) > 0.0_real64)
  end subroutine unmasked

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
