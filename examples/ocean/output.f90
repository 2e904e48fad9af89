! What the model asks of a way of output. It never asks which one it has.
module output
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08, only: MPI_Comm
  use decomposition, only: block_t
  use fields, only: fields_t
  use settings, only: settings_t
  implicit none
  private
  public :: output_t, model_title, model_source

  character(*), parameter :: model_title = "Rotating shallow water of the world ocean with temperature and salinity"
  character(*), parameter :: model_source = "Thalweg's example ocean"

  type, abstract :: output_t
  contains
    procedure(start_i), deferred :: start
    procedure(define_i), deferred :: define
    procedure(due_i), deferred :: due
    procedure(step_i), deferred :: step
    procedure(finish_i), deferred :: finish
  end type output_t

  abstract interface
    ! May set ranks aside: comm is for those that compute.
    subroutine start_i(out, world, chosen, comm, computes)
      import :: output_t, MPI_Comm, settings_t
      class(output_t), intent(inout) :: out
      type(MPI_Comm), intent(in) :: world
      type(settings_t), intent(in) :: chosen
      type(MPI_Comm), intent(out) :: comm
      logical, intent(out) :: computes
    end subroutine start_i
    ! time_s: model time before the first step.
    subroutine define_i(out, f, b, time_s)
      import :: output_t, fields_t, block_t, real64
      class(output_t), intent(inout) :: out
      type(fields_t), intent(in) :: f
      type(block_t), intent(in) :: b
      real(real64), intent(in) :: time_s
    end subroutine define_i
    ! Whether the coming call of step will write a record of the history, and of the restart.
    subroutine due_i(out, step, history, restart)
      import :: output_t
      class(output_t), intent(in) :: out
      integer, intent(in) :: step
      logical, intent(out) :: history, restart
    end subroutine due_i
    ! The model has finished this step, its time is time_s.
    subroutine step_i(out, f, step, time_s)
      import :: output_t, fields_t, real64
      class(output_t), intent(inout) :: out
      type(fields_t), intent(in) :: f
      integer, intent(in) :: step
      real(real64), intent(in) :: time_s
    end subroutine step_i
    subroutine finish_i(out)
      import :: output_t
      class(output_t), intent(inout) :: out
    end subroutine finish_i
  end interface

end module output
