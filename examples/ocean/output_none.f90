! No output: the model prepares its fields all the same, so that the other ways can be compared with this one.
module output_none
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08, only: MPI_Comm
  use decomposition, only: block_t
  use fields, only: fields_t
  use output, only: output_t
  use settings, only: settings_t
  implicit none
  private
  public :: output_none_t

  type, extends(output_t) :: output_none_t
    integer :: every = 1, restart_every = 1
  contains
    procedure :: start, define, due, finish
    procedure :: step => write_step
  end type output_none_t

contains

  subroutine start(out, world, chosen, comm, computes)
    class(output_none_t), intent(inout) :: out
    type(MPI_Comm), intent(in) :: world
    type(settings_t), intent(in) :: chosen
    type(MPI_Comm), intent(out) :: comm
    logical, intent(out) :: computes
    out%every = chosen%output_every
    out%restart_every = chosen%restart_every
    comm = world
    computes = .true.
  end subroutine start

  subroutine define(out, f, b, time_s)
    class(output_none_t), intent(inout) :: out
    type(fields_t), intent(in) :: f
    type(block_t), intent(in) :: b
    real(real64), intent(in) :: time_s
  end subroutine define

  subroutine due(out, step, history, restart)
    class(output_none_t), intent(in) :: out
    integer, intent(in) :: step
    logical, intent(out) :: history, restart
    history = mod(step, out%every) == 0
    restart = mod(step, out%restart_every) == 0
  end subroutine due

  subroutine write_step(out, f, step, time_s)
    class(output_none_t), intent(inout) :: out
    type(fields_t), intent(in) :: f
    integer, intent(in) :: step
    real(real64), intent(in) :: time_s
  end subroutine write_step

  subroutine finish(out)
    class(output_none_t), intent(inout) :: out
  end subroutine finish

end module output_none
