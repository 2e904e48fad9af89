!> When a run starts and when a record is closed is said, and how time counts is asked for.
module time_checks
  use, intrinsic :: iso_fortran_env, only: real64
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
  end subroutine say_and_ask_time
end module time_checks
