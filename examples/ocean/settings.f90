! The namelist of the model: what it says, its defaults, and what is refused.
module settings
  use, intrinsic :: iso_fortran_env, only: error_unit, real64
  use mpi_f08
  implicit none
  private
  public :: settings_t, read_settings, stop_model

  type :: settings_t
    character(256) :: mask_file = "mask_1deg.nc"
    integer :: levels = 8
    integer :: px = 0, py = 0                   ! blocks along x and y; 0, 0: chosen
    real(real64) :: latitude_limit = 80.0       ! degrees; rows poleward of it are closed
    real(real64) :: dt_s = 1200.0               ! step of the dynamics
    integer :: tracer_every = 4                 ! steps of the dynamics in one of the tracers
    integer :: steps = 48                       ! steps of the dynamics
    real(real64) :: depth_m = 500.0             ! thickness of the active layer at rest
    real(real64) :: reduced_gravity = 0.03      ! m s-2
    real(real64) :: viscosity = 1000.0          ! m2 s-1, lateral
    real(real64) :: drag = 1.0e-7               ! s-1, linear
    real(real64) :: wind_stress = 0.12          ! N m-2, amplitude of the steady wind
    real(real64) :: relaxation_days = 30.0      ! of the surface level to climatology; 0: none
    integer :: eddies = 1500                    ! in the initial state
    character(256) :: wind = ""                 ! file of the wind, through Thalweg its name there; empty: steady
    character(16) :: output = "none"            ! none | classic | thalweg
    character(16) :: format = "cdf5"            ! of the classic output: cdf5 | netcdf4
    character(256) :: history_file = "history.nc", restart_file = "restart.nc"
    integer :: output_every = 12                ! steps between records of the history
    integer :: restart_every = 0                ! steps between restarts; 0: one at the end
    character(256) :: restart_from = ""         ! file to start from; empty: the analytic initial state
    character(256) :: thalweg_config = "ocean.yaml"
    character(256) :: report_file = ""          ! JSON with the times of the run; empty: none
  end type settings_t

contains

  ! Every rank reads the namelist itself: it is small, and no communicator is needed for it.
  function read_settings(path) result(chosen)
    character(*), intent(in) :: path
    type(settings_t) :: chosen
    character(256) :: mask_file, wind, history_file, restart_file, restart_from, thalweg_config, report_file, message
    character(16) :: output, format
    integer :: levels, px, py, tracer_every, steps, eddies, output_every, restart_every, unit, stat
    real(real64) :: latitude_limit, dt_s, depth_m, reduced_gravity, viscosity, drag, wind_stress, relaxation_days
    namelist /grid/ mask_file, levels, px, py, latitude_limit
    namelist /physics/ dt_s, tracer_every, steps, depth_m, reduced_gravity, viscosity, drag, wind_stress, &
      relaxation_days, eddies, wind
    namelist /files/ output, format, history_file, restart_file, output_every, restart_every, restart_from, &
      thalweg_config, report_file

    mask_file = chosen%mask_file; levels = chosen%levels; px = chosen%px; py = chosen%py
    latitude_limit = chosen%latitude_limit; dt_s = chosen%dt_s; tracer_every = chosen%tracer_every
    steps = chosen%steps; depth_m = chosen%depth_m; reduced_gravity = chosen%reduced_gravity
    viscosity = chosen%viscosity; drag = chosen%drag; wind_stress = chosen%wind_stress
    relaxation_days = chosen%relaxation_days; eddies = chosen%eddies; wind = chosen%wind; output = chosen%output
    format = chosen%format; history_file = chosen%history_file; restart_file = chosen%restart_file
    output_every = chosen%output_every; restart_every = chosen%restart_every; restart_from = chosen%restart_from
    thalweg_config = chosen%thalweg_config; report_file = chosen%report_file

    open (newunit=unit, file=path, status="old", action="read", iostat=stat, iomsg=message)
    if (stat == 0) read (unit, nml=grid, iostat=stat, iomsg=message)
    if (stat == 0) read (unit, nml=physics, iostat=stat, iomsg=message)
    if (stat == 0) read (unit, nml=files, iostat=stat, iomsg=message)
    if (stat /= 0) call stop_model("namelist "//trim(path)//": "//trim(message))
    close (unit)

    chosen = settings_t(mask_file, levels, px, py, latitude_limit, dt_s, tracer_every, steps, depth_m, &
      reduced_gravity, viscosity, drag, wind_stress, relaxation_days, eddies, wind, output, format, history_file, &
      restart_file, output_every, restart_every, restart_from, thalweg_config, report_file)
    call check(chosen, trim(path))
  end function read_settings

  subroutine check(chosen, path)
    type(settings_t), intent(inout) :: chosen
    character(*), intent(in) :: path
    if (chosen%restart_every == 0) chosen%restart_every = chosen%steps
    if (chosen%levels < 1) call stop_model(path//": levels must be at least 1")
    if (chosen%dt_s <= 0.0 .or. chosen%steps < 1) call stop_model(path//": dt_s and steps must be positive")
    if ((chosen%px == 0) .neqv. (chosen%py == 0)) call stop_model(path//": give both px and py, or neither")
    if (mod(chosen%output_every, chosen%tracer_every) /= 0 .or. mod(chosen%restart_every, chosen%tracer_every) /= 0 &
      .or. mod(chosen%steps, chosen%tracer_every) /= 0) &
      call stop_model(path//": steps, output_every and restart_every must be multiples of tracer_every")
    if (all(chosen%output /= [character(16) :: "none", "classic", "thalweg"])) &
      call stop_model(path//": output = '"//trim(chosen%output)//"' is not one of none, classic, thalweg")
    if (all(chosen%format /= [character(16) :: "cdf5", "netcdf4"])) &
      call stop_model(path//": format = '"//trim(chosen%format)//"' is not one of cdf5, netcdf4")
  end subroutine check

  ! Ends the whole run with a message; any rank may call it.
  subroutine stop_model(text)
    character(*), intent(in) :: text
    write (error_unit, "(2a)") "ocean: ", text
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine stop_model

end module settings
