!> When a run starts and when a record is closed is said, and how time counts is asked for. Communicators of module mpi.
module time_checks
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use mpi
  use nf90_checks, only: call_as_netcdf
  use recorded
  use thalweg
  implicit none

contains

  subroutine say_and_ask_time(io, history)
    type(thw_session), intent(in) :: io
    type(thw_collection), intent(in) :: history
    character(40) :: units, text
    character(8) :: calendar
    integer :: stat
    call thw_set_time(io, 3600.0_real64)
    call expect("set_time", "set_time time=3600")
    call thw_time_units(io, units, calendar)
    call expect("time_units", "time_units")
    call check("units", units == "seconds since 2000-01-01 00:00:00", units)
    call check("calendar", calendar == "noleap", calendar)
    call thw_time_units(io, calendar, stat=stat, errmsg=text)
    call expect("time_units without room", "time_units")
    call check("units without room", stat == THW_ERROR_ARGUMENT, text)
    call thw_record(history, 1800.0_real64)
    call expect("record", "record time=1800")
    call thw_record(history, 2000.5_real32)
    call expect("record at a short real", "record time=2000.5")
    call thw_advance(io, 3600)
    call expect("advance to a whole time", "advance time=3600")
    call thw_advance(io, [1.0, 2.0], stat=stat, errmsg=text)
    call check("advance to two times", stat == THW_ERROR_ARGUMENT, text)
    call thw_close_file(history)
    call expect("close_file", "close_file")
    call start_with_mpi()
    call call_as_netcdf(io)
  end subroutine say_and_ask_time

  subroutine start_with_mpi()
    type(thw_session) :: io
    integer :: comm, ranks, ierr
    call thw_start(io, MPI_COMM_SELF, "ocean.yaml")
    call expect("start with an integer", "start config='ocean.yaml' ranks=1")
    call thw_start_text(io, MPI_COMM_SELF, "a: 1", "test")
    call expect("start_text with an integer", "start_text yaml='a: 1' origin='test' ranks=1")
    call thw_serve(MPI_COMM_SELF)
    call expect("serve with an integer", "serve config=null ranks=1")
    call thw_model_comm(io, comm)
    call expect("model_comm with an integer", "model_comm")
    call MPI_Comm_size(comm, ranks, ierr)
    call check("model_comm is a communicator of module mpi", ranks == 1, "")
  end subroutine start_with_mpi
end module time_checks
