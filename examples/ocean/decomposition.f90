! Which rank computes which block. The grid is cut into px × py blocks, as even as the numbers allow; blocks without a
! wet cell are given to nobody, so fewer ranks are needed than there are blocks. Wet blocks are numbered with x fastest,
! and rank r computes wet block r. Ranks beyond the last one hold nothing.
module decomposition
  use, intrinsic :: iso_fortran_env, only: int8
  use mpi_f08
  use grid, only: grid_t
  use settings, only: settings_t, stop_model
  implicit none
  private
  public :: block_t, make_block, halo_width

  integer, parameter :: halo_width = 2

  type :: block_t
    type(MPI_Comm) :: comm                   ! all ranks of the model, idle ones too
    integer :: rank = 0, ranks = 1
    integer :: px = 1, py = 1, used = 1      ! layout; number of ranks that hold a block
    logical :: idle = .false.                ! this rank holds nothing
    integer :: is = 1, ie = 0, js = 1, je = 0  ! the cells of this rank in the whole grid
    integer :: ni = 0, nj = 0                ! how many they are
    integer :: neighbour(-1:1, -1:1) = MPI_PROC_NULL  ! ranks around; land: MPI_PROC_NULL
  end type block_t

contains

  function make_block(g, chosen, comm) result(b)
    type(grid_t), intent(in) :: g
    type(settings_t), intent(in) :: chosen
    type(MPI_Comm), intent(in) :: comm
    type(block_t) :: b
    integer, allocatable :: owner(:, :)
    b%comm = comm
    call MPI_Comm_rank(comm, b%rank)
    call MPI_Comm_size(comm, b%ranks)
    b%px = chosen%px
    b%py = chosen%py
    if (b%px == 0) call choose_layout(g, b%ranks, b%px, b%py)
    owner = owners(g, b%px, b%py)
    b%used = maxval(owner) + 1
    if (b%used > b%ranks) call refuse(b)
    b%idle = b%rank >= b%used
    if (.not. b%idle) call place(b, g, owner)
  end function make_block

  subroutine refuse(b)
    type(block_t), intent(in) :: b
    character(200) :: text
    if (b%rank /= 0) call MPI_Barrier(b%comm)  ! until rank 0 has said it and ended the run
    write (text, "(a, i0, a, i0, a, i0, a, i0, a)") "the layout ", b%px, " x ", b%py, " has ", b%used, &
      " blocks with water, but only ", b%ranks, " ranks compute: launch more, or set px = py = 0"
    call stop_model(trim(text))
  end subroutine refuse

  ! The rank of each block, -1 for a block that is all land.
  function owners(g, px, py) result(owner)
    type(grid_t), intent(in) :: g
    integer, intent(in) :: px, py
    integer :: owner(px, py), bx, by, next
    next = 0
    do by = 1, py
      do bx = 1, px
        owner(bx, by) = -1
        if (all(g%wet(first(bx, px, g%nx):first(bx + 1, px, g%nx) - 1, &
          first(by, py, g%ny):first(by + 1, py, g%ny) - 1) == 0_int8)) cycle
        owner(bx, by) = next
        next = next + 1
      end do
    end do
  end function owners

  ! First cell of block number b when n cells are cut into p blocks.
  pure integer function first(b, p, n)
    integer, intent(in) :: b, p, n
    first = (b - 1) * (n / p) + min(b - 1, mod(n, p)) + 1
  end function first

  ! The layout whose largest block is smallest and that needs no more ranks than there are; among equals the one with
  ! the shortest edges. Blocks must hold the halo of their neighbours.
  subroutine choose_layout(g, ranks, px, py)
    type(grid_t), intent(in) :: g
    integer, intent(in) :: ranks
    integer, intent(out) :: px, py
    integer :: tx, ty, ni, nj, area, edge, best_area, best_edge
    best_area = huge(1)
    best_edge = huge(1)
    do ty = 1, min(2 * ranks, g%ny / halo_width)
      do tx = 1, min(2 * ranks / ty, g%nx / halo_width)
        ni = (g%nx + tx - 1) / tx
        nj = (g%ny + ty - 1) / ty
        area = ni * nj
        edge = ni + nj
        if (area > best_area .or. (area == best_area .and. edge >= best_edge)) cycle
        if (maxval(owners(g, tx, ty)) + 1 > ranks) cycle
        px = tx
        py = ty
        best_area = area
        best_edge = edge
      end do
    end do
  end subroutine choose_layout

  subroutine place(b, g, owner)
    type(block_t), intent(inout) :: b
    type(grid_t), intent(in) :: g
    integer, intent(in) :: owner(:, :)
    integer :: at(2), dx, dy
    at = findloc(owner, b%rank)
    b%is = first(at(1), b%px, g%nx)
    b%js = first(at(2), b%py, g%ny)
    b%ie = first(at(1) + 1, b%px, g%nx) - 1
    b%je = first(at(2) + 1, b%py, g%ny) - 1
    b%ni = b%ie - b%is + 1
    b%nj = b%je - b%js + 1
    if (min(b%ni, b%nj) < halo_width) call stop_model("a block is narrower than its halo: use fewer ranks")
    do dy = -1, 1
      if (at(2) + dy < 1 .or. at(2) + dy > b%py) cycle
      do dx = -1, 1
        b%neighbour(dx, dy) = owner(modulo(at(1) + dx - 1, b%px) + 1, at(2) + dy)
      end do
    end do
    where (b%neighbour < 0) b%neighbour = MPI_PROC_NULL
  end subroutine place

end module decomposition
