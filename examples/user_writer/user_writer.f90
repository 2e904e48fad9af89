!> A format of one's own: what Thalweg has gathered goes to a procedure of the model, which writes it as it likes; here
!> into a direct-access file with one record a time. The writer's thread runs it while the model computes.
!>
!>   mpiexec -n 4 user_writer_fortran
module direct_access
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_int
  use, intrinsic :: iso_fortran_env, only: real32
  use thalweg
  implicit none
  integer, private :: unit

contains

  !> Runs on the writer: no MPI, no Thalweg. A value other than 0 ends the output with an error that names it.
  function write_direct(block, collection, file, variable) result(code) bind(c)
    type(thw_block), intent(in) :: block
    character(*), intent(in) :: collection, file, variable
    integer(c_int) :: code
    real(real32), pointer :: field(:, :)
    code = 0
    select case (block%event)
    case (THW_EVENT_BEGIN)
      open (newunit=unit, file=file // ".bin", access="direct", form="unformatted", recl=4 * 8 * 12, &
            status="replace", iostat=code)
    case (THW_EVENT_BLOCK)
      call c_f_pointer(block%data, field, block%count(:2))
      write (unit, rec=block%record_in_file, iostat=code) field
      if (code /= 0) print '(5a)', collection, ": ", variable, " was not written to ", file
    case (THW_EVENT_END)
      close (unit, iostat=code)
    end select
  end function write_direct
end module direct_access

program user_writer
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use mpi_f08
  use thalweg
  use direct_access
  implicit none
  integer, parameter :: nx = 8, ny = 12
  type(thw_session) :: io
  type(thw_decomposition) :: rows
  type(thw_collection) :: raw
  integer :: rank, ranks, first, last, record, i, j

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  first = ny * rank / ranks + 1
  last = ny * (rank + 1) / ranks
  call thw_start_text(io, MPI_COMM_WORLD, "{report: none, collections: {raw: {format: user}}}")
  call thw_decompose(io, rows, "x,y", [nx, ny], [1, first], [nx, last - first + 1])
  call thw_open_collection(io, raw, "raw")
  call thw_define_variable(raw, "height", "x,y,time", THW_REAL32, rows)
  call thw_set_procedure(raw, write_direct)
  do record = 1, 3
    call thw_put(raw, "height", reshape([((real(1000 * record + (j - 1) * nx + i, real32), i=1, nx), j=first, last)], &
                                        [nx, last - first + 1]))
    call thw_advance(io, 3600.0_real64 * record)
  end do
  call thw_finish(io)
  call MPI_Finalize()
end program user_writer
