!> What the C side receives of the procedures of fields.
module field_checks
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use recorded
  use thalweg
  implicit none

contains

  subroutine define_and_put_fields(io, cells)
    type(thw_session), intent(in) :: io
    type(thw_decomposition), intent(in) :: cells
    type(thw_field) :: temp, lon
    character(80) :: text
    integer :: stat
    integer, target :: values(4) = [1, 2, 3, 4]
    call thw_define_field_dimension(io, "z ", 5_int64)
    call expect("a dimension of fields", "define_field_dimension name='z' size=5")
    call thw_define_field(io, temp, "ocean/temp", "x,y,z", THW_REAL32, cells, "z,x,y")
    call expect("a field", "define_field name='ocean/temp' dims='z,y,x' type=9 decomposed memory='y,x,z' static=0")
    call thw_define_field(io, lon, "lon", "x", THW_REAL64, is_static=.true.)
    call expect("a static field", "define_field name='lon' dims='x' type=10 memory=null static=1")
    call thw_define_field_text(temp, "units", "degC ")
    call expect("a text of a field", "define_field_text name='units' text='degC'")
    call thw_define_field_attribute(temp, "valid_range", [1, 2])
    call expect("numbers of a field", "define_field_attribute name='valid_range' type=3 rank=1 extent=2 stride=null data: 1 2")
    call thw_put_field(temp, values)
    call expect("a put of a field", "put_field box=0 type=3 rank=1 extent=4 stride=4 data: 1 2 3 4")
    call thw_put_field(temp, values(::2), box=2)
    call expect("a put of a box", "put_field box=1 type=3 rank=1 extent=2 stride=8 data: 1 3")
    call thw_put_field_on(temp, values(:2), weight=0.5, mask=[.true., .false.])
    call expect("a put on terms", "put_field_on box=0 weight=0.5 type=3 rank=1 extent=2 stride=4 data: 1 2 mask type=3 " // &
                "rank=1 extent=2 stride=4 data: 1 0")
    call thw_put_field_on(temp, reshape(values, [2, 2]), start=[3, 1])
    call expect("a put of a part", "put_field_on box=0 start=0,2 type=3 rank=2 extent=2,2 stride=8,4 data: 1 2 3 4")
    call thw_put_field_on(temp, values(:2), mask=[1.0, 0.0, 1.0], stat=stat, errmsg=text)
    call check("a mask of another shape", stat == THW_ERROR_SHAPE .and. index(text, "mask has not the shape") > 0, text)
    call thw_step(io, 60)
    call expect("the end of a step", "step end=60")
    call thw_checkpoint(io)
    call expect("a checkpoint", "checkpoint")
    call check("a field that is wanted", logical(thw_is_wanted(temp)), "false")
    call check("and not now", .not. logical(thw_is_wanted_now(temp)), "true")
    call expect("is_wanted", "is_wanted" // newline // "is_wanted_now")
  end subroutine define_and_put_fields
end module field_checks
