! An ocean model in small: rotating shallow water with temperature and salinity on the real coastline.
!   mpiexec -n 4 ocean [ocean.nml]
program ocean
  use, intrinsic :: iso_fortran_env, only: int8, real64
  use mpi_f08
  use decomposition, only: block_t, make_block
  use dynamics, only: dynamics_t, make_dynamics, set_stress, stability, step_flow
  use fields, only: centre, fields_t, history, make_fields, restart, take_restart, update_history, update_restart
  use grid, only: grid_t, make_grid
  use halo, only: exchange
  use initial, only: start_analytic
  use input, only: open_wind, read_mask, read_restart, read_wind, start_input
  use output, only: begin_output, define_output, due_output, finish_output, start_output, step_output
  use report, only: cpu_s, now_s, ocean_volume, timing_t, tracer_content, write_report
  use settings, only: read_settings, settings_t, stop_model
  use state, only: h_, make_state, salt, state_t, temp
  use tracers, only: step_tracers
  implicit none

  type(settings_t) :: chosen
  type(MPI_Comm) :: comm
  type(timing_t) :: timing
  integer :: provided

  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided)
  chosen = read_settings(namelist_path())
  timing%started = now_s()
  timing%cpu_started = cpu_s()
  comm = MPI_COMM_WORLD
  call start_output(comm, chosen)
  call start_input(chosen)
  if (comm /= MPI_COMM_NULL) then
    call run()
  else
    call finish_output()
  end if
  call MPI_Finalize()

contains

  function namelist_path() result(path)
    character(256) :: path
    path = "ocean.nml"
    if (command_argument_count() > 0) call get_command_argument(1, path)
  end function namelist_path

  subroutine run()
    type(MPI_Comm) :: own
    type(grid_t) :: g
    type(block_t) :: b
    type(state_t), target :: s
    type(dynamics_t) :: d
    type(fields_t), target :: f
    integer(int8), allocatable :: wet(:, :)
    real(real64), allocatable :: h_before(:, :)
    real(real64) :: time_s, volume(2), defining(2)
    integer :: step
    call read_mask(wet, timing%reading)
    g = make_grid(wet, chosen)
    call MPI_Comm_dup(comm, own)  ! The output may free its own when it ends.
    b = make_block(g, chosen, own)
    s = make_state(g, b, chosen)
    d = make_dynamics(g, b, s, chosen)
    call make_fields(f, s, g, b)
    defining = [now_s(), cpu_s()]
    call define_output(f)
    defining = [now_s(), cpu_s()] - defining
    call start_state(s, f, g, b, time_s)
    if (chosen%wind /= "") call open_wind(f%position(centre), b%comm)
    h_before = s%flow(:, :, h_)
    volume(1) = ocean_volume(s, g, b)
    call announce(s, g, b)

    timing%started = now_s() - defining(1)  ! as if the initial state had taken no time
    timing%cpu_started = cpu_s() - defining(2)
    allocate (timing%stall(chosen%steps), timing%with_restart(chosen%steps))
    call begin_output(f, time_s)
    timing%loop_started = now_s()
    do step = 1, chosen%steps
      if (chosen%wind /= "") call blow(time_s + 0.5_real64 * chosen%dt_s, d, b)
      time_s = time_s + chosen%dt_s
      if (.not. b%idle) call step_model(step, s, d, g, b, h_before)
      call write_output(step, time_s, f, s, g, b)
    end do
    timing%loop_ended = now_s()
    call finish_output()
    call MPI_Barrier(b%comm)
    volume(2) = ocean_volume(s, g, b)
    call write_report(chosen%report_file, b, timing, volume)
    call say_totals("end  ", s, g, b)
    if (b%rank == 0) print "(a, es9.2)", "relative change of volume:", (volume(2) - volume(1)) / volume(1)
  end subroutine run

  subroutine start_state(s, f, g, b, time_s)
    type(state_t), intent(inout) :: s
    type(fields_t), intent(inout) :: f
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    real(real64), intent(out) :: time_s
    time_s = 0.0
    if (chosen%restart_from /= "") then
      call read_restart(f, time_s, timing%reading)
      if (b%idle) return
      call take_restart(f, s, b)
      call exchange(b, 3, s%flow)
      call exchange(b, 2 * size(s%depth), s%tracer)
    else if (.not. b%idle) then
      call start_analytic(s, g, b, chosen)
    end if
  end subroutine start_state

  ! The wind in the middle of a step. All ranks ask for it, also those that compute nothing.
  subroutine blow(time_s, d, b)
    real(real64), intent(in) :: time_s
    type(dynamics_t), intent(inout) :: d
    type(block_t), intent(in) :: b
    real(real64) :: tau(b%ni, b%nj)
    call read_wind(time_s, tau, timing%reading)
    call set_stress(d, tau)
  end subroutine blow

  subroutine announce(s, g, b)
    type(state_t), intent(in) :: s
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    if (b%rank == 0) print "(2(i0, a), 3(i0, a), i0)", g%nx, " x ", g%ny, " cells in ", b%px, " x ", b%py, &
      " blocks, of which ", b%px * b%py - b%used, " are all land; idle ranks: ", b%ranks - b%used
    call say_totals("start", s, g, b)
    call check_stability(s, g, b)
  end subroutine announce

  subroutine say_totals(when, s, g, b)
    character(*), intent(in) :: when
    type(state_t), intent(in) :: s
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    real(real64) :: volume, heat, salinity
    volume = ocean_volume(s, g, b)
    heat = tracer_content(s, g, b, temp)
    salinity = tracer_content(s, g, b, salt)
    if (b%rank == 0) print "(2a, es24.17, 2(a, es24.17))", when, ": volume", volume, " m3, mean temperature", &
      heat / volume, " degC, mean salinity", salinity / volume
  end subroutine say_totals

  subroutine step_model(step, s, d, g, b, h_before)
    integer, intent(in) :: step
    type(state_t), intent(inout) :: s
    type(dynamics_t), intent(inout) :: d
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    real(real64), intent(inout) :: h_before(:, :)
    call step_flow(d, s, g, b, chosen)
    if (mod(step, chosen%tracer_every) /= 0) return
    call step_tracers(s, d, g, b, chosen, h_before)
    h_before = s%flow(:, :, h_)
    d%volume_x = 0.0
    d%volume_y = 0.0
  end subroutine step_model

  ! The stall of a record counts from when all ranks have come to it, so that it is not theirs that others wait for.
  subroutine write_output(step, time_s, f, s, g, b)
    integer, intent(in) :: step
    real(real64), intent(in) :: time_s
    type(fields_t), intent(inout) :: f
    type(state_t), intent(in) :: s
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    logical :: due(2)
    real(real64) :: before_s
    due = due_output(step)
    if (due(history)) call update_history(f, s, g, b, chosen)
    if (due(restart)) call update_restart(f, s, b)
    if (any(due)) then
      call check_stability(s, g, b)
      call MPI_Barrier(b%comm)
    end if
    before_s = now_s()
    call step_output(f, step, time_s)
    if (.not. any(due)) return
    timing%records = timing%records + 1
    timing%stall(timing%records) = now_s() - before_s
    timing%with_restart(timing%records) = due(restart)
  end subroutine write_output

  subroutine check_stability(s, g, b)
    type(state_t), intent(in) :: s
    type(grid_t), intent(in) :: g
    type(block_t), intent(in) :: b
    real(real64), parameter :: limit = 1.73
    real(real64) :: value
    character(160) :: text
    if (b%idle) return
    if (any(s%wet(1:b%ni, 1:b%nj) > 0.0 .and. .not. s%flow(1:b%ni, 1:b%nj, h_) > 1.0)) &
      call stop_model("the active layer is thinner than 1 m somewhere: make depth_m greater, or eddies or dt_s smaller")
    value = stability(s, g, b, chosen)
    if (value < limit) return
    write (text, "(a, f0.2, a, f0.0, a)") "omega dt of the fastest waves is ", value, &
      " but must stay below 1.73: make dt_s (", chosen%dt_s, " s) or latitude_limit smaller"
    call stop_model(trim(text))
  end subroutine check_stability

end program ocean
