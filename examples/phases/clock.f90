! The driver's clock.
module clock
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  private
  public :: clock_t

  type :: clock_t
    real(real64) :: time_s = 0.0, step_s = 3600.0, stop_s = 12 * 3600.0
  contains
    procedure :: is_at_end
    procedure :: tick
  end type clock_t

contains

  logical function is_at_end(self)
    class(clock_t), intent(in) :: self
    is_at_end = self%time_s >= self%stop_s
  end function is_at_end

  subroutine tick(self)
    class(clock_t), intent(inout) :: self
    self%time_s = self%time_s + self%step_s
  end subroutine tick

end module clock
