!> What the C side receives from each procedure of module thalweg: order, kinds, strides, starts, optional arguments.
!> Linked with fake_core.c in place of the library. With the argument "abort" it makes an error without stat.
program interface_test
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use mpi_f08
  use thalweg
  use input_checks, only: read_as_models_do
  use recorded
  use recording_writer, only: keep_block, kept
  use time_checks, only: say_and_ask_time
  implicit none
  integer :: number
  integer, parameter :: values(24) = [(number, number=1, 24)]
  type(thw_session) :: io
  type(thw_decomposition) :: cells, undeclared
  type(thw_collection) :: history
  character(8) :: mode

  call MPI_Init()
  call start_session()
  call get_command_argument(1, mode)
  if (mode == "abort") then
    call fake_fail(THW_ERROR_STORAGE)
    call thw_flush(io)
    stop "an error without stat did not end the program"
  end if
  call declare_decompositions()
  call declare_index_lists()
  call declare_variables()
  call put_kinds_and_ranks()
  call put_sections()
  call put_unusual_arrays()
  call step()
  call set_procedure()
  call read_as_models_do(io, cells, history)
  call report_errors()
  call refuse_arguments()
  call finish_session()
  call MPI_Finalize()
  write (*, '(i0,a,i0,a)') checks, " checks, ", failures, " failed"
  if (failures > 0) error stop 1

contains
  subroutine start_session()
    type(MPI_Comm) :: comm
    integer :: ranks
    character(20) :: version
    call thw_start(io, MPI_COMM_SELF)
    call expect("start without config", "start config=null ranks=1")
    call thw_start(io, MPI_COMM_SELF, "ocean.yaml  ")
    call expect("start trims the path", "start config='ocean.yaml' ranks=1")
    call thw_start_text(io, MPI_COMM_SELF, "writers: sync")
    call expect("start_text without origin", "start_text yaml='writers: sync' origin=null ranks=1")
    call thw_start_text(io, MPI_COMM_SELF, "a: 1", origin="test")
    call expect("start_text with origin", "start_text yaml='a: 1' origin='test' ranks=1")
    call thw_serve(MPI_COMM_SELF)
    call expect("serve without config", "serve config=null ranks=1")
    call thw_serve(MPI_COMM_SELF, "ocean.yaml ")
    call expect("serve trims the path", "serve config='ocean.yaml' ranks=1")
    if (.not. thw_is_client(io)) call check("is_client is true", .false., "false")
    call expect("is_client", "is_client")
    call thw_model_comm(io, comm)
    call expect("model_comm", "model_comm")
    call MPI_Comm_size(comm, ranks)
    call check("model_comm is a communicator", ranks == 1, "")
    call thw_version(version)
    call check("version is padded", version == "1.2.3", version)
  end subroutine start_session

  subroutine declare_decompositions()
    integer(int64) :: shape(2) = [100_int64, 50_int64]
    integer(int16) :: starts(3, 2) = reshape([integer(int16) :: 1, 2, 3, 4, 5, 6], [3, 2])
    integer :: table(4, 3)
    call thw_decompose(io, cells, "x,y", shape=[100, 50], start=[11, 1], count=[10, 50])
    call expect("box", "decompose dims='y,x' shape=50,100 boxes=1 start=0,10 count=50,10 low=null high=null masked=0")
    call thw_decompose(io, cells, "x,y", shape, [11_int8, 1_int8], [300_int16, 50_int16], halo=[2, 1], masked=.true.)
    call expect("mixed kinds, halo, masked", &
                "decompose dims='y,x' shape=50,100 boxes=1 start=0,10 count=50,300 low=1,2 high=1,2 masked=1")
    call thw_decompose(io, cells, "x,y", shape, [1, 1], [1, 1], halo_low=[1, 2], halo_high=[3, 4], masked=.false.)
    call expect("two-sided halo", &
                "decompose dims='y,x' shape=50,100 boxes=1 start=0,0 count=1,1 low=2,1 high=4,3 masked=0")
    call thw_decompose(io, cells, "x, y ,tile", [10, 10, 6], starts, starts)
    call expect("several boxes", "decompose dims='tile, y ,x' shape=6,10,10 boxes=2 start=2,1,0,5,4,3 " // &
                "count=3,2,1,6,5,4 low=null high=null masked=0")
    call thw_decompose(io, cells, "x,y,tile", [10, 10, 6], starts, starts, boxes=1)
    call expect("fewer boxes than columns", &
                "decompose dims='tile,y,x' shape=6,10,10 boxes=1 start=2,1,0 count=3,2,1 low=null high=null masked=0")
    call thw_decompose(io, cells, "x,y", [10, 10], [0, 0], [0, 0], boxes=0)
    call expect("no box", "decompose dims='y,x' shape=10,10 boxes=0 start= count= low=null high=null masked=0")
    call thw_decompose(io, cells, "x,y", [10, 10], [integer ::], [integer ::], boxes=0)
    call expect("no box, empty arrays", &
                "decompose dims='y,x' shape=10,10 boxes=0 start= count= low=null high=null masked=0")
    table = reshape([1, 0, 3, 0, 0, 0, 0, 0, 5, 0, 7, 0], [4, 3])
    call thw_decompose(io, cells, "x,y", [10, 10], table(1:3:2, 3:1:-2), table(1:3:2, 1:3:2))
    call expect("sections of tables", &
                "decompose dims='y,x' shape=10,10 boxes=2 start=6,4,2,0 count=3,1,7,5 low=null high=null masked=0")
    call thw_decompose(io, cells, "cell", [10], [3], [4])
    call expect("one dimension", "decompose dims='cell' shape=10 boxes=1 start=2 count=4 low=null high=null masked=0")
  end subroutine declare_decompositions

  subroutine declare_index_lists()
    integer(int64) :: wide(4) = [40_int64, 1_int64, 0_int64, 7_int64]
    integer(int32) :: table(2, 3) = reshape([9_int32, -1_int32, 8_int32, -2_int32, -3_int32, -4_int32], [2, 3])
    call thw_decompose_indices(io, cells, "cell", 50, [3, 1, 2])
    call expect("index list", "decompose_indices dim='cell' size=50 index=2,0,1 masked=0")
    call thw_decompose_indices(io, cells, "cell ", 50_int64, wide, masked=.true.)
    call expect("64-bit index list", "decompose_indices dim='cell' size=50 index=39,0,-1,6 masked=1")
    call thw_decompose_indices(io, cells, "cell", 50, table(1, :), .false.)
    call expect("section of an index table", "decompose_indices dim='cell' size=50 index=8,7,-1 masked=0")
    call thw_decompose_indices(io, cells, "cell", 50, [integer ::])
    call expect("empty index list", "decompose_indices dim='cell' size=50 index= masked=0")
    call thw_decompose_points(io, cells, "lon,lat", [10, 6], [3, 0, 60], masked=.true.)
    call expect("list of two dimensions", "decompose_points dims='lat,lon' shape=6,10 index=2,-1,59 masked=1")
  end subroutine declare_index_lists

  subroutine declare_variables()
    call thw_open_collection(io, history, "history")
    call expect("open_collection", "open_collection name='history'")
    call thw_open_collection_text(io, history, "history", "{every: 2 steps} ")
    call expect("open_collection_text", "open_collection_text name='history' yaml='{every: 2 steps}'")
    call thw_define_dimension(history, "z", 40)
    call expect("define_dimension", "define_dimension name='z' size=40")
    call thw_define_dimension(history, "z", 5000000000_int64)
    call expect("define_dimension with a large size", "define_dimension name='z' size=5000000000")
    call thw_define_variable(history, "temp", "x,y,z,time", THW_REAL32, cells, units="degC", long_name="temperature ")
    call expect("define_variable", &
                "define_variable name='temp' dims='time,z,y,x' type=9 decomposition=given memory=null" // newline // &
                "define_text variable='temp' name='units' text='degC'" // &
                newline // "define_text variable='temp' name='long_name' text='temperature'")
    call thw_define_variable(history, "z", "z", THW_REAL64)
    call expect("replicated variable", "define_variable name='z' dims='z' type=10 decomposition=null memory=null")
    call thw_define_variable(history, "u", "x,y,z", THW_INT16, cells, "x,z,y", standard_name="sea_water_x_velocity")
    call expect("memory order", "define_variable name='u' dims='z,y,x' type=2 decomposition=given memory='y,z,x'" // &
                newline // "define_text variable='u' name='standard_name' text='sea_water_x_velocity'")
    call thw_define_text(history, "cell_methods", "time: mean", "temp")
    call expect("text of a variable", "define_text variable='temp' name='cell_methods' text='time: mean'")
    call thw_define_text(history, "title", "")
    call expect("text of the file", "define_text variable=null name='title' text=''")
    call thw_define_attribute(history, "_FillValue", -1.5_real32, "temp")
    call expect("scalar attribute", &
                "define_attribute variable='temp' name='_FillValue' type=9 rank=1 extent=1 stride=null data: -1.5")
    call thw_define_attribute(history, "range", values(5:1:-2))
    call expect("section as attribute", &
                "define_attribute variable=null name='range' type=3 rank=1 extent=3 stride=null data: 5 3 1")
    call thw_define_attribute(history, "flags", [1_int8, 2_int8], variable="mask")
    call expect("int8 attribute", &
                "define_attribute variable='mask' name='flags' type=1 rank=1 extent=2 stride=null data: 1 2")
    call thw_ready(io)
    call expect("ready", "ready")
  end subroutine declare_variables

  subroutine put_kinds_and_ranks()
    integer(int8) :: a(2, 3, 1, 2, 2)
    integer(int16) :: b(2, 3, 1, 2, 2)
    integer(int32) :: c(2, 3, 1, 2, 2)
    integer(int64) :: d(2, 3, 1, 2, 2)
    real(real32) :: e(2, 3, 1, 2, 2)
    real(real64) :: f(2, 3, 1, 2, 2)
    a = reshape(int(values, int8), [2, 3, 1, 2, 2])
    call thw_put(history, "f", a(1, 1, 1, 1, 1))
    call thw_put(history, "f", a(:, 1, 1, 1, 1))
    call thw_put(history, "f", a(:, :, 1, 1, 1))
    call thw_put(history, "f", a(:, :, :, 1, 1))
    call thw_put(history, "f", a(:, :, :, :, 1))
    call thw_put(history, "f", a)
    call expect("int8, ranks 0 to 5", all_ranks(1, 1))
    b = reshape(int(values, int16), [2, 3, 1, 2, 2])
    call thw_put(history, "f", b(1, 1, 1, 1, 1))
    call thw_put(history, "f", b(:, 1, 1, 1, 1))
    call thw_put(history, "f", b(:, :, 1, 1, 1))
    call thw_put(history, "f", b(:, :, :, 1, 1))
    call thw_put(history, "f", b(:, :, :, :, 1))
    call thw_put(history, "f", b)
    call expect("int16, ranks 0 to 5", all_ranks(2, 2))
    c = reshape(int(values, int32), [2, 3, 1, 2, 2])
    call thw_put(history, "f", c(1, 1, 1, 1, 1))
    call thw_put(history, "f", c(:, 1, 1, 1, 1))
    call thw_put(history, "f", c(:, :, 1, 1, 1))
    call thw_put(history, "f", c(:, :, :, 1, 1))
    call thw_put(history, "f", c(:, :, :, :, 1))
    call thw_put(history, "f", c)
    call expect("int32, ranks 0 to 5", all_ranks(3, 4))
    d = reshape(int(values, int64), [2, 3, 1, 2, 2])
    call thw_put(history, "f", d(1, 1, 1, 1, 1))
    call thw_put(history, "f", d(:, 1, 1, 1, 1))
    call thw_put(history, "f", d(:, :, 1, 1, 1))
    call thw_put(history, "f", d(:, :, :, 1, 1))
    call thw_put(history, "f", d(:, :, :, :, 1))
    call thw_put(history, "f", d)
    call expect("int64, ranks 0 to 5", all_ranks(4, 8))
    e = reshape(real(values, real32), [2, 3, 1, 2, 2])
    call thw_put(history, "f", e(1, 1, 1, 1, 1))
    call thw_put(history, "f", e(:, 1, 1, 1, 1))
    call thw_put(history, "f", e(:, :, 1, 1, 1))
    call thw_put(history, "f", e(:, :, :, 1, 1))
    call thw_put(history, "f", e(:, :, :, :, 1))
    call thw_put(history, "f", e)
    call expect("real32, ranks 0 to 5", all_ranks(9, 4))
    f = reshape(real(values, real64), [2, 3, 1, 2, 2])
    call thw_put(history, "f", f(1, 1, 1, 1, 1))
    call thw_put(history, "f", f(:, 1, 1, 1, 1))
    call thw_put(history, "f", f(:, :, 1, 1, 1))
    call thw_put(history, "f", f(:, :, :, 1, 1))
    call thw_put(history, "f", f(:, :, :, :, 1))
    call thw_put(history, "f", f)
    call expect("real64, ranks 0 to 5", all_ranks(10, 8))
  end subroutine put_kinds_and_ranks

  subroutine put_sections()
    real(real64), target :: a(4, 6)
    real(real64), pointer :: turned(:, :)
    a = reshape(real(values, real64), [4, 6])
    call thw_put(history, "f", a(2:3, 3:5))
    call expect("interior of a halo array", &
                "put variable='f' type=10 rank=2 extent=3,2 stride=32,8 data: 10 11 14 15 18 19")
    call thw_put(history, "f", a(1:4:3, 2:6:2))
    call expect("section with steps", "put variable='f' type=10 rank=2 extent=3,2 stride=64,24 data: 5 8 13 16 21 24")
    call thw_put(history, "f", a(4:1:-2, 6:5:-1))
    call expect("negative strides", "put variable='f' type=10 rank=2 extent=2,2 stride=-32,-16 data: 24 22 20 18")
    call thw_put(history, "f", a(3, :))
    call expect("a row", "put variable='f' type=10 rank=1 extent=6 stride=32 data: 3 7 11 15 19 23")
    turned => a(4:1:-1, 1:2)
    call thw_put(history, "f", turned, box=3)
    call expect("pointer with negative stride, box", &
                "put_box variable='f' box=2 type=10 rank=2 extent=2,4 stride=32,-8 data: 4 3 2 1 8 7 6 5")
    call thw_put(history, "f", a(1:0, 3))
    call expect("nothing", "put variable='f' type=10 rank=1 extent=0 stride=8 data:")
  end subroutine put_sections

  subroutine put_unusual_arrays()
    type :: cell
      integer(int32) :: id
      real(real32) :: height
    end type cell
    type(cell) :: column(3)
    real(real32), allocatable :: field(:, :)
    integer(int16) :: shifted(-1:2)
    character(4) :: names(3) = ["oslo", "rome", "bern"]
    allocate (field(0:1, -1:1))
    field = reshape([1., 2., 3., 4., 5., 6.], [2, 3])
    call thw_put(history, "f", field)
    call expect("allocatable with own bounds", contiguous(9, 4, [2, 3]))
    call put_assumed_shape(field)
    call expect("assumed shape", "put variable='f' type=9 rank=2 extent=3,1 stride=8,4 data: 2 4 6")
    call thw_put(history, "f", field - 0.5)
    call expect("expression", "put variable='f' type=9 rank=2 extent=3,2 stride=8,4 data: 0.5 1.5 2.5 3.5 4.5 5.5")
    column%id = [7, 8, 9]
    column%height = [0.5, 1.5, 2.5]
    call thw_put(history, "f", column%height)
    call expect("component of an array of types", "put variable='f' type=9 rank=1 extent=3 stride=8 data: 0.5 1.5 2.5")
    shifted = [1_int16, 2_int16, 3_int16, 4_int16]
    call thw_put(history, "f   ", shifted, box=1)
    call expect("own lower bound", "put_box variable='f' box=0 type=2 rank=1 extent=4 stride=2 data: 1 2 3 4")
    call thw_put(history, "f", names(3:1:-2))
    call expect("texts of several characters", &
                "put variable='f' type=11 rank=2 extent=2,4 stride=-8,1 data: b e r n o s l o")
    call thw_put(history, "f", names(:)(2:2), box=1)
    call expect("characters", "put_box variable='f' box=0 type=11 rank=1 extent=3 stride=4 data: s o e")
  end subroutine put_unusual_arrays

  subroutine put_assumed_shape(field)
    real(real32), intent(in) :: field(:, :)
    call thw_put(history, "f", field(2:, :))
  end subroutine put_assumed_shape

  subroutine step()
    integer(int64) :: records
    logical :: due
    call say_and_ask_time(io, history)
    due = thw_is_due(history)
    call check("is_due is true", due, "false")
    call expect("is_due", "is_due")
    call thw_advance(io, 21600.0_real64)
    call expect("advance", "advance time=21600")
    call thw_new_file(history, "next.nc ")
    call expect("new_file", "new_file file='next.nc'")
    call thw_change_text(history, "units", "days since 2000-01-02 ", "time")
    call expect("change of a text", "change_text variable='time' name='units' text='days since 2000-01-02'")
    call thw_change_text(history, "title", "")
    call expect("change of a text of the file", "change_text variable=null name='title' text=''")
    call thw_change_attribute(history, "valid_min", -1.5_real32, "temp")
    call expect("change of a number", &
                "change_attribute variable='temp' name='valid_min' type=9 rank=1 extent=1 stride=null data: -1.5")
    call thw_change_attribute(history, "flags", [1_int8, 2_int8])
    call expect("change of numbers", &
                "change_attribute variable=null name='flags' type=1 rank=1 extent=2 stride=null data: 1 2")
    call thw_flush(io)
    call thw_wait(io)
    call thw_wait_collection(history)
    call expect("waits", "flush" // newline // "wait" // newline // "wait_collection")
    call thw_recover("a.nc.partial", records)
    call expect("recover", "recover partial='a.nc.partial' records=wanted")
    call check("recover counts records", records == 7, decimal(int(records)))
    call thw_recover("a.nc.partial")
    call expect("recover without count", "recover partial='a.nc.partial' records=null")
  end subroutine step

  subroutine report_errors()
    integer :: stat
    character(60) :: errmsg, text
    character(10) :: short
    errmsg = "as before"
    stat = -1
    call thw_flush(io, stat, errmsg)
    call check("success", stat == THW_OK .and. errmsg == "as before", errmsg)
    call fake_fail(THW_ERROR_STORAGE)
    call thw_wait(io, stat, errmsg)
    call check("stat and errmsg", stat == THW_ERROR_STORAGE .and. errmsg == "the core failed with code 8", errmsg)
    call fake_fail(THW_ERROR_NAME)
    call thw_put(history, "f", 1, stat=stat, errmsg=short)
    call check("errmsg is cut", stat == THW_ERROR_NAME .and. short == "the core f", short)
    call thw_error_text(text)
    call check("error_text", text == "the core failed with code 3", text)
    call fake_fail(THW_ERROR_NAME)
    call thw_define_variable(history, "v", "x", THW_INT8, units="m", stat=stat)
    call thw_flush(io, stat=stat)
    call check("stat alone", stat == THW_OK, decimal(stat))
    call expect("nothing follows an error", "flush" // newline // "wait" // newline // &
                "put variable='f' type=3 rank=0 extent= stride= data: 1" // newline // &
                "define_variable name='v' dims='x' type=1 decomposition=null memory=null" // newline // "flush")
  end subroutine report_errors

  !> Errors that only the Fortran side can see: the core is not called.
  subroutine refuse_arguments()
    integer :: stat
    character(200) :: text
    complex :: c(2)
    real, pointer :: nowhere
    call thw_decompose(io, cells, "x,y", [1, 2, 3], [1, 1], [1, 1], stat=stat)
    call refused("shape", stat, "thw_decompose of 'y,x': dims has 2 name(s) and shape 3 value(s)")
    call thw_decompose(io, cells, "x,y", [1, 2], [1, 1, 1], [1, 1], stat=stat)
    call refused("start", stat, "thw_decompose of 'y,x': start is 3 x 1; 2 dimension(s) and 1 box(es) need 2 x 1")
    call thw_decompose(io, cells, "x,y", [1, 2], [1, 1], [1, 1], boxes=2, stat=stat)
    call refused("boxes", stat, "thw_decompose of 'y,x': start is 2 x 1; 2 dimension(s) and 2 box(es) need 2 x 2")
    call thw_decompose(io, cells, "x,y", [1, 2], [1, 1], [1, 1], boxes=-1, stat=stat)
    call refused("negative boxes", stat, "thw_decompose of 'y,x': boxes is -1; it must not be negative")
    call thw_decompose(io, cells, "x,y", [1., 2.], [1, 1], [1, 1], stat=stat)
    call refused("real shape", stat, "thw_decompose of 'y,x': shape is not an integer of 1, 2, 4 or 8 bytes")
    call thw_decompose(io, cells, "x,y", [1, 2], [1, 1], [1, 1], halo=2, stat=stat)
    call refused("scalar halo", stat, "thw_decompose of 'y,x': halo must have rank 1")
    call thw_decompose(io, cells, "x,y", [1, 2], [1, 1], [1, 1], halo=[1, 1], halo_low=[1, 1], stat=stat)
    call refused("two halos", stat, "thw_decompose of 'y,x': give either halo or halo_low and halo_high, not both")
    call thw_decompose_indices(io, cells, "cell", 50, 3, stat=stat)
    call refused("scalar index", stat, "thw_decompose_indices of 'cell': index must have rank 1")
    call thw_decompose_indices(io, cells, "cell", 50, [3., 4.], stat=stat)
    call refused("real index", stat, "thw_decompose_indices of 'cell': index is not an integer of 1, 2, 4 or 8 bytes")
    call thw_define_dimension(history, "z", [1, 2], stat)
    call refused("size", stat, "thw_define_dimension of 'z': size must be a scalar")
    call thw_define_variable(history, "v", "x", THW_INT8, undeclared, stat=stat)
    call refused("undeclared decomposition", stat, "thw_define_variable of 'v': decomposition was not declared; " // &
                 "call thw_decompose before")
    call thw_define_attribute(history, "a", "text", stat=stat)
    call thw_error_text(text)
    call check("text as numeric attribute", stat == THW_ERROR_ARGUMENT .and. index(text, "thw_define_text") > 0, text)
    c = (1., 2.)
    call thw_put(history, "f", c, stat=stat, errmsg=text)
    call check("complex field", stat == THW_ERROR_ARGUMENT .and. index(text, "of 'f': field has") > 0, text)
    call put_assumed_size(values, stat)
    call refused("assumed size", stat, &
                 "thw_put of 'f': field is of assumed size; give its bounds, for example field(1:n)")
    nullify (nowhere)
    call thw_put(history, "f", nowhere, stat=stat)
    call refused("null pointer", stat, "thw_put of 'f': field is not allocated or not associated")
    call thw_put(history, "f", .true., stat=stat)
    call check("logical field", stat == THW_ERROR_ARGUMENT, decimal(stat))
    call expect("the core was not called", "")
  end subroutine refuse_arguments

  subroutine put_assumed_size(field, stat)
    integer, intent(in) :: field(*)
    integer, intent(out) :: stat
    call thw_put(history, "f", field, stat=stat)
  end subroutine put_assumed_size

  subroutine refused(name, stat, wanted)
    character(*), intent(in) :: name, wanted
    integer, intent(in) :: stat
    character(200) :: text
    call thw_error_text(text)
    call check(name, stat == THW_ERROR_ARGUMENT .and. text == wanted, text)
  end subroutine refused

  subroutine set_procedure()
    call thw_set_procedure(history, keep_block)
    call expect("set_procedure calls the procedure", "set_procedure returned=17")
    call check("Fortran's order", kept == "2 9 2 41 31 60.50 21,11 3,2 70,50 4,12 99 1 6 [history] [a] [temp]", kept)
    call thw_register_procedure("history ", keep_block)
    call expect("register_procedure names the collection", "register_procedure collection='history' returned=17")
  end subroutine set_procedure

  subroutine finish_session()
    integer :: stat
    character(60) :: errmsg
    call fake_fail(THW_ERROR_DEADLINE)
    call thw_finish(io, stat, errmsg)
    call check("finish reports", stat == THW_ERROR_DEADLINE .and. errmsg == "the core failed with code 9", errmsg)
    call thw_finish(io)
    call expect("finish clears the handle", "finish" // newline // "finish wrong-handle")
  end subroutine finish_session
end program interface_test
