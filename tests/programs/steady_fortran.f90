!> What steady.cpp does, through the Fortran interface:
!>
!>   steady_fortran RECORDS WAIT_EVERY NZ NY NX [PAUSE_MS]
!>
!> The same configuration, values, files and exit codes; failures are one JSON object a line in rank<N>.jsonl, and rank 0
!> appends to committed.log how many records are known to be committed. temp is put with a halo, ssh as a section of a
!> larger array.
module steady_model
  use, intrinsic :: iso_c_binding, only: c_int
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use mpi_f08
  use thalweg
  implicit none
  integer, parameter :: step_s = 600, halo = 1
  integer :: records, wait_every, nz, ny, nx, pause_ms
  type(thw_session) :: io
  type(thw_decomposition) :: cells, wide
  type(thw_collection) :: history
  integer :: first(2), counts(2) ! x, y
  integer :: outcomes, committed, rank
  integer :: code = 0
  character(2000) :: text

  interface
    function c_usleep(microseconds) bind(c, name="usleep") result(ended)
      import :: c_int
      integer(c_int), value :: microseconds
      integer(c_int) :: ended
    end function c_usleep
  end interface

contains

  !> Keeps what a call ended with, if that is an error.
  subroutine keep(label)
    character(*), intent(in) :: label
    if (code == 0) return
    write (outcomes, '(3a,i0,3a)') '{"label": "', label, '", "seconds": 0.0, "code": ', code, ', "text": "', &
      escaped(trim(text)), '"}'
    flush (outcomes)
  end subroutine keep

  !> As JSON has it.
  function escaped(plain) result(quoted)
    character(*), intent(in) :: plain
    character(:), allocatable :: quoted
    integer :: i
    quoted = ""
    do i = 1, len(plain)
      if (plain(i:i) == '"' .or. plain(i:i) == "\") quoted = quoted // "\"
      if (plain(i:i) == new_line("a")) then
        quoted = quoted // "\n"
      else
        quoted = quoted // plain(i:i)
      end if
    end do
  end function escaped

  !> Below 2^24, so that a real holds it exactly.
  elemental real(real64) function value_of(variable, record, index)
    integer, intent(in) :: variable, record
    integer(int64), intent(in) :: index
    value_of = real(modulo(variable * 1000003_int64 + record * 7919_int64 + index * 31_int64, 16777213_int64), real64)
  end function value_of

  !> This rank's part of the plane, among the ranks of the model.
  subroutine cut()
    type(MPI_Comm) :: comm
    integer :: own, ranks, parts(2), place(2), extent(2)
    call thw_model_comm(io, comm)
    call MPI_Comm_rank(comm, own)
    call MPI_Comm_size(comm, ranks)
    parts = 0
    call MPI_Dims_create(ranks, 2, parts)
    parts = parts(2:1:-1)
    place = [mod(own, parts(1)), own / parts(1)]
    extent = [nx, ny]
    first = extent * place / parts + 1
    counts = extent * (place + 1) / parts - first + 1
  end subroutine cut

  subroutine declare()
    call thw_decompose(io, cells, dims="x,y", shape=[nx, ny], start=first, count=counts, stat=code, errmsg=text)
    call keep("decompose")
    if (code /= 0) return
    call thw_decompose(io, wide, dims="x,y", shape=[nx, ny], start=first, count=counts, halo=[halo, halo], &
                       stat=code, errmsg=text)
    call keep("decompose")
    if (code /= 0) return
    call thw_open_collection(io, history, "history", stat=code, errmsg=text)
    call keep("open_collection")
    if (code /= 0) return
    call thw_define_dimension(history, "z", nz)
    call thw_define_variable(history, "temp", "x,y,z,time", THW_REAL32, wide)
    call thw_define_variable(history, "ssh", "x,y,time", THW_REAL64, cells)
    call thw_define_variable(history, "mean", "time", THW_REAL64)
    call thw_define_variable(history, "depth", "x,y", THW_REAL64, cells)
    call thw_ready(io, stat=code, errmsg=text)
    call keep("ready")
    if (code == 0) call put_plane("depth", 3, 0)
  end subroutine declare

  !> Every second element of an array along x.
  subroutine put_plane(name, variable, record)
    character(*), intent(in) :: name
    integer, intent(in) :: variable, record
    real(real64), allocatable :: plane(:, :)
    integer :: i, j
    allocate (plane(2 * counts(1), counts(2)), source=-1.0_real64)
    do j = 1, counts(2)
      do i = 1, counts(1)
        plane(2 * i - 1, j) = value_of(variable, record, int(first(2) + j - 2, int64) * nx + first(1) + i - 2)
      end do
    end do
    call thw_put(history, name, plane(::2, :), stat=code, errmsg=text)
    call keep("put " // name)
  end subroutine put_plane

  subroutine put_volume(record)
    integer, intent(in) :: record
    real(real64), allocatable :: temp(:, :, :)
    integer :: i, j, k
    allocate (temp(0:counts(1) + 1, 0:counts(2) + 1, nz), source=-1.0_real64)
    do k = 1, nz
      do j = 1, counts(2)
        do i = 1, counts(1)
          temp(i, j, k) = value_of(0, record, (int(k - 1, int64) * ny + first(2) + j - 2) * nx + first(1) + i - 2)
        end do
      end do
    end do
    call thw_put(history, "temp", temp, stat=code, errmsg=text)
    call keep("put temp")
  end subroutine put_volume

  subroutine write_record(number)
    integer, intent(in) :: number
    integer(c_int) :: ended
    call put_volume(number)
    if (code == 0) call put_plane("ssh", 1, number)
    if (code /= 0) return
    call thw_put(history, "mean", value_of(2, number, 0_int64), stat=code, errmsg=text)
    call keep("put mean")
    if (code /= 0) return
    call thw_advance(io, real(step_s, real64) * (number + 1), stat=code, errmsg=text)
    call keep("advance")
    if (code /= 0) return
    if (pause_ms > 0) ended = c_usleep(int(1000 * pause_ms, c_int))
    if (wait_every == 0) return
    if (modulo(number + 1, wait_every) /= 0) return
    call thw_wait(io, stat=code, errmsg=text)
    call keep("wait")
    if (code /= 0 .or. rank /= 0) return
    write (committed, '(i0)') number + 1
    flush (committed)
  end subroutine write_record

  subroutine run()
    integer :: number, of_model
    call thw_start(io, MPI_COMM_WORLD, "thalweg.yaml", stat=code, errmsg=text)
    call keep("start")
    if (code /= 0) return
    if (thw_is_client(io)) then
      call cut()
      call declare()
      do number = 0, records - 1
        if (code == 0) call write_record(number)
      end do
    end if
    of_model = code
    call thw_finish(io, stat=code, errmsg=text)
    call keep("finish")
    if (of_model /= 0) code = of_model
  end subroutine run

end module steady_model

program steady_fortran
  use steady_model
  implicit none
  integer :: length

  call MPI_Init()
  records = number_at(1)
  wait_every = number_at(2)
  nz = number_at(3)
  ny = number_at(4)
  nx = number_at(5)
  pause_ms = number_at(6)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  write (text, '(a,i0,a)') "rank", rank, ".jsonl"
  open (newunit=outcomes, file=trim(text), position="append", action="write", recl=10000)
  if (rank == 0) open (newunit=committed, file="committed.log", position="append", action="write")
  call run()
  call get_environment_variable("THALWEG_TEST_FINALIZE", length=length)
  ! The others get the time to say what they met, and then the whole job ends.
  if (code /= 0 .and. length == 0) then
    length = c_usleep(500000_c_int)
    call MPI_Abort(MPI_COMM_WORLD, code)
  end if
  call MPI_Finalize()
  stop code, quiet=.true.

contains

  !> A word of the command line; 0 if there is none.
  integer function number_at(place)
    integer, intent(in) :: place
    character(20) :: word
    number_at = 0
    if (command_argument_count() < place) return
    call get_command_argument(place, word)
    read (word, *) number_at
  end function number_at
end program steady_fortran
