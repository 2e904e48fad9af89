! What the model asks of its output, and the two ways that it can be done: by hand, and through Thalweg. Each way is a
! submodule that holds the bodies of the procedures declared here.
module output
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use mpi_f08, only: MPI_Comm, MPI_COMM_NULL
  use fields, only: axis_t, field_t, fields_t, history, position_t, restart, text_t
  use settings, only: settings_t
  implicit none
  private
  public :: start_output, define_output, begin_output, due_output, step_output, finish_output

  type(settings_t) :: chosen

  interface
    ! May set ranks aside: comm is the model's, and afterwards that of the ranks that compute; null on the others.
    module subroutine thalweg_start(comm, config)
      type(MPI_Comm), intent(inout) :: comm
      character(*), intent(in) :: config
    end subroutine thalweg_start
    module subroutine classic_start(comm)
      type(MPI_Comm), intent(in) :: comm
    end subroutine classic_start

    ! Before the initial state is there, so that a restart can be got into the fields.
    module subroutine thalweg_define(f)
      type(fields_t), intent(inout), target :: f
    end subroutine thalweg_define

    ! time_s: model time before the first step.
    module subroutine thalweg_begin(time_s)
      real(real64), intent(in) :: time_s
    end subroutine thalweg_begin
    module subroutine classic_begin(f)
      type(fields_t), intent(in) :: f
    end subroutine classic_begin

    ! Behind the decompositions, in the session.
    module subroutine fields_define(f)
      type(fields_t), intent(in), target :: f
    end subroutine fields_define
    ! Whether a configuration has any of the fields in the coming step.
    module function fields_wanted() result(wanted)
      logical :: wanted
    end function fields_wanted
    module subroutine fields_put()
    end subroutine fields_put

    ! Whether the coming step will want the fields of the history, and those of the restart.
    module function thalweg_due() result(due)
      logical :: due(2)
    end function thalweg_due

    ! The model has finished a step, its time is time_s.
    module subroutine thalweg_step(time_s)
      real(real64), intent(in) :: time_s
    end subroutine thalweg_step
    module subroutine classic_step(f, time_s, due)
      type(fields_t), intent(in) :: f
      real(real64), intent(in) :: time_s
      logical, intent(in) :: due(2)
    end subroutine classic_step

    module subroutine thalweg_finish()
    end subroutine thalweg_finish
    module subroutine classic_finish()
    end subroutine classic_finish
  end interface

contains

  subroutine start_output(comm, settings)
    type(MPI_Comm), intent(inout) :: comm
    type(settings_t), intent(in) :: settings
    chosen = settings
    if (chosen%output == "thalweg") call thalweg_start(comm, chosen%thalweg_config)
    if (chosen%output == "classic") call classic_start(comm)
  end subroutine start_output

  subroutine define_output(f)
    type(fields_t), intent(inout), target :: f
    if (chosen%output == "thalweg") call thalweg_define(f)
  end subroutine define_output

  subroutine begin_output(f, time_s)
    type(fields_t), intent(in) :: f
    real(real64), intent(in) :: time_s
    if (chosen%output == "thalweg") call thalweg_begin(time_s)
    if (chosen%output == "classic") call classic_begin(f)
  end subroutine begin_output

  ! Through Thalweg, its configuration says what is due. Without output the model prepares its fields all the same, so
  ! that the ways can be compared.
  function due_output(step) result(due)
    integer, intent(in) :: step
    logical :: due(2)
    due = mod(step, [chosen%output_every, chosen%restart_every]) == 0
    if (chosen%output == "thalweg") due = thalweg_due()
  end function due_output

  subroutine step_output(f, step, time_s)
    type(fields_t), intent(in) :: f
    integer, intent(in) :: step
    real(real64), intent(in) :: time_s
    if (chosen%output == "thalweg") call thalweg_step(time_s)
    if (chosen%output == "classic") call classic_step(f, time_s, due_output(step))
  end subroutine step_output

  subroutine finish_output()
    if (chosen%output == "thalweg") call thalweg_finish()
    if (chosen%output == "classic") call classic_finish()
  end subroutine finish_output

end module output
