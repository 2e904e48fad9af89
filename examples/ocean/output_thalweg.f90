! Output through Thalweg: each rank puts its pieces and goes on. Files and frequency: ocean.yaml. Arguments: output.f90.
submodule(output) output_thalweg
  use session, only: at, file, io
  use thalweg

  integer, parameter :: kind_of(2) = [THW_REAL32, THW_REAL64]

contains

  module procedure thalweg_start
    call thw_start(io, comm, config)
    comm = MPI_COMM_NULL
    if (thw_is_client(io)) call thw_model_comm(io, comm)
  end procedure thalweg_start

  module procedure thalweg_define
    integer :: n
    do n = 1, 4
      call thw_decompose(io, at(n), f%position(n)%dims, f%position(n)%shape, f%position(n)%start, &
        f%position(n)%count, boxes=f%position(n)%boxes, masked=.true.)
    end do
    call thw_open_collection(io, file(1), "history")
    call thw_open_collection(io, file(2), "restart")
    do n = 1, size(f%axis)
      call thw_define_dimension(file(f%axis(n)%file), f%axis(n)%name, size(f%axis(n)%values))
      call thw_define_variable(file(f%axis(n)%file), f%axis(n)%name, f%axis(n)%name, THW_REAL64)
      call thw_register_array(file(f%axis(n)%file), f%axis(n)%name, f%axis(n)%values)
    end do
    do n = 1, size(f%field)
      associate (field => f%field(n), to => file(f%field(n)%file))
        call thw_define_variable(to, field%name, field%dims, kind_of(field%file), at(field%position))
        if (field%flat) call thw_register_array(to, field%name, field%values(:, :, 1))
        if (.not. field%flat) call thw_register_array(to, field%name, field%values)
      end associate
    end do
    do n = 1, size(f%text)
      call thw_define_text(file(f%text(n)%file), f%text(n)%name, f%text(n)%text, f%text(n)%variable)
    end do
    call fields_define(f)
  end procedure thalweg_define

  module procedure thalweg_begin
    call thw_set_time(io, time_s)
  end procedure thalweg_begin

  module procedure thalweg_due
    due = [logical :: thw_is_due(file(1)) .or. fields_wanted(), thw_is_due(file(2))]
  end procedure thalweg_due

  module procedure thalweg_step
    call thw_put_arrays(file(1))
    call thw_put_arrays(file(2))
    call fields_put()
    call thw_advance(io, time_s)
  end procedure thalweg_step

  module procedure thalweg_finish
    call thw_finish(io)
  end procedure thalweg_finish

end submodule output_thalweg
