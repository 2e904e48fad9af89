!> What the Fortran interface takes and returns: handles, blocks, errors, types. Part of the module thalweg, which a model
!> uses.
module thalweg_values
  use, intrinsic :: iso_c_binding, only: c_double, c_int, c_int64_t, c_null_ptr, c_ptr
  implicit none
  private

  !> One model's use of Thalweg, from thw_start to thw_finish.
  type, bind(c), public :: thw_session
    private
    type(c_ptr) :: handle = c_null_ptr
  end type thw_session

  !> Which part of an index space each rank holds.
  type, bind(c), public :: thw_decomposition
    private
    type(c_ptr) :: handle = c_null_ptr
  end type thw_decomposition

  !> A series of files with the same variables.
  type, bind(c), public :: thw_collection
    private
    type(c_ptr) :: handle = c_null_ptr
  end type thw_collection

  !> What the model has, of which the configuration chooses what collections have.
  type, bind(c), public :: thw_field
    private
    type(c_ptr) :: handle = c_null_ptr
  end type thw_field

  !> A file, or a set of files, that is read.
  type, bind(c), public :: thw_input
    private
    type(c_ptr) :: handle = c_null_ptr
  end type thw_input

  !> What a write procedure is called with; thalweg.h has it at length. Dimensions are listed fastest first.
  type, bind(c), public :: thw_block
    integer(c_int) :: event             !< one of THW_EVENT_*
    integer(c_int) :: type              !< BLOCK: type of the variable in the file
    integer(c_int) :: rank              !< BLOCK: number of dimensions, without that of records
    integer(c_int64_t) :: record        !< BLOCK, RECORD: number in the collection, from 1; 0: of a variable without
    integer(c_int64_t) :: record_in_file
    real(c_double) :: time              !< BLOCK, RECORD: model time that closed the record
    integer(c_int64_t) :: start(8)      !< BLOCK: first cell of its box of the variable, from 1
    integer(c_int64_t) :: count(8)
    integer(c_int64_t) :: shape(8)      !< BLOCK: of the whole variable
    integer(c_int64_t) :: stride(8)     !< BLOCK: in bytes; a block has no gaps
    integer(c_int64_t) :: checksum      !< BLOCK: wrapping sum of the bits of the elements that were put
    type(c_ptr) :: data                 !< BLOCK: for c_f_pointer(block%data, field, block%count(:block%rank))
    type(c_ptr), private :: names(3)
  end type thw_block

  !> Values of thw_block%event.
  integer(c_int), parameter, public :: THW_EVENT_BEGIN = 1   !< a file begins
  integer(c_int), parameter, public :: THW_EVENT_BLOCK = 2   !< a block of a variable is complete: write it
  integer(c_int), parameter, public :: THW_EVENT_RECORD = 3  !< all blocks of the record on this node were given
  integer(c_int), parameter, public :: THW_EVENT_END = 4     !< all of the file on this node was given

  !> The size of the record dimension.
  integer(c_int), parameter, public :: THW_UNLIMITED = -1

  abstract interface
    !> Writes a collection of format "user". Returns 0, or a code of its own that ends the output with the error
    !> STORAGE. Called by a helper thread; it must call neither MPI nor Thalweg, and never twice at once for one
    !> collection. variable is blank unless the event is BLOCK.
    function thw_write_procedure(block, collection, file, variable) result(code) bind(c)
      import :: thw_block, c_int
      type(thw_block), intent(in) :: block
      character(*), intent(in) :: collection
      character(*), intent(in) :: file
      character(*), intent(in) :: variable
      integer(c_int) :: code
    end function thw_write_procedure
  end interface
  public :: thw_write_procedure

  !> Values of stat.
  integer(c_int), parameter, public :: THW_OK = 0
  integer(c_int), parameter, public :: THW_ERROR_ARGUMENT = 1   !< an argument that no run could accept
  integer(c_int), parameter, public :: THW_ERROR_CONFIG = 2     !< the configuration is wrong
  integer(c_int), parameter, public :: THW_ERROR_NAME = 3       !< an unknown or doubly defined name
  integer(c_int), parameter, public :: THW_ERROR_SHAPE = 4      !< an array, box or type that was declared otherwise
  integer(c_int), parameter, public :: THW_ERROR_STATE = 5      !< a call out of order
  integer(c_int), parameter, public :: THW_ERROR_AGREEMENT = 6  !< ranks declared different things, overlaps, holes
  integer(c_int), parameter, public :: THW_ERROR_MEMORY = 7     !< the staging budget is too small, or no memory
  integer(c_int), parameter, public :: THW_ERROR_STORAGE = 8    !< a file could not be created, written or published
  integer(c_int), parameter, public :: THW_ERROR_DEADLINE = 9   !< a wait took longer than the deadline
  integer(c_int), parameter, public :: THW_ERROR_FULL = 10      !< no block was free and when-full is "fail"
  integer(c_int), parameter, public :: THW_ERROR_FORMAT = 11    !< the format cannot hold what was asked
  integer(c_int), parameter, public :: THW_ERROR_MPI = 12       !< an MPI call failed
  integer(c_int), parameter, public :: THW_ERROR_PEER = 13      !< another rank of the node died
  integer(c_int), parameter, public :: THW_ERROR_INTERNAL = 14  !< a fault of Thalweg itself

  !> Types of variables in the file.
  integer(c_int), parameter, public :: THW_INT8 = 1
  integer(c_int), parameter, public :: THW_INT16 = 2
  integer(c_int), parameter, public :: THW_INT32 = 3
  integer(c_int), parameter, public :: THW_INT64 = 4
  integer(c_int), parameter, public :: THW_UINT8 = 5
  integer(c_int), parameter, public :: THW_UINT16 = 6
  integer(c_int), parameter, public :: THW_UINT32 = 7
  integer(c_int), parameter, public :: THW_UINT64 = 8
  integer(c_int), parameter, public :: THW_REAL32 = 9
  integer(c_int), parameter, public :: THW_REAL64 = 10
  integer(c_int), parameter, public :: THW_CHAR = 11  !< one byte of text
end module thalweg_values
