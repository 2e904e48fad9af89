! Output as it is commonly written by hand: each field is packed, gathered on rank 0, and written there by netCDF
! while all others wait.
submodule(output) output_classic
  use mpi_f08, only: MPI_Comm_rank, MPI_Comm_size, MPI_DOUBLE_PRECISION, MPI_Gather, MPI_Gatherv, MPI_INTEGER, MPI_REAL
  use netcdf
  use grid, only: nf

  type :: file_t
    integer :: id = -1, time = -1, records = 0
  end type file_t

  type(MPI_Comm) :: world
  integer :: rank = 0, ranks = 1
  type(file_t) :: file(2)                 ! history, restart
  integer, parameter :: kind_of(2) = [nf90_float, nf90_double]
  integer, allocatable :: variables(:)    ! of the fields, in their files
  integer, allocatable :: place(:, :, :)  ! on rank 0: [start, count] × position × rank

contains

  module procedure classic_start
    world = comm
    call MPI_Comm_rank(world, rank)
    call MPI_Comm_size(world, ranks)
  end procedure classic_start

  ! Rank 0 learns where every rank's pieces go, and makes the files.
  module procedure classic_begin
    integer :: mine(4, 4), p
    do p = 1, 4
      mine(:, p) = [f%position(p)%start, f%position(p)%count * f%position(p)%boxes]
    end do
    allocate (place(4, 4, 0:ranks - 1), variables(size(f%field)))
    call MPI_Gather(mine, 16, MPI_INTEGER, place, 16, MPI_INTEGER, 0, world)
    if (rank /= 0) return
    call make_file(history, trim(chosen%history_file), f)
    call make_file(restart, trim(chosen%restart_file), f)
  end procedure classic_begin

  subroutine make_file(number, path, f)
    integer, intent(in) :: number
    character(*), intent(in) :: path
    type(fields_t), intent(in) :: f
    integer :: old, axes(size(f%axis)), n
    call nf(nf90_create(path, ior(nf90_clobber, merge(nf90_64bit_data, nf90_netcdf4, chosen%format == "cdf5")), &
      file(number)%id), "create "//path)
    call nf(nf90_set_fill(file(number)%id, nf90_nofill, old), "switch off filling of "//path)
    call define_time(file(number))
    do n = 1, size(f%axis)
      if (f%axis(n)%file == number) call define_axis(f%axis(n), axes(n))
    end do
    do n = 1, size(f%field)
      if (f%field(n)%file == number) call define_field(f%field(n), f%position(f%field(n)%position), variables(n))
    end do
    do n = 1, size(f%text)
      if (f%text(n)%file == number) call define_text(f%text(n))
    end do
    call nf(nf90_enddef(file(number)%id), "write the header of "//path)
    do n = 1, size(f%axis)
      if (f%axis(n)%file == number) &
        call nf(nf90_put_var(file(number)%id, axes(n), f%axis(n)%values), "write "//f%axis(n)%name)
    end do
  end subroutine make_file

  subroutine define_time(to)
    type(file_t), intent(inout) :: to
    integer :: dimension
    call nf(nf90_def_dim(to%id, "time", nf90_unlimited, dimension), "define time")
    call nf(nf90_def_var(to%id, "time", nf90_double, [dimension], to%time), "define time")
    call nf(nf90_put_att(to%id, to%time, "units", "seconds since 2000-01-01 00:00:00"), "describe time")
    call nf(nf90_put_att(to%id, to%time, "calendar", "standard"), "describe time")
    call nf(nf90_put_att(to%id, to%time, "standard_name", "time"), "describe time")
    call nf(nf90_put_att(to%id, to%time, "axis", "T"), "describe time")
  end subroutine define_time

  subroutine define_axis(axis, variable)
    type(axis_t), intent(in) :: axis
    integer, intent(out) :: variable
    integer :: dimension
    call nf(nf90_def_dim(file(axis%file)%id, axis%name, size(axis%values), dimension), "define "//axis%name)
    call nf(nf90_def_var(file(axis%file)%id, axis%name, nf90_double, [dimension], variable), "define "//axis%name)
  end subroutine define_axis

  subroutine define_field(field, position, variable)
    type(field_t), intent(in) :: field
    type(position_t), intent(in) :: position
    integer, intent(out) :: variable
    integer, allocatable :: dims(:), chunk(:)
    integer :: id, d(4), comma
    id = file(field%file)%id
    comma = index(position%dims, ",")
    call nf(nf90_inq_dimid(id, position%dims(:comma - 1), d(1)), "find "//position%dims)
    call nf(nf90_inq_dimid(id, trim(position%dims(comma + 1:)), d(2)), "find "//position%dims)
    call nf(nf90_inq_dimid(id, "depth", d(3)), "find depth")
    call nf(nf90_inq_dimid(id, "time", d(4)), "find time")
    dims = d
    if (field%flat) dims = d([1, 2, 4])
    call nf(nf90_def_var(id, field%name, kind_of(field%file), dims, variable), "define "//field%name)
    chunk = [position%shape, (1, comma=3, size(dims))]
    if (chosen%format == "netcdf4") &
      call nf(nf90_def_var_chunking(id, variable, nf90_chunked, chunk), "chunk "//field%name)
    if (field%file == history) call nf(nf90_put_att(id, variable, "_FillValue", nf90_fill_float), "fill "//field%name)
    if (field%file == restart) call nf(nf90_put_att(id, variable, "_FillValue", nf90_fill_double), "fill "//field%name)
  end subroutine define_field

  subroutine define_text(text)
    type(text_t), intent(in) :: text
    integer :: variable
    variable = nf90_global
    if (text%variable /= "") &
      call nf(nf90_inq_varid(file(text%file)%id, text%variable, variable), "find "//text%variable)
    call nf(nf90_put_att(file(text%file)%id, variable, trim(text%name), trim(text%text)), "describe "//text%variable)
  end subroutine define_text

  module procedure classic_step
    integer :: n
    do n = 1, 2
      if (due(n)) call start_record(file(n), time_s)
    end do
    do n = 1, size(f%field)
      associate (field => f%field(n), shape => f%position(f%field(n)%position)%shape)
        if (due(history) .and. field%file == history) call write_single(field, shape, variables(n))
        if (due(restart) .and. field%file == restart) call write_double(field, shape, variables(n))
      end associate
    end do
  end procedure classic_step

  subroutine start_record(to, time_s)
    type(file_t), intent(inout) :: to
    real(real64), intent(in) :: time_s
    to%records = to%records + 1
    if (rank /= 0) return
    call nf(nf90_put_var(to%id, to%time, [time_s], start=[to%records], count=[1]), "write time")
  end subroutine start_record

  ! A field of the history: float32 on the way and in the file.
  subroutine write_single(field, shape, variable)
    type(field_t), intent(in) :: field
    integer, intent(in) :: shape(2), variable
    real(real32), allocatable :: piece(:), pieces(:), whole(:, :, :)
    integer :: counts(0:ranks - 1), offsets(0:ranks - 1), box(4), from, levels
    levels = size(field%values, 3)
    call sizes(field%position, levels, counts, offsets)
    piece = reshape(real(field%values, real32), [size(field%values)])
    allocate (pieces(sum(counts)))
    call MPI_Gatherv(piece, size(piece), MPI_REAL, pieces, counts, offsets, MPI_REAL, 0, world)
    if (rank /= 0) return
    allocate (whole(shape(1), shape(2), levels), source=nf90_fill_float)
    do from = 0, ranks - 1
      box = place(:, field%position, from)
      whole(box(1):box(1) + box(3) - 1, box(2):box(2) + box(4) - 1, :) = &
        reshape(pieces(offsets(from) + 1:offsets(from) + counts(from)), [box(3), box(4), levels])
    end do
    call nf(nf90_put_var(file(history)%id, variable, whole, start=first(field)), "write "//field%name)
  end subroutine write_single

  ! A field of the restart: float64 all the way.
  subroutine write_double(field, shape, variable)
    type(field_t), intent(in) :: field
    integer, intent(in) :: shape(2), variable
    real(real64), allocatable :: piece(:), pieces(:), whole(:, :, :)
    integer :: counts(0:ranks - 1), offsets(0:ranks - 1), box(4), from, levels
    levels = size(field%values, 3)
    call sizes(field%position, levels, counts, offsets)
    piece = reshape(field%values, [size(field%values)])
    allocate (pieces(sum(counts)))
    call MPI_Gatherv(piece, size(piece), MPI_DOUBLE_PRECISION, pieces, counts, offsets, MPI_DOUBLE_PRECISION, 0, world)
    if (rank /= 0) return
    allocate (whole(shape(1), shape(2), levels), source=nf90_fill_double)
    do from = 0, ranks - 1
      box = place(:, field%position, from)
      whole(box(1):box(1) + box(3) - 1, box(2):box(2) + box(4) - 1, :) = &
        reshape(pieces(offsets(from) + 1:offsets(from) + counts(from)), [box(3), box(4), levels])
    end do
    call nf(nf90_put_var(file(restart)%id, variable, whole, start=first(field)), "write "//field%name)
  end subroutine write_double

  ! What each rank sends and where it lands in the gathered buffer; all zero but on rank 0, where it matters.
  subroutine sizes(position, levels, counts, offsets)
    integer, intent(in) :: position, levels
    integer, intent(out) :: counts(0:), offsets(0:)
    integer :: from
    counts = 0
    if (rank == 0) counts = place(3, position, :) * place(4, position, :) * levels
    offsets = [(sum(counts(:from - 1)), from=0, ranks - 1)]
  end subroutine sizes

  ! Where the present record of a field starts in its file.
  function first(field)
    type(field_t), intent(in) :: field
    integer, allocatable :: first(:)
    first = [1, 1, 1, file(field%file)%records]
    if (field%flat) first = [1, 1, file(field%file)%records]
  end function first

  module procedure classic_finish
    if (rank /= 0) return
    call nf(nf90_close(file(history)%id), "close "//chosen%history_file)
    call nf(nf90_close(file(restart)%id), "close "//chosen%restart_file)
  end procedure classic_finish

end submodule output_classic
