! As boxes_cpp.cpp, whose values these are; the last box is got first there, and here the first.
!
!   boxes_fortran write|read
program boxes_fortran
  use, intrinsic :: iso_fortran_env, only: error_unit, int64, real64
  use mpi_f08
  use thalweg
  implicit none
  integer, parameter :: nx = 9, ny = 6, side = 3, records = 4, hole = 4
  real(real64), parameter :: hour_s = 3600
  character(6), parameter :: names(2) = ["height", "speed "]
  type :: tile
    integer :: x, y  ! of the first cell
    real(real64) :: values(side, side, 2)
  end type tile
  type(thw_session) :: io
  type(thw_decomposition) :: cells
  type(thw_collection) :: state
  type(MPI_Comm) :: clients
  type(tile), allocatable, target :: own(:)
  integer :: rank, ranks, most, differences = 0
  character(8) :: what

  call get_command_argument(1, what)
  call MPI_Init()
  call thw_start(io, MPI_COMM_WORLD, "thalweg.yaml")
  if (thw_is_client(io)) call run_model()
  call thw_finish(io)
  call MPI_Finalize()
  if (differences > 0) stop 1

contains

  subroutine run_model()
    integer :: b
    call thw_model_comm(io, clients)
    call MPI_Comm_rank(clients, rank)
    call MPI_Comm_size(clients, ranks)
    call find_tiles()
    call thw_decompose(io, cells, "x,y", [nx, ny], reshape([(own(b)%x, own(b)%y, b=1, size(own))], [2, size(own)]), &
                       spread([side, side], 2, size(own)), boxes=size(own), masked=.true.)
    call thw_open_collection(io, state, "state")
    call register(1)
    call register(2)
    if (what == "write") then
      call write_records()
    else
      call read_records()
    end if
  end subroutine run_model

  subroutine find_tiles()
    integer :: t, boxes(0:ranks - 1)
    boxes = 0
    allocate (own(0))
    do t = 0, 5
      if (t == hole) cycle
      boxes(mod(t * t, ranks)) = boxes(mod(t * t, ranks)) + 1
      if (mod(t * t, ranks) == rank) own = [own, tile(side * mod(t, 3) + 1, side * (t / 3) + 1, 0)]
    end do
    most = maxval(boxes)
  end subroutine find_tiles

  subroutine register(v)
    integer, intent(in) :: v
    real(real64), allocatable, target :: none(:, :)
    integer :: b
    call thw_define_variable(state, trim(names(v)), "x,y,time", THW_REAL64, cells)
    do b = 1, max(1, most)
      if (b <= size(own)) call thw_register_array(state, trim(names(v)), own(b)%values(:, :, v), box=b)
      if (b > size(own)) call thw_register_array(state, trim(names(v)), none, box=b)
    end do
  end subroutine register

  subroutine write_records()
    integer :: r, b, v, i, j
    do r = 1, records
      do b = 1, size(own)
        do v = 1, 2
          own(b)%values(:, :, v) = reshape([((value(v, r, own(b)%x + i, own(b)%y + j), i=0, side - 1), j=0, side - 1)], &
                                           [side, side])
        end do
      end do
      call thw_put_arrays(state)
      call thw_advance(io, r * hour_s)
    end do
  end subroutine write_records

  subroutine read_records()
    type(thw_input) :: before
    real(real64), parameter :: times(7) = [1.0, 1.5, 2.0, 2.25, 3.5, 4.0, 1.25]  ! and back
    real(real64), allocatable :: none(:, :)
    integer :: i, b, v
    call thw_restore(state, "state.nc")
    call compare("restored", real(records, real64))
    call thw_restore(state, "state.nc", record=2)
    call compare("restored", 2.0_real64)
    call thw_open_input(io, before, "state.nc")
    do v = 1, 2
      call thw_declare_input(before, trim(names(v)), "x,y,time", cells)
    end do
    do i = 1, size(times)
      do b = 1, most
        do v = 1, 2
          if (b <= size(own)) call thw_get_at(before, trim(names(v)), times(i) * hour_s, own(b)%values(:, :, v), box=b)
          if (b > size(own)) call thw_get_at(before, trim(names(v)), times(i) * hour_s, none, box=b)
        end do
      end do
      call compare("got", times(i))
    end do
  end subroutine read_records

  subroutine compare(how, at)
    character(*), intent(in) :: how
    real(real64), intent(in) :: at
    real(real64) :: wanted, weight
    integer :: b, v, i, j
    weight = at - int(at)
    do b = 1, size(own)
      do v = 1, 2
        do j = 0, side - 1
          do i = 0, side - 1
            wanted = value(v, int(at), own(b)%x + i, own(b)%y + j)
            if (weight > 0) wanted = wanted + weight * (value(v, int(at) + 1, own(b)%x + i, own(b)%y + j) - wanted)
            if (transfer(own(b)%values(i + 1, j + 1, v), 0_int64) == transfer(wanted, 0_int64)) cycle
            differences = differences + 1
            if (differences < 5) write (error_unit, *) "rank", rank, how, at, own(b)%values(i + 1, j + 1, v), wanted
          end do
        end do
        own(b)%values(:, :, v) = -1
      end do
    end do
  end subroutine compare

  ! x and y count from 1 here, and from 0 in the C++ program.
  pure function value(v, record, x, y) result(number)
    integer, intent(in) :: v, record, x, y
    real(real64) :: number
    number = 1000._real64 * record * record + 100._real64 * (v - 1) + 16._real64 * (y - 1) + (x - 1) / 3._real64
  end function value
end program boxes_fortran
