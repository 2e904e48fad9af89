! As user_write.c, in Fortran: dimensions fastest first, and all counted from 1.
module event_writer
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_int, c_int8_t
  use thalweg
  implicit none
  integer :: unit = -1, failing = -1

contains

  function keep(block, collection, file, variable) result(code) bind(c)
    type(thw_block), intent(in) :: block
    character(*), intent(in) :: collection, file, variable
    integer(c_int) :: code
    integer(c_int8_t), pointer :: bytes(:)
    character(:), allocatable :: name
    integer :: element_bytes, n
    n = block%rank
    name = variable
    if (variable == "") name = "-"
    write (unit, '(i0,3(1x,a),2(1x,i0),1x,f0.1,1x,i0,5(1x,a),1x)', advance="no") block%event, collection, file, &
      name, block%record, block%record_in_file, block%time, block%type, &
      list(block%start(:n)), list(block%count(:n)), list(block%shape(:n)), list(block%stride(:n)), &
      list([block%checksum])
    if (block%event == THW_EVENT_BLOCK) then
      element_bytes = merge(8, 4, block%type == THW_REAL64) ! the types of this program
      call c_f_pointer(block%data, bytes, [element_bytes * product(block%count(:n))])
      write (unit, '(*(z2.2))') bytes
    else
      write (unit, '(a)') "-"
    end if
    flush (unit)
    code = merge(7, 0, block%event == THW_EVENT_RECORD .and. block%record == failing)
  end function keep

  function list(values) result(text)
    use, intrinsic :: iso_c_binding, only: c_int64_t
    integer(c_int64_t), intent(in) :: values(:)
    character(:), allocatable :: text
    character(200) :: buffer
    if (size(values) == 0) then
      text = "-"
      return
    end if
    write (buffer, '(*(i0,:,","))') values
    text = trim(buffer)
  end function list
end module event_writer

program user_write
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use mpi_f08
  use thalweg
  use event_writer
  implicit none
  integer, parameter :: nx = 130, ny = 128, nz = 3, masked = nx - 2, records = 5
  type(thw_session) :: io
  type(thw_decomposition) :: cells
  type(thw_collection) :: history
  type(MPI_Comm) :: clients
  integer :: rank, ranks, first, last, r, registers
  character(32) :: text

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  if (command_argument_count() > 0) then
    call get_command_argument(1, text)
    read (text, *) failing
    failing = failing + 1
  end if
  write (text, '(a,i0)') "events.", rank
  open (newunit=unit, file=trim(text), status="replace", action="write", recl=10000000)
  call get_environment_variable("THALWEG_TEST_REGISTER", status=registers)
  if (registers == 0) call thw_register_procedure("history", keep)
  call thw_start(io, MPI_COMM_WORLD, "thalweg.yaml")
  if (thw_is_client(io)) call run_model()
  call thw_finish(io)
  close (unit)
  call MPI_Finalize()

contains

  subroutine run_model()
    call thw_model_comm(io, clients)
    call MPI_Comm_rank(clients, rank)
    call MPI_Comm_size(clients, ranks)
    first = ny * rank / ranks + 1
    last = ny * (rank + 1) / ranks
    call thw_decompose(io, cells, "x,y", [nx, ny], [1, first], [masked, last - first + 1], masked=.true.)
    call thw_open_collection(io, history, "history")
    call thw_define_dimension(history, "z", nz)
    call thw_define_variable(history, "depth", "x,y", THW_INT32, cells)
    call thw_define_variable(history, "temp", "x,y,z,time", THW_REAL32, cells)
    call thw_define_variable(history, "wide", "x,y,time", THW_REAL64, cells)
    call thw_define_variable(history, "mean", "time", THW_REAL64)
    if (registers /= 0) call thw_set_procedure(history, keep)
    call thw_put(history, "depth", int(reshape(field(0, 0, 1), [masked, last - first + 1])))
    do r = 0, records - 1
      if (r == 3) call thw_new_file(history, "second")
      call thw_put(history, "temp", real(field(1, r, nz), real32))
      call thw_put(history, "wide", reshape(field(2, r, 1), [masked, last - first + 1]))
      call thw_put(history, "mean", value(3, r, 0_int64))
      call thw_advance(io, 600.0_real64 * (r + 1))
    end do
    call thw_wait(io)
  end subroutine run_model

  pure function value(variable, record, place) result(number)
    integer, intent(in) :: variable, record
    integer(int64), intent(in) :: place
    real(real64) :: number
    number = real(mod(variable * 1000003_int64 + record * 7919_int64 + place * 31_int64, 16777213_int64), real64)
  end function value

  function field(variable, record, levels) result(values)
    integer, intent(in) :: variable, record, levels
    real(real64) :: values(masked, first:last, levels)
    integer :: i, j, k
    do k = 1, levels
      do j = first, last
        do i = 1, masked
          values(i, j, k) = value(variable, record, (int(k - 1, int64) * ny + j - 1) * nx + i - 1)
        end do
      end do
    end do
  end function field
end program user_write
