! What the model asks of its input, and the two ways that it can be done: by hand, and through Thalweg. Each way is a
! submodule that holds the bodies of the procedures declared here.
module input
  use, intrinsic :: iso_fortran_env, only: int8, real64
  use mpi_f08, only: MPI_Comm
  use fields, only: fields_t, position_t
  use report, only: now_s, reading_t
  use settings, only: settings_t
  implicit none
  private
  public :: start_input, read_mask, read_restart, open_wind, read_wind

  type(settings_t) :: chosen

  interface
    ! 1 = ocean; all of it, on every rank.
    module subroutine thalweg_mask(wet)
      integer(int8), allocatable, intent(out) :: wet(:, :)
    end subroutine thalweg_mask
    module subroutine classic_mask(wet)
      integer(int8), allocatable, intent(out) :: wet(:, :)
    end subroutine classic_mask

    ! What this rank owns of the fields of the restart, whatever wrote it on however many ranks: its last record.
    module subroutine thalweg_restart(time_s)
      real(real64), intent(out) :: time_s
    end subroutine thalweg_restart
    module subroutine classic_restart(f, time_s)
      type(fields_t), intent(inout) :: f
      real(real64), intent(out) :: time_s
    end subroutine classic_restart

    ! Afterwards the stress of the wind can be got on the eastern faces of the cells that this rank owns.
    module subroutine thalweg_open_wind(cells)
      type(position_t), intent(in) :: cells
    end subroutine thalweg_open_wind
    module subroutine classic_open_wind(cells, comm)
      type(position_t), intent(in) :: cells
      type(MPI_Comm), intent(in) :: comm
    end subroutine classic_open_wind

    ! Between two records of the file it is linear in time. Every rank calls it, also one that owns nothing.
    module subroutine thalweg_wind(time_s, stress)
      real(real64), intent(in) :: time_s
      real(real64), intent(inout) :: stress(:, :)
    end subroutine thalweg_wind
    module subroutine classic_wind(time_s, stress)
      real(real64), intent(in) :: time_s
      real(real64), intent(inout) :: stress(:, :)
    end subroutine classic_wind
  end interface

contains

  subroutine start_input(settings)
    type(settings_t), intent(in) :: settings
    chosen = settings
  end subroutine start_input

  ! A model whose output is not Thalweg's reads by hand, too.
  logical function is_by_hand()
    is_by_hand = chosen%output /= "thalweg"
  end function is_by_hand

  subroutine read_mask(wet, waited)
    integer(int8), allocatable, intent(out) :: wet(:, :)
    type(reading_t), intent(inout) :: waited
    real(real64) :: before_s
    before_s = now_s()
    if (is_by_hand()) then
      call classic_mask(wet)
    else
      call thalweg_mask(wet)
    end if
    waited%mask_s = now_s() - before_s
  end subroutine read_mask

  subroutine read_restart(f, time_s, waited)
    type(fields_t), intent(inout) :: f
    real(real64), intent(out) :: time_s
    type(reading_t), intent(inout) :: waited
    real(real64) :: before_s
    before_s = now_s()
    if (is_by_hand()) then
      call classic_restart(f, time_s)
    else
      call thalweg_restart(time_s)
    end if
    waited%restart_s = now_s() - before_s
  end subroutine read_restart

  subroutine open_wind(cells, comm)
    type(position_t), intent(in) :: cells
    type(MPI_Comm), intent(in) :: comm
    if (is_by_hand()) then
      call classic_open_wind(cells, comm)
    else
      call thalweg_open_wind(cells)
    end if
  end subroutine open_wind

  subroutine read_wind(time_s, stress, waited)
    real(real64), intent(in) :: time_s
    real(real64), intent(inout) :: stress(:, :)
    type(reading_t), intent(inout) :: waited
    real(real64) :: before_s, took_s
    before_s = now_s()
    if (is_by_hand()) then
      call classic_wind(time_s, stress)
    else
      call thalweg_wind(time_s, stress)
    end if
    took_s = now_s() - before_s
    if (waited%winds == 0) waited%first_wind_s = took_s
    if (waited%winds > 0) waited%longest_wind_s = max(waited%longest_wind_s, took_s)
    waited%wind_s = waited%wind_s + took_s
    waited%winds = waited%winds + 1
  end subroutine read_wind

end module input
