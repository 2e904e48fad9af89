! Input through Thalweg: each rank gets its piece. Where the wind is, and how often: ocean.yaml. Arguments: input.f90.
submodule(input) input_thalweg
  use, intrinsic :: iso_c_binding, only: c_int64_t
  use fields, only: restart
  use session, only: file, io
  use thalweg

  type(thw_input) :: wind

contains

  module procedure thalweg_mask
    type(thw_input) :: mask
    integer(c_int64_t), allocatable :: shape(:)
    allocate (shape(2))
    call thw_open_input(io, mask, chosen%mask_file)
    call thw_input_variable(mask, "wet", shape=shape)
    allocate (wet(shape(1), shape(2)))
    call thw_get(mask, "wet", wet)
    call thw_close_input(mask)
  end procedure thalweg_mask

  ! Into the arrays that were registered when the restart was defined (output_thalweg.f90).
  module procedure thalweg_restart
    call thw_restore(file(restart), chosen%restart_from, time=time_s)
  end procedure thalweg_restart

  module procedure thalweg_open_wind
    type(thw_decomposition) :: at
    call thw_decompose(io, at, cells%dims, cells%shape, cells%start, cells%count, boxes=cells%boxes, masked=.true.)
    call thw_open_input(io, wind, chosen%wind)
    call thw_declare_input(wind, "taux", trim(cells%dims)//",time", at)
  end procedure thalweg_open_wind

  module procedure thalweg_wind
    call thw_get_at(wind, "taux", time_s, stress)
  end procedure thalweg_wind

end submodule input_thalweg
