! A plane of cells cut into blocks, one for each rank. Where there are more blocks along a side than cells, ranks hold
! nothing.
module blocks
  use mpi_f08, only: MPI_Dims_create
  implicit none
  private
  public :: block_of, block_t

  type :: block_t
    integer :: first(2) = 1, cells(2) = 0  ! along x and y; first counts from 1
    integer :: boxes = 0                   ! 1, or 0 for a rank that holds nothing
  end type block_t

contains

  function block_of(rank, ranks, shape) result(block)
    integer, intent(in) :: rank, ranks, shape(2)
    type(block_t) :: block
    integer :: blocks(2), place(2), before(2), cells(2)
    blocks = 0
    call MPI_Dims_create(ranks, 2, blocks)
    blocks = blocks([2, 1])  ! More of them along y: rows stay long.
    place = [mod(rank, blocks(1)), rank / blocks(1)]
    before = shape * place / blocks
    cells = shape * (place + 1) / blocks - before
    if (all(cells > 0)) block = block_t(before + 1, cells, 1)
  end function block_of

end module blocks
