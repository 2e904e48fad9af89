! Output through Thalweg, called as AsyncIO is: each array is sent from where it is at hand, scalar or array of up to
! three dimensions, integer, real or double, and queued; the application says when to flush. The session is the
! module's, so that no call has to hand a communicator down.
module async_output
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use mpi_f08, only: MPI_Comm, MPI_COMM_NULL, MPI_COMM_WORLD
  use thalweg
  use cloud_model
  use pauses, only: advance, flush, pauses_t
  implicit none
  private
  public :: close_async, open_async, send_dynamics, send_microphysics, start_async, wait_async

  type(thw_session) :: io
  type(thw_collection) :: at(files)
  integer(int64) :: queued_bytes = 0   ! by all ranks since the last flush
  integer(int64) :: queue_bytes = 0    ! flush when so many are queued

contains

  ! The communicator of the model; on ranks that are servers, which come back when all is written, MPI_COMM_NULL.
  function start_async(config) result(comm)
    character(*), intent(in) :: config
    type(MPI_Comm) :: comm
    call thw_start(io, MPI_COMM_WORLD, config)
    comm = MPI_COMM_NULL
    if (thw_is_client(io)) call thw_model_comm(io, comm)
  end function start_async

  subroutine open_async(m, flush_mib)
    type(model_t), intent(in) :: m
    integer, intent(in) :: flush_mib
    type(thw_decomposition) :: plane
    integer :: file
    queue_bytes = flush_mib * 1024_int64**2
    call thw_decompose(io, plane, "x,y", [m%nx, m%ny], m%own%first, m%own%cells, boxes=m%own%boxes)
    do file = 1, files
      call thw_open_collection(io, at(file), file_name(file))
      if (any(file == [microphysics, dynamics, profiles])) call thw_define_dimension(at(file), "z", m%nz)
    end do
    call define(microphysics, "x,y,z,time", ["cloud_type"], THW_INT32, plane)
    call define(microphysics, "x,y,z,time", species, THW_REAL32, plane)
    call define(surface, "x,y,time", ["wet_steps"], THW_INT32, plane)
    call define(surface, "x,y,time", ["rainfall"], THW_REAL32, plane)
    call define(surface, "x,y,time", ["heat_flux"], THW_REAL64, plane)
    call define(dynamics, "x,y,z,time", ["level_type"], THW_INT32, plane)
    call define(dynamics, "x,y,z,time", winds, THW_REAL64, plane)
    call define(profiles, "z,time", ["cloudy_cells"], THW_INT32)
    call define(profiles, "z,time", ["humidity"], THW_REAL32)
    call define(profiles, "z,time", ["mean_theta"], THW_REAL64)
    call define(scalars, "time", ["storms"], THW_INT32)
    call define(scalars, "time", ["largest_wind"], THW_REAL32)
    call define(scalars, "time", ["energy"], THW_REAL64)
    call thw_ready(io)
  end subroutine open_async

  subroutine define(file, dims, names, kind, plane)
    integer, intent(in) :: file, kind
    character(*), intent(in) :: dims, names(:)
    type(thw_decomposition), intent(in), optional :: plane
    integer :: n
    do n = 1, size(names)
      call thw_define_variable(at(file), names(n), dims, kind, plane)
    end do
  end subroutine define

  subroutine send_microphysics(m, p)
    type(model_t), intent(in) :: m
    type(pauses_t), intent(inout) :: p
    integer :: n
    call p%begin()
    call thw_put(at(microphysics), "cloud_type", m%cloud_type)
    do n = 1, size(species)
      call thw_put(at(microphysics), species(n), m%water(:, :, :, n))
    end do
    call p%end_of(microphysics)
    call thw_put(at(surface), "wet_steps", m%wet_steps)
    call thw_put(at(surface), "rainfall", m%rainfall)
    call thw_put(at(surface), "heat_flux", m%heat_flux)
    call p%end_of(surface)
    call flush_if_enough(bytes_of(m, microphysics) + bytes_of(m, surface))
    call p%end_of(flush)
  end subroutine send_microphysics

  ! The last group of an output.
  subroutine send_dynamics(m, p, time_s)
    type(model_t), intent(in) :: m
    type(pauses_t), intent(inout) :: p
    real(real64), intent(in) :: time_s
    integer :: n
    call p%begin()
    call thw_put(at(dynamics), "level_type", m%level_type)
    do n = 1, size(winds)
      call thw_put(at(dynamics), winds(n), m%flow(:, :, :, n))
    end do
    call p%end_of(dynamics)
    call thw_put(at(profiles), "cloudy_cells", m%cloudy_cells)
    call thw_put(at(profiles), "humidity", m%humidity)
    call thw_put(at(profiles), "mean_theta", m%mean_theta)
    call p%end_of(profiles)
    call thw_put(at(scalars), "storms", m%storms)
    call thw_put(at(scalars), "largest_wind", m%largest_wind)
    call thw_put(at(scalars), "energy", m%energy)
    call p%end_of(scalars)
    ! The record of each file is complete.
    call thw_advance(io, time_s)
    call p%end_of(advance)
    call flush_if_enough(bytes_of(m, dynamics) + bytes_of(m, profiles) + bytes_of(m, scalars))
    call p%end_of(flush)
  end subroutine send_dynamics

  ! The application's own policy.
  subroutine flush_if_enough(bytes)
    integer(int64), intent(in) :: bytes
    queued_bytes = queued_bytes + bytes
    if (queued_bytes < queue_bytes) return
    queued_bytes = 0
    call thw_flush(io)
  end subroutine flush_if_enough

  ! Returns when all that was sent is written. Collective.
  subroutine wait_async()
    call thw_wait(io)
  end subroutine wait_async

  ! Of all ranks, those that served too.
  subroutine close_async()
    call thw_finish(io)
  end subroutine close_async

end module async_output
