!> What the C side receives of the procedures that ask what is in an input, and what they give.
module contents_checks
  use, intrinsic :: iso_fortran_env, only: int8, int16, int64, real32, real64
  use recorded
  use thalweg
  implicit none

contains

  subroutine ask_what_is_there(io)
    type(thw_session), intent(in) :: io
    type(thw_input) :: input
    call thw_open_input(io, input, "restart.nc")
    call expect("open_input", "open_input path='restart.nc'")
    call ask_names(input)
    call ask_attributes(input)
    call ask_numbers(input)
    call refuse_attributes(input)
    call report_errors(input)
    call thw_close_input(input)
    call expect("close_input", "close_input")
  end subroutine ask_what_is_there

  subroutine ask_names(input)
    type(thw_input), intent(in) :: input
    character(8) :: name
    character(12) :: dims
    character(3) :: short
    character(200) :: text
    integer :: stat
    call check("variables", thw_input_variables(input) == 2, "")
    call thw_input_variable_name(input, 2_int64, name)
    call check("name", name == "depth", name)
    call thw_input_variable_name(input, 2, short, stat, text)
    call check("no room", stat == THW_ERROR_ARGUMENT .and. index(text, "'depth' has 5 characters") > 0, text)
    call thw_input_variable_name(input, 0, name)
    call expect("names", "input_variables" // newline // "input_variable_name number=1" // newline // &
                "input_variable_name number=1" // newline // "input_variable_name number=-1")
    call thw_input_dimensions(input, "temp ", dims)
    call check("dimensions in Fortran's order", dims == "lon,lat,time", dims)
    call thw_input_dimensions(input, "temp", name, stat, text)
    call check("no room for dimensions", stat == THW_ERROR_ARGUMENT .and. &
               index(text, "thw_input_dimensions of 'temp': 'lon,lat,time' has 12") == 1, text)
    call expect("dimensions", "input_dimensions variable='temp'" // newline // "input_dimensions variable='temp'")
    call thw_select_input(input, "temp ", "lon=-30:40, z[2] ")
    call thw_select_input(input, "temp")
    call expect("select_input", "select_input variable='temp' selection='lon=-30:40, z[2]'" // newline // &
                "select_input variable='temp' selection=null")
  end subroutine ask_names

  subroutine ask_attributes(input)
    type(thw_input), intent(in) :: input
    character(8) :: name
    integer :: found, count
    call check("attributes", thw_input_attributes(input) == 2 .and. thw_input_attributes(input, "temp ") == 2, "")
    call thw_input_attribute_name(input, 2, name, "temp")
    call check("attribute's name", name == "range", name)
    call thw_input_attribute_name(input, 1, name)
    call check("file's attribute", name == "units", name)
    call expect("attributes", "input_attributes variable=null" // newline // "input_attributes variable='temp'" // &
                newline // "input_attribute_name variable='temp' number=1" // newline // &
                "input_attribute_name variable=null number=0")
    call thw_input_attribute(input, "units ", name, "temp ", found, count)
    call check("text", name == "degC" .and. found == THW_CHAR .and. count == 4, name)
    call thw_input_attribute(input, "range", type=found, count=count)
    call check("what it is", found == THW_INT16 .and. count == 2, decimal(count))
    call expect("attribute", "input_attribute variable='temp' name='units'" // newline // &
                "input_attribute variable=null name='range'")
  end subroutine ask_attributes

  subroutine ask_numbers(input)
    type(thw_input), intent(in) :: input
    real(real64), allocatable :: times(:)
    real(real64) :: scale, offset, reals(3), largest
    real(real32) :: singles(4)
    integer(int64) :: wide(2)
    integer(int16) :: narrow(2)
    integer :: whole(4)
    logical :: is_packed
    call thw_input_packing(input, "temp", is_packed, scale, offset)
    call thw_input_packing(input, "temp ")
    call check("packing", is_packed .and. scale == 0.5_real64 .and. offset == -3._real64, "")
    reals = 9
    singles = 9
    whole = 9
    call thw_input_attribute(input, "range", reals)
    call thw_input_attribute(input, "range", singles(4:1:-3))
    call thw_input_attribute(input, "range", wide)
    call thw_input_attribute(input, "range", narrow)
    call thw_input_attribute(input, "range", whole(1:4:2))
    call thw_input_attribute(input, "large", largest)
    call check("reals", all(reals == [-300, 7, 9]) .and. all(singles == [7, 9, 9, -300]), "")
    call check("integers", all(wide == [-300, 7]) .and. all(narrow == [-300, 7]) .and. all(whole == [-300, 9, 7, 9]), "")
    call check("large", largest == 2._real64**63, "")
    call thw_input_times(input, times)
    call thw_input_times(input, times)
    call check("times", size(times) == 3 .and. all(times == [0, 3600, 7200]), "")
    call forget()
  end subroutine ask_numbers

  subroutine refuse_attributes(input)
    type(thw_input), intent(in) :: input
    character(200) :: text
    character(2) :: short
    integer(int8) :: bytes(2)
    integer(int64) :: number
    integer :: stat, numbers(2), one
    call thw_input_attribute(input, "units", numbers, stat=stat, errmsg=text)
    call check("numbers for a text", stat == THW_ERROR_ARGUMENT .and. &
               text == "thw_input_attribute of 'units': the attribute is a text, and values are numbers", text)
    call thw_input_attribute(input, "range", short, stat=stat, errmsg=text)
    call check("a text for numbers", stat == THW_ERROR_ARGUMENT .and. &
               index(text, "the attribute is numbers, and values are a text") > 0, text)
    call thw_input_attribute(input, "units", short, stat=stat, errmsg=text)
    call check("short text", stat == THW_ERROR_ARGUMENT .and. &
               index(text, "has 4 characters, and the text that is given room for 2") > 0, text)
    call thw_input_attribute(input, "range", one, stat=stat, errmsg=text)
    call check("one of two", stat == THW_ERROR_ARGUMENT .and. index(text, "has 2 values") > 0, text)
    call thw_input_attribute(input, "range", bytes, stat=stat, errmsg=text)
    call check("bytes", stat == THW_ERROR_ARGUMENT .and. index(text, "-300 is none that values of 1 bytes") > 0, text)
    call thw_input_attribute(input, "half", one, stat=stat, errmsg=text)
    call check("half", stat == THW_ERROR_ARGUMENT .and. index(text, "0.5 is none") > 0, text)
    call thw_input_attribute(input, "large", number, stat=stat, errmsg=text)
    call check("large", stat == THW_ERROR_ARGUMENT .and. index(text, "none that values of 8 bytes") > 0, text)
    call forget()
  end subroutine refuse_attributes

  subroutine report_errors(input)
    type(thw_input), intent(in) :: input
    real(real64), allocatable :: times(:)
    character(200) :: text
    character(8) :: name
    integer :: stat
    name = "before"
    call fake_fail(THW_ERROR_NAME)
    call thw_input_dimensions(input, "temp", name, stat, text)
    call check("dimensions", stat == THW_ERROR_NAME .and. text == "the core failed with code 3" .and. name == "before", &
               text)
    call fake_fail(THW_ERROR_NAME)
    call thw_input_attribute(input, "units", name, stat=stat)
    call check("attribute", stat == THW_ERROR_NAME .and. name == "before", name)
    call fake_fail(THW_ERROR_FORMAT)
    call thw_input_times(input, times, stat)
    call check("times", stat == THW_ERROR_FORMAT .and. .not. allocated(times), decimal(stat))
    call fake_fail(THW_ERROR_ARGUMENT)
    call thw_select_input(input, "temp", "z", stat)
    call check("select_input", stat == THW_ERROR_ARGUMENT, decimal(stat))
    call forget()
  end subroutine report_errors
end module contents_checks
