! A mini-app in the manner of AsyncIO's: a model of clouds whose microphysics and dynamics each write their arrays to
! files of their own, every so many steps. It runs with the output that a model writes by hand ("original") and with
! Thalweg, and shows how long both kept it from computing. README.md says more.
!   mpiexec -n 4 asyncio_demo [--nx 128] [--ny 128] [--nz 41] [--steps 100] [--every 20] [--work 4] [--flush-mib 0]
!                             [--output both | original | thalweg] [--config FILE]
program asyncio_demo
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use async_output
  use cloud_model, only: make_model, model_t, start_fields, step_dynamics, step_microphysics, step_s
  use command_line, only: count_option, stop_run, text_option
  use original_output
  use pauses, only: async, make_pauses, original, pauses_t, show_pauses, ways
  implicit none
  integer :: nx, ny, nz, steps, every, work, flush_mib
  logical :: runs(ways)
  type(MPI_Comm) :: comm

  call MPI_Init()
  call read_options()
  comm = start_async(text_option("config", "asyncio_demo.yaml"))
  if (comm /= MPI_COMM_NULL) call run_model()
  call close_async()
  call MPI_Finalize()

contains

  subroutine read_options()
    character(:), allocatable :: output
    nx = count_option("nx", 128, least=1)
    ny = count_option("ny", 128, least=1)
    nz = count_option("nz", 41, least=1)
    steps = count_option("steps", 100, least=1)
    every = count_option("every", 20, least=1)
    work = count_option("work", 4, least=0)
    flush_mib = count_option("flush-mib", 0, least=0)
    output = text_option("output", "both")
    if (all(output /= [character(8) :: "both", "original", "thalweg"])) &
      call stop_run("--output '"//output//"' is none of both, original, thalweg")
    runs(original) = output /= "thalweg"
    runs(async) = output /= "original"
    if (every > steps) call stop_run("--every is greater than --steps: nothing would be written")
  end subroutine read_options

  ! Thalweg first: it leaves no data behind in the page cache that would burden the other.
  subroutine run_model()
    type(model_t) :: m
    type(pauses_t) :: p
    real(real64) :: ended_s
    m = make_model(comm, nx, ny, nz, work)
    p = make_pauses(steps / every)
    if (runs(async)) then
      call open_async(m, flush_mib)
      call run(m, p, async)
      ended_s = MPI_Wtime()
      call wait_async()
      p%drain_s = MPI_Wtime() - ended_s
    end if
    if (runs(original)) then
      call open_original(m)
      call run(m, p, original)
      call close_original(m)
    end if
    call show_pauses(p, m, runs)
  end subroutine run_model

  subroutine run(m, p, way)
    type(model_t), intent(inout) :: m
    type(pauses_t), intent(inout) :: p
    integer, intent(in) :: way
    logical :: is_due
    real(real64) :: began_s
    integer :: step
    p%way = way
    p%output = 0
    call start_fields(m)
    call MPI_Barrier(comm)
    began_s = MPI_Wtime()
    do step = 1, steps
      is_due = mod(step, every) == 0
      if (is_due) p%output = p%output + 1
      call step_microphysics(m)
      if (is_due) call write_microphysics(m, p, step * step_s)
      call step_dynamics(m)
      if (is_due) call write_dynamics(m, p, step * step_s)
    end do
    p%loop_s(way) = MPI_Wtime() - began_s
  end subroutine run

  ! A pause counts from when all ranks have come to it, so that it is not theirs that others wait for.
  subroutine write_microphysics(m, p, time_s)
    type(model_t), intent(in) :: m
    type(pauses_t), intent(inout) :: p
    real(real64), intent(in) :: time_s
    call MPI_Barrier(comm)
    if (p%way == original) call original_microphysics(m, p, time_s)
    if (p%way == async) call send_microphysics(m, p)
  end subroutine write_microphysics

  subroutine write_dynamics(m, p, time_s)
    type(model_t), intent(in) :: m
    type(pauses_t), intent(inout) :: p
    real(real64), intent(in) :: time_s
    call MPI_Barrier(comm)
    if (p%way == original) call original_dynamics(m, p, time_s)
    if (p%way == async) call send_dynamics(m, p, time_s)
  end subroutine write_dynamics

end program asyncio_demo
