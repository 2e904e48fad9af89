! Output as it is commonly written by hand: rank 0 gathers a field that is cut into rows, and writes it by netCDF.
module gathered_output
  use, intrinsic :: iso_fortran_env, only: error_unit, real64
  use mpi_f08
  use netcdf
  implicit none
  private
  public :: close_file, create_file, output_t, write_record

  type :: output_t
    type(MPI_Comm) :: comm
    integer :: rank = 0, file = 0, time = 0, field = 0, records = 0
    integer, allocatable :: cells(:), places(:)  ! of each rank, on rank 0
  end type output_t

contains

  ! shape: of the whole field, of which this rank has `rows` rows.
  subroutine create_file(output, comm, path, name, units, shape, rows)
    type(output_t), intent(out) :: output
    type(MPI_Comm), intent(in) :: comm
    character(*), intent(in) :: path, name, units
    integer, intent(in) :: shape(2), rows
    integer :: ranks, n
    output%comm = comm
    call MPI_Comm_rank(comm, output%rank)
    call MPI_Comm_size(comm, ranks)
    allocate (output%cells(ranks))
    call MPI_Gather(shape(1) * rows, 1, MPI_INTEGER, output%cells, 1, MPI_INTEGER, 0, comm)
    output%places = [(sum(output%cells(:n)), n=0, ranks - 1)]
    if (output%rank == 0) call define_file(output, path, name, units, shape)
  end subroutine create_file

  subroutine define_file(output, path, name, units, shape)
    type(output_t), intent(inout) :: output
    character(*), intent(in) :: path, name, units
    integer, intent(in) :: shape(2)
    integer :: x, y, time
    call check(nf90_create(path, nf90_netcdf4, output%file))
    call check(nf90_def_dim(output%file, "x", shape(1), x))
    call check(nf90_def_dim(output%file, "y", shape(2), y))
    call check(nf90_def_dim(output%file, "time", nf90_unlimited, time))
    call check(nf90_def_var(output%file, "time", nf90_double, [time], output%time))
    call check(nf90_put_att(output%file, output%time, "units", "seconds since 2000-01-01 00:00:00"))
    call check(nf90_def_var(output%file, name, nf90_double, [x, y, time], output%field))
    call check(nf90_put_att(output%file, output%field, "units", units))
    call check(nf90_enddef(output%file))
  end subroutine define_file

  subroutine write_record(output, time_s, field)
    type(output_t), intent(inout) :: output
    real(real64), intent(in) :: time_s, field(:, :)
    real(real64), allocatable :: whole(:, :)
    allocate (whole(size(field, 1), merge(sum(output%cells) / max(1, size(field, 1)), 0, output%rank == 0)))
    call MPI_Gatherv(field, size(field), MPI_DOUBLE_PRECISION, whole, output%cells, output%places, &
      MPI_DOUBLE_PRECISION, 0, output%comm)
    output%records = output%records + 1
    if (output%rank /= 0) return
    call check(nf90_put_var(output%file, output%time, time_s, [output%records]))
    call check(nf90_put_var(output%file, output%field, whole, [1, 1, output%records]))
  end subroutine write_record

  subroutine close_file(output)
    type(output_t), intent(in) :: output
    if (output%rank == 0) call check(nf90_close(output%file))
  end subroutine close_file

  subroutine check(status)
    integer, intent(in) :: status
    if (status == nf90_noerr) return
    write (error_unit, "(a)") trim(nf90_strerror(status))
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine check

end module gathered_output
