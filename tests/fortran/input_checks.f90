!> What the C side receives of the procedures that read, and what arrays hold behind them.
module input_checks
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use contents_checks, only: ask_what_is_there
  use field_checks, only: define_and_put_fields
  use recorded
  use thalweg
  implicit none

contains

  subroutine read_as_models_do(io, cells, history)
    type(thw_session), intent(in) :: io
    type(thw_decomposition), intent(in) :: cells
    type(thw_collection), intent(in) :: history
    type(thw_input) :: input
    call define_and_put_fields(io, cells)
    call thw_open_input(io, input, "restart.nc ")
    call expect("open_input trims the path", "open_input path='restart.nc'")
    call ask(input)
    call declare(input, cells)
    call get_kinds(input)
    call get_sections(input)
    call get_unusual_arrays(input)
    call report_errors(io, input)
    call thw_close_input(input)
    call thw_close_input(input)
    call expect("close_input clears the handle", "close_input" // newline // "close_input wrong-handle")
    call ask_what_is_there(io)
    call restore_as_models_do(history)
  end subroutine read_as_models_do

  subroutine ask(input)
    type(thw_input), intent(in) :: input
    integer(int64), allocatable :: shape(:)
    logical :: has_records
    logical(int8) :: is_short
    integer :: found
    call check("records", thw_input_records(input) == 3, "")
    call expect("input_records", "input_records")
    call check("records count from 1", thw_input_record_at(input, 3600.0_real64) == 3, "")
    call check("time of any kind", thw_input_record_at(input, 60) == 3, "")
    call expect("input_record_at", "input_record_at time=3600" // newline // "input_record_at time=60")
    has_records = .true.
    allocate (shape(7))
    call thw_input_variable(input, "depth ", found, has_records, shape)
    call expect("input_variable", "input_variable variable='depth'")
    call check("type", found == THW_INT16, decimal(found))
    call check("no records", .not. has_records, "true")
    call check("shape in Fortran's order", size(shape) == 2 .and. all(shape(:2) == [70, 50]), list(int(shape)))
    call thw_input_variable(input, "time", has_records=has_records)
    call thw_input_variable(input, "time", has_records=is_short, shape=shape)
    call check("records", has_records .and. is_short, "false")
    call check("no extents", size(shape) == 0, list(int(shape)))
    call thw_input_variable(input, "time")
    call expect("input_variable, parts", "input_variable variable='time'" // newline // &
                "input_variable variable='time'" // newline // "input_variable variable='time'")
  end subroutine ask

  subroutine declare(input, cells)
    type(thw_input), intent(in) :: input
    type(thw_decomposition), intent(in) :: cells
    call thw_declare_input(input, "temp", "x,y,z,time", cells, memory="x,z,y", periodic="x")
    call expect("declare_input", "declare_input variable='temp' dims='time,z,y,x' decomposition=given " // &
                "memory='y,z,x' periodic='x'")
    call thw_declare_input(input, "temp ", decomposition=cells)
    call thw_declare_input(input, "temp")
    call expect("declare_input, parts", &
                "declare_input variable='temp' dims=null decomposition=given memory=null periodic=null" // newline // &
                "declare_input variable='temp' dims=null decomposition=null memory=null periodic=null")
    call thw_set_missing(input, "temp", -1.5_real32)
    call thw_set_missing(input, "temp", 1e20_real64)
    call thw_set_missing(input, "mask", 7_int8)
    call expect("set_missing", "set_missing variable='temp' value=-1.5" // newline // &
                "set_missing variable='temp' value=1e+20" // newline // "set_missing variable='mask' value=7")
  end subroutine declare

  subroutine get_kinds(input)
    type(thw_input), intent(in) :: input
    integer(int8) :: a = 5_int8
    integer(int16) :: b(2) = [5_int16, 6_int16]
    integer(int32) :: c(2, 1) = reshape([5, 6], [2, 1])
    integer(int64) :: d(1, 2) = reshape([5_int64, 6_int64], [1, 2])
    real(real32) :: e(1, 1, 2) = reshape([5., 6.], [1, 1, 2])
    real(real64) :: f(1, 1, 1, 2) = reshape([5._real64, 6._real64], [1, 1, 1, 2])
    call thw_get(input, "f", a)
    call expect("int8", "get variable='f' record=-1 type=1 rank=0 extent= stride= data: 5")
    call thw_get(input, "f", b, 1)
    call expect("int16", "get variable='f' record=0 type=2 rank=1 extent=2 stride=2 data: 5 6")
    call thw_get(input, "f", c, record=3_int64)
    call expect("int32", "get variable='f' record=2 type=3 rank=2 extent=1,2 stride=8,4 data: 5 6")
    call thw_get(input, "f", d, record=thw_input_records(input))
    call expect("int64", "input_records" // newline // &
                "get variable='f' record=2 type=4 rank=2 extent=2,1 stride=8,8 data: 5 6")
    call thw_get(input, "f ", e, record=0)
    call expect("real32", "get variable='f' record=-1 type=9 rank=3 extent=2,1,1 stride=4,4,4 data: 5 6")
    call thw_get(input, "f", f)
    call expect("real64", "get variable='f' record=-1 type=10 rank=4 extent=2,1,1,1 stride=8,8,8,8 data: 5 6")
    call thw_get(input, "f", f, 2, box=3)
    call expect("a box", "get_box variable='f' record=1 box=2 type=10 rank=4 extent=2,1,1,1 stride=8,8,8,8 data: -5 -6")
    call thw_get(input, "f", f, box=2)
    call expect("fixed", "get_box variable='f' record=-1 box=1 type=10 rank=4 extent=2,1,1,1 stride=8,8,8,8 data: 5 6")
    call thw_get_at(input, "f", 2.5_real64, f)
    call expect("at a time", "get_at variable='f' time=2.5 type=10 rank=4 extent=2,1,1,1 stride=8,8,8,8 data: -5 -6")
    call thw_get_at(input, "f", 7, f)
    call expect("at an integer", "get_at variable='f' time=7 type=10 rank=4 extent=2,1,1,1 stride=8,8,8,8 data: 5 6")
    call thw_get_at(input, "f", 7, f, box=2)
    call expect("a box at a time", &
                "get_box_at variable='f' time=7 box=1 type=10 rank=4 extent=2,1,1,1 stride=8,8,8,8 data: -5 -6")
    call thw_get_at(input, "f", 7, f, box=1)
    call expect("the first box", "get_at variable='f' time=7 type=10 rank=4 extent=2,1,1,1 stride=8,8,8,8 data: 5 6")
    call check("kinds", a == -5 .and. all(b == [-5, -6]) .and. all(c(:, 1) == [-5, -6]) .and. &
               all(d(1, :) == [-5, -6]) .and. all(e(1, 1, :) == [-5, -6]) .and. all(f(1, 1, 1, :) == [-5, -6]), "")
  end subroutine get_kinds

  !> The section alone changes, where it lies.
  subroutine get_sections(input)
    type(thw_input), intent(in) :: input
    real(real64) :: a(4, 6), wanted(4, 6)
    integer :: i
    a = reshape([(real(i, real64), i=1, 24)], [4, 6])
    wanted = a
    call thw_get(input, "f", a(2:3, 3:5), record=1)
    call expect("interior of a halo array", &
                "get variable='f' record=0 type=10 rank=2 extent=3,2 stride=32,8 data: 10 11 14 15 18 19")
    wanted(2:3, 3:5) = -wanted(2:3, 3:5)
    call thw_get(input, "f", a(4:1:-3, 6:1:-5), record=1)
    call expect("negative strides", &
                "get variable='f' record=0 type=10 rank=2 extent=2,2 stride=-160,-24 data: 24 21 4 1")
    wanted(1:4:3, 1:6:5) = -wanted(1:4:3, 1:6:5)
    call get_assumed_shape(input, a(:, 2:2))
    call expect("assumed shape", "get variable='f' record=-1 type=10 rank=2 extent=1,2 stride=32,16 data: 6 8")
    wanted(2:4:2, 2) = -wanted(2:4:2, 2)
    call check("sections alone have changed", all(a == wanted), "")
  end subroutine get_sections

  subroutine get_assumed_shape(input, field)
    type(thw_input), intent(in) :: input
    real(real64), intent(inout) :: field(:, :)
    call thw_get(input, "f", field(2::2, :))
  end subroutine get_assumed_shape

  subroutine get_unusual_arrays(input)
    type(thw_input), intent(in) :: input
    type :: cell
      integer(int32) :: id
      real(real32) :: height
    end type cell
    type(cell) :: column(2) = [cell(7, 0.5), cell(8, 1.5)]
    real(real32), allocatable :: field(:, :)
    character(4) :: names(3) = ["oslo", "rome", "bern"]
    call thw_get(input, "f", column%height)
    call expect("component", "get variable='f' record=-1 type=9 rank=1 extent=2 stride=8 data: 0.5 1.5")
    call check("component alone", all(column%id == [7, 8]) .and. all(column%height == [-0.5, -1.5]), "")
    call thw_get(input, "f", names(3:1:-2))
    call expect("texts", "get variable='f' record=-1 type=11 rank=2 extent=2,4 stride=-8,1 data: b e r n o s l o")
    call check("texts", all(names == ["OSLO", "rome", "BERN"]), names(1) // names(2) // names(3))
    call thw_get(input, "f", field, record=2)
    call expect("not allocated", "get variable='f' record=1 type=9 rank=2 extent=0,0 stride=0,0 data:")
    allocate (field(0, 3))
    call thw_get(input, "f", field, record=2)
    call expect("nothing", "get variable='f' record=1 type=9 rank=2 extent=3,0 stride=0,4 data:")
  end subroutine get_unusual_arrays

  !> The section alone is registered.
  subroutine restore_as_models_do(history)
    type(thw_collection), intent(in) :: history
    real(real64), target :: a(2, 3)
    real(real32), allocatable, target :: none(:)
    real(real64) :: time
    integer :: stat
    character(200) :: text
    a = reshape([1., 2., 3., 4., 5., 6.], [2, 3])
    call thw_register_array(history, "temp ", a(:, 3:2:-1))
    call expect("register_array", &
                "register_array variable='temp' type=10 rank=2 extent=2,2 stride=-16,8 data: 5 6 3 4")
    call check("where it lies", all(a == reshape([1., 2., -3., -4., -5., -6.], [2, 3])), "")
    call thw_register_array(history, "temp", none)
    call expect("register_array, not allocated", &
                "register_array variable='temp' type=9 rank=1 extent=0 stride=0 data:")
    call thw_register_array(history, "temp", a(:, 1), box=3)
    call expect("register_array, a box", "register_box variable='temp' box=2 type=10 rank=1 extent=2 stride=8 data: 1 2")
    call thw_put_arrays(history)
    call expect("put_arrays", "put_arrays")
    time = 0.
    call thw_restore(history, "restart.nc ", record=2, time=time)
    call check("time", time == 3600._real64, "")
    call thw_restore(history)
    call expect("restore", "restore path='restart.nc' record=1" // newline // "restore path=null record=-1")
    call thw_restore(history, record=0, stat=stat, errmsg=text)
    call check("record 0", stat == THW_ERROR_ARGUMENT .and. &
               text == "thw_restore: record is 0, but records count from 1", text)
    call fake_fail(THW_ERROR_FORMAT)
    call thw_restore(history, stat=stat)
    call check("restore fails", stat == THW_ERROR_FORMAT, decimal(stat))
    call expect("the core was called once", "restore path=null record=-1")
  end subroutine restore_as_models_do

  subroutine report_errors(io, input)
    type(thw_session), intent(in) :: io
    type(thw_input), intent(in) :: input
    type(thw_input) :: other
    type(thw_decomposition) :: undeclared
    integer(int64), allocatable :: shape(:)
    integer(int64) :: records
    integer :: stat
    character(200) :: text
    complex :: c(2)
    call fake_fail(THW_ERROR_STORAGE)
    call thw_open_input(io, other, "none.nc", stat, text)
    call check("open_input", stat == THW_ERROR_STORAGE .and. text == "the core failed with code 8", text)
    call fake_fail(THW_ERROR_STATE)
    records = thw_input_records(input, stat, text)
    call check("input_records", stat == THW_ERROR_STATE .and. text == "the core failed with code 5", text)
    call fake_fail(THW_ERROR_NAME)
    call thw_input_variable(input, "f", shape=shape, stat=stat)
    call check("input_variable", stat == THW_ERROR_NAME .and. .not. allocated(shape), decimal(stat))
    call fake_fail(THW_ERROR_NAME)
    records = thw_input_record_at(input, 60, stat, text)
    call check("input_record_at", stat == THW_ERROR_NAME .and. records == 0, text)
    call fake_fail(THW_ERROR_FORMAT)
    call thw_get(input, "f", records, stat=stat, errmsg=text)
    call check("get", stat == THW_ERROR_FORMAT .and. text == "the core failed with code 11", text)
    call expect("errors of the core", "open_input path='none.nc'" // newline // "input_records" // newline // &
                "input_variable variable='f'" // newline // "input_record_at time=60" // newline // &
                "get variable='f' record=-1 type=4 rank=0 extent= stride= data: 0")
    call thw_get(input, "f", c, stat=stat, errmsg=text)
    call check("complex field", stat == THW_ERROR_ARGUMENT .and. index(text, "thw_get of 'f': field has") == 1, text)
    call thw_get(input, "f", records, record=1.5, stat=stat, errmsg=text)
    call check("real record", stat == THW_ERROR_ARGUMENT .and. &
               text == "thw_get of 'f': record is not an integer of 1, 2, 4 or 8 bytes", text)
    call thw_declare_input(input, "f", decomposition=undeclared, stat=stat, errmsg=text)
    call check("undeclared decomposition", stat == THW_ERROR_ARGUMENT .and. &
               index(text, "call thw_decompose before") > 0, text)
    call thw_set_missing(input, "f", [1., 2.], stat, text)
    call check("two values", stat == THW_ERROR_ARGUMENT .and. &
               text == "thw_set_missing of 'f': value must be a scalar", text)
    call expect("the core was not called", "")
  end subroutine report_errors
end module input_checks
