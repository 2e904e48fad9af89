! Halo exchange with up to eight neighbours. Corners travel on their own, since the neighbour that they would pass
! through may be land and have no rank. Halos towards land keep what they hold: zero for the flow.
module halo
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use decomposition, only: block_t, w => halo_width
  implicit none
  private
  public :: exchange

contains

  subroutine exchange(b, layers, field)
    type(block_t), intent(in) :: b
    integer, intent(in) :: layers
    real(real64), intent(inout) :: field(1 - w:b%ni + w, 1 - w:b%nj + w, layers)
    real(real64), allocatable, asynchronous, save :: outgoing(:, :), incoming(:, :)
    type(MPI_Request) :: requests(18)
    integer :: dx, dy, d, n, box(4), longest
    longest = layers * w * max(b%ni, b%nj, w)
    if (allocated(outgoing)) then
      if (size(outgoing, 1) < longest) deallocate (outgoing, incoming)
    end if
    if (.not. allocated(outgoing)) allocate (outgoing(longest, 9), incoming(longest, 9))
    requests = MPI_REQUEST_NULL
    do d = 1, 9
      call direction(d, dx, dy)
      if (d == 5 .or. b%neighbour(dx, dy) == MPI_PROC_NULL) cycle
      box = edge(b, dx, dy, outside=.true.)
      n = (box(2) - box(1) + 1) * (box(4) - box(3) + 1) * layers
      call MPI_Irecv(incoming(1, d), n, MPI_DOUBLE_PRECISION, b%neighbour(dx, dy), 10 - d, b%comm, requests(d))
    end do
    do d = 1, 9
      call direction(d, dx, dy)
      if (d == 5 .or. b%neighbour(dx, dy) == MPI_PROC_NULL) cycle
      box = edge(b, dx, dy, outside=.false.)
      n = (box(2) - box(1) + 1) * (box(4) - box(3) + 1) * layers
      outgoing(1:n, d) = reshape(field(box(1):box(2), box(3):box(4), :), [n])
      call MPI_Isend(outgoing(1, d), n, MPI_DOUBLE_PRECISION, b%neighbour(dx, dy), d, b%comm, requests(9 + d))
    end do
    call MPI_Waitall(18, requests, MPI_STATUSES_IGNORE)
    do d = 1, 9
      call direction(d, dx, dy)
      if (d == 5 .or. b%neighbour(dx, dy) == MPI_PROC_NULL) cycle
      box = edge(b, dx, dy, outside=.true.)
      n = (box(2) - box(1) + 1) * (box(4) - box(3) + 1) * layers
      field(box(1):box(2), box(3):box(4), :) = &
        reshape(incoming(1:n, d), [box(2) - box(1) + 1, box(4) - box(3) + 1, layers])
    end do
  end subroutine exchange

  ! Direction d = 1 … 9 is the neighbour (dx, dy); 10 - d is the opposite one, 5 the block itself.
  pure subroutine direction(d, dx, dy)
    integer, intent(in) :: d
    integer, intent(out) :: dx, dy
    dx = mod(d - 1, 3) - 1
    dy = (d - 1) / 3 - 1
  end subroutine direction

  ! [first i, last i, first j, last j] of the halo towards a neighbour, or of the cells that it has in its halo.
  pure function edge(b, dx, dy, outside) result(box)
    type(block_t), intent(in) :: b
    integer, intent(in) :: dx, dy
    logical, intent(in) :: outside
    integer :: box(4)
    box(1:2) = span(b%ni, dx, outside)
    box(3:4) = span(b%nj, dy, outside)
  end function edge

  pure function span(n, d, outside) result(range)
    integer, intent(in) :: n, d
    logical, intent(in) :: outside
    integer :: range(2)
    range = [1, n]
    if (d < 0) range = merge([1 - w, 0], [1, w], outside)
    if (d > 0) range = merge([n + 1, n + w], [n + 1 - w, n], outside)
  end function span

end module halo
