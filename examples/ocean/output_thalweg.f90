! Output through Thalweg: each rank puts its piece and goes on. Files, format and frequency are in ocean.yaml.
module output_thalweg
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use mpi_f08, only: MPI_Comm
  use thalweg
  use decomposition, only: block_t
  use fields, only: field_t, fields_t
  use output, only: model_source, model_title, output_t
  use settings, only: settings_t
  use state, only: fill
  implicit none
  private
  public :: output_thalweg_t

  type, extends(output_t) :: output_thalweg_t
    type(thw_session) :: io
    type(thw_collection) :: history, restart
  contains
    procedure :: start, define, due, finish
    procedure :: step => put_step
  end type output_thalweg_t

contains

  subroutine start(out, world, chosen, comm, computes)
    class(output_thalweg_t), intent(inout) :: out
    type(MPI_Comm), intent(in) :: world
    type(settings_t), intent(in) :: chosen
    type(MPI_Comm), intent(out) :: comm
    logical, intent(out) :: computes
    call thw_start(out%io, world, chosen%thalweg_config)
    computes = thw_is_client(out%io)
    if (computes) call thw_model_comm(out%io, comm)
  end subroutine start

  subroutine define(out, f, b, time_s)
    class(output_thalweg_t), intent(inout) :: out
    type(fields_t), intent(in) :: f
    type(block_t), intent(in) :: b
    real(real64), intent(in) :: time_s
    type(thw_decomposition) :: at(4)
    integer :: p, n
    do p = 1, 4
      associate (position => f%position(p))
        call thw_decompose(out%io, at(p), position%dims, position%shape, position%start, position%count, &
          boxes=merge(0, 1, b%idle), masked=.true.)
      end associate
    end do
    call thw_open_collection(out%io, out%history, "history")
    call thw_open_collection(out%io, out%restart, "restart")
    call define_file(out%history, f, f%history, at, THW_REAL32)
    call define_file(out%restart, f, f%restart, at, THW_REAL64)
    call thw_set_time(out%io, time_s)
    call thw_ready(out%io)
    do n = 1, size(f%axis)
      call thw_put(out%history, f%axis(n)%name, f%axis(n)%values)
      call thw_put(out%restart, f%axis(n)%name, f%axis(n)%values)
    end do
  end subroutine define

  subroutine define_file(file, f, table, at, kind)
    type(thw_collection), intent(inout) :: file
    type(fields_t), intent(in) :: f
    type(field_t), intent(in) :: table(:)
    type(thw_decomposition), intent(in) :: at(:)
    integer, intent(in) :: kind
    character(:), allocatable :: dims
    integer :: n
    call thw_define_text(file, "Conventions", "CF-1.8")
    call thw_define_text(file, "title", model_title)
    call thw_define_text(file, "source", model_source)
    do n = 1, size(f%axis)
      associate (axis => f%axis(n))
        call thw_define_dimension(file, axis%name, size(axis%values))
        call thw_define_variable(file, axis%name, axis%name, THW_REAL64, units=axis%units, long_name=axis%long_name, &
          standard_name=axis%standard_name)
        call thw_define_text(file, "axis", axis%axis, axis%name)
        if (axis%axis == "Z") call thw_define_text(file, "positive", "down", axis%name)
      end associate
    end do
    do n = 1, size(table)
      associate (field => table(n))
        dims = trim(f%position(field%position)%dims)//",time"
        if (.not. field%flat) dims = trim(f%position(field%position)%dims)//",depth,time"
        call thw_define_variable(file, field%name, dims, kind, at(field%position), units=field%units, &
          long_name=field%long_name, standard_name=field%standard_name)
        if (kind == THW_REAL32) call thw_define_attribute(file, "_FillValue", real(fill, real32), field%name)
        if (kind == THW_REAL64) call thw_define_attribute(file, "_FillValue", fill, field%name)
      end associate
    end do
  end subroutine define_file

  subroutine due(out, step, history, restart)
    class(output_thalweg_t), intent(in) :: out
    integer, intent(in) :: step
    logical, intent(out) :: history, restart
    history = thw_is_due(out%history)
    restart = thw_is_due(out%restart)
  end subroutine due

  subroutine put_step(out, f, step, time_s)
    class(output_thalweg_t), intent(inout) :: out
    type(fields_t), intent(in) :: f
    integer, intent(in) :: step
    real(real64), intent(in) :: time_s
    if (thw_is_due(out%history)) call put_all(out%history, f%history)
    if (thw_is_due(out%restart)) call put_all(out%restart, f%restart)
    call thw_advance(out%io, time_s)
  end subroutine put_step

  subroutine put_all(file, table)
    type(thw_collection), intent(in) :: file
    type(field_t), intent(in) :: table(:)
    integer :: n
    do n = 1, size(table)
      if (table(n)%flat) call thw_put(file, table(n)%name, table(n)%values(:, :, 1))
      if (.not. table(n)%flat) call thw_put(file, table(n)%name, table(n)%values)
    end do
  end subroutine put_all

  subroutine finish(out)
    class(output_thalweg_t), intent(inout) :: out
    call thw_finish(out%io)
  end subroutine finish

end module output_thalweg
