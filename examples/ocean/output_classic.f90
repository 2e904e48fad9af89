! Output as it is commonly written by hand: each field is packed, gathered on rank 0, and written there by netCDF
! while all others wait.
module output_classic
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use mpi_f08
  use netcdf
  use decomposition, only: block_t
  use fields, only: axis_t, field_t, fields_t, position_t
  use grid, only: nf
  use output, only: model_source, model_title, output_t
  use settings, only: settings_t
  use state, only: fill
  implicit none
  private
  public :: output_classic_t

  type :: file_t
    integer :: id = -1, time = -1, records = 0
    integer, allocatable :: variables(:)
  end type file_t

  type, extends(output_t) :: output_classic_t
    type(settings_t) :: chosen
    type(MPI_Comm) :: comm
    integer :: rank = 0, ranks = 1
    type(file_t) :: history, restart
    integer, allocatable :: place(:, :, :)  ! on rank 0: [start, count] × position × rank
  contains
    procedure :: start, define, due, finish
    procedure :: step => write_step
  end type output_classic_t

contains

  subroutine start(out, world, chosen, comm, computes)
    class(output_classic_t), intent(inout) :: out
    type(MPI_Comm), intent(in) :: world
    type(settings_t), intent(in) :: chosen
    type(MPI_Comm), intent(out) :: comm
    logical, intent(out) :: computes
    out%chosen = chosen
    out%comm = world
    call MPI_Comm_rank(world, out%rank)
    call MPI_Comm_size(world, out%ranks)
    comm = world
    computes = .true.
  end subroutine start

  ! Rank 0 learns where every rank's pieces go, and makes the files.
  subroutine define(out, f, b, time_s)
    class(output_classic_t), intent(inout) :: out
    type(fields_t), intent(in) :: f
    type(block_t), intent(in) :: b
    real(real64), intent(in) :: time_s
    integer :: mine(4, 4), p
    do p = 1, 4
      mine(:, p) = [f%position(p)%start, merge([0, 0], f%position(p)%count, b%idle)]
    end do
    allocate (out%place(4, 4, 0:out%ranks - 1))
    call MPI_Gather(mine, 16, MPI_INTEGER, out%place, 16, MPI_INTEGER, 0, out%comm)
    if (out%rank /= 0) return
    call make_file(out%history, out%chosen%history_file, out%chosen%format, f, f%history, nf90_float)
    call make_file(out%restart, out%chosen%restart_file, out%chosen%format, f, f%restart, nf90_double)
  end subroutine define

  subroutine make_file(file, path, format, f, table, kind)
    type(file_t), intent(inout) :: file
    character(*), intent(in) :: path, format
    type(fields_t), intent(in) :: f
    type(field_t), intent(in) :: table(:)
    integer, intent(in) :: kind
    integer :: mode, old, axes(size(f%axis)), n
    mode = ior(nf90_clobber, merge(nf90_64bit_data, nf90_netcdf4, format == "cdf5"))
    call nf(nf90_create(path, mode, file%id), "create "//path)
    call nf(nf90_set_fill(file%id, nf90_nofill, old), "switch off filling of "//path)
    call nf(nf90_put_att(file%id, nf90_global, "Conventions", "CF-1.8"), "describe "//path)
    call nf(nf90_put_att(file%id, nf90_global, "title", model_title), "describe "//path)
    call nf(nf90_put_att(file%id, nf90_global, "source", model_source), "describe "//path)
    call define_time(file)
    do n = 1, size(f%axis)
      axes(n) = define_axis(file%id, f%axis(n))
    end do
    file%variables = [(define_field(file%id, table(n), f%position(table(n)%position), kind, format), n=1, size(table))]
    call nf(nf90_enddef(file%id), "write the header of "//path)
    do n = 1, size(f%axis)
      call nf(nf90_put_var(file%id, axes(n), f%axis(n)%values), "write "//f%axis(n)%name)
    end do
  end subroutine make_file

  subroutine define_time(file)
    type(file_t), intent(inout) :: file
    integer :: dimension
    call nf(nf90_def_dim(file%id, "time", nf90_unlimited, dimension), "define time")
    call nf(nf90_def_var(file%id, "time", nf90_double, [dimension], file%time), "define time")
    call nf(nf90_put_att(file%id, file%time, "units", "seconds since 2000-01-01 00:00:00"), "describe time")
    call nf(nf90_put_att(file%id, file%time, "calendar", "standard"), "describe time")
    call nf(nf90_put_att(file%id, file%time, "standard_name", "time"), "describe time")
    call nf(nf90_put_att(file%id, file%time, "axis", "T"), "describe time")
  end subroutine define_time

  integer function define_axis(file, axis) result(id)
    integer, intent(in) :: file
    type(axis_t), intent(in) :: axis
    integer :: dimension
    call nf(nf90_def_dim(file, axis%name, size(axis%values), dimension), "define "//axis%name)
    call nf(nf90_def_var(file, axis%name, nf90_double, [dimension], id), "define "//axis%name)
    call nf(nf90_put_att(file, id, "units", trim(axis%units)), "describe "//axis%name)
    call nf(nf90_put_att(file, id, "standard_name", trim(axis%standard_name)), "describe "//axis%name)
    call nf(nf90_put_att(file, id, "long_name", trim(axis%long_name)), "describe "//axis%name)
    call nf(nf90_put_att(file, id, "axis", trim(axis%axis)), "describe "//axis%name)
    if (axis%axis == "Z") call nf(nf90_put_att(file, id, "positive", "down"), "describe "//axis%name)
  end function define_axis

  integer function define_field(file, field, position, kind, format) result(id)
    integer, intent(in) :: file, kind
    type(field_t), intent(in) :: field
    type(position_t), intent(in) :: position
    character(*), intent(in) :: format
    integer, allocatable :: dims(:), chunk(:)
    integer :: d(4), comma
    comma = index(position%dims, ",")
    call nf(nf90_inq_dimid(file, position%dims(:comma - 1), d(1)), "find "//position%dims)
    call nf(nf90_inq_dimid(file, trim(position%dims(comma + 1:)), d(2)), "find "//position%dims)
    call nf(nf90_inq_dimid(file, "depth", d(3)), "find depth")
    call nf(nf90_inq_dimid(file, "time", d(4)), "find time")
    dims = d
    if (field%flat) dims = d([1, 2, 4])
    call nf(nf90_def_var(file, field%name, kind, dims, id), "define "//field%name)
    chunk = [position%shape, (1, comma=3, size(dims))]
    if (format == "netcdf4") call nf(nf90_def_var_chunking(file, id, nf90_chunked, chunk), "chunk "//field%name)
    if (kind == nf90_float) call nf(nf90_put_att(file, id, "_FillValue", real(fill, real32)), "describe "//field%name)
    if (kind == nf90_double) call nf(nf90_put_att(file, id, "_FillValue", fill), "describe "//field%name)
    call nf(nf90_put_att(file, id, "units", trim(field%units)), "describe "//field%name)
    call nf(nf90_put_att(file, id, "long_name", trim(field%long_name)), "describe "//field%name)
    call nf(nf90_put_att(file, id, "standard_name", trim(field%standard_name)), "describe "//field%name)
  end function define_field

  subroutine due(out, step, history, restart)
    class(output_classic_t), intent(in) :: out
    integer, intent(in) :: step
    logical, intent(out) :: history, restart
    history = mod(step, out%chosen%output_every) == 0
    restart = mod(step, out%chosen%restart_every) == 0
  end subroutine due

  subroutine write_step(out, f, step, time_s)
    class(output_classic_t), intent(inout) :: out
    type(fields_t), intent(in) :: f
    integer, intent(in) :: step
    real(real64), intent(in) :: time_s
    logical :: history, restart
    integer :: n
    call out%due(step, history, restart)
    if (history) then
      call start_record(out, out%history, time_s)
      do n = 1, size(f%history)
        call write_single(out, f%history(n), f%position(f%history(n)%position)%shape, n)
      end do
    end if
    if (restart) then
      call start_record(out, out%restart, time_s)
      do n = 1, size(f%restart)
        call write_double(out, f%restart(n), f%position(f%restart(n)%position)%shape, n)
      end do
    end if
  end subroutine write_step

  subroutine start_record(out, file, time_s)
    class(output_classic_t), intent(in) :: out
    type(file_t), intent(inout) :: file
    real(real64), intent(in) :: time_s
    file%records = file%records + 1
    if (out%rank /= 0) return
    call nf(nf90_put_var(file%id, file%time, [time_s], start=[file%records], count=[1]), "write time")
  end subroutine start_record

  ! A field of the history: float32 on the way and in the file.
  subroutine write_single(out, field, shape, n)
    class(output_classic_t), intent(inout) :: out
    type(field_t), intent(in) :: field
    integer, intent(in) :: shape(2), n
    real(real32), allocatable :: piece(:), pieces(:), whole(:, :, :)
    integer :: counts(0:out%ranks - 1), offsets(0:out%ranks - 1), box(4), rank, levels
    levels = size(field%values, 3)
    call sizes(out, field%position, levels, counts, offsets)
    piece = reshape(real(field%values, real32), [size(field%values)])
    allocate (pieces(sum(counts)))
    call MPI_Gatherv(piece, size(piece), MPI_REAL, pieces, counts, offsets, MPI_REAL, 0, out%comm)
    if (out%rank /= 0) return
    allocate (whole(shape(1), shape(2), levels), source=real(fill, real32))
    do rank = 0, out%ranks - 1
      box = out%place(:, field%position, rank)
      whole(box(1):box(1) + box(3) - 1, box(2):box(2) + box(4) - 1, :) = &
        reshape(pieces(offsets(rank) + 1:offsets(rank) + counts(rank)), [box(3), box(4), levels])
    end do
    call nf(nf90_put_var(out%history%id, out%history%variables(n), whole, start=first(field, out%history%records)), &
      "write "//field%name)
  end subroutine write_single

  ! A field of the restart: float64 all the way.
  subroutine write_double(out, field, shape, n)
    class(output_classic_t), intent(inout) :: out
    type(field_t), intent(in) :: field
    integer, intent(in) :: shape(2), n
    real(real64), allocatable :: piece(:), pieces(:), whole(:, :, :)
    integer :: counts(0:out%ranks - 1), offsets(0:out%ranks - 1), box(4), rank, levels
    levels = size(field%values, 3)
    call sizes(out, field%position, levels, counts, offsets)
    piece = reshape(field%values, [size(field%values)])
    allocate (pieces(sum(counts)))
    call MPI_Gatherv(piece, size(piece), MPI_DOUBLE_PRECISION, pieces, counts, offsets, MPI_DOUBLE_PRECISION, 0, &
      out%comm)
    if (out%rank /= 0) return
    allocate (whole(shape(1), shape(2), levels), source=fill)
    do rank = 0, out%ranks - 1
      box = out%place(:, field%position, rank)
      whole(box(1):box(1) + box(3) - 1, box(2):box(2) + box(4) - 1, :) = &
        reshape(pieces(offsets(rank) + 1:offsets(rank) + counts(rank)), [box(3), box(4), levels])
    end do
    call nf(nf90_put_var(out%restart%id, out%restart%variables(n), whole, start=first(field, out%restart%records)), &
      "write "//field%name)
  end subroutine write_double

  ! What each rank sends and where it lands in the gathered buffer; all zero but on rank 0, where it matters.
  subroutine sizes(out, position, levels, counts, offsets)
    class(output_classic_t), intent(in) :: out
    integer, intent(in) :: position, levels
    integer, intent(out) :: counts(0:), offsets(0:)
    integer :: rank
    counts = 0
    if (out%rank == 0) counts = out%place(3, position, :) * out%place(4, position, :) * levels
    offsets = [(sum(counts(:rank - 1)), rank=0, out%ranks - 1)]
  end subroutine sizes

  ! Where the record of a field starts in the file.
  pure function first(field, record)
    type(field_t), intent(in) :: field
    integer, intent(in) :: record
    integer, allocatable :: first(:)
    first = [1, 1, 1, record]
    if (field%flat) first = [1, 1, record]
  end function first

  subroutine finish(out)
    class(output_classic_t), intent(inout) :: out
    if (out%rank /= 0) return
    call nf(nf90_close(out%history%id), "close "//out%chosen%history_file)
    call nf(nf90_close(out%restart%id), "close "//out%chosen%restart_file)
  end subroutine finish

end module output_classic
