! What NASA's pfio_MAPL_demo does, through Thalweg: fields on (lon, lat, lev) without any computation, in collections of
! daily files, from a driver loop as MAPL's Cap has one. README.md sets the calls of both side by side.
!   mpiexec -n 4 pfio_demo [--im 360] [--jm 181] [--km 72] [--files 3] [--records 6] [--collections 1] [--config FILE]
program pfio_demo
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use mpi_f08
  use thalweg
  use blocks, only: block_of, block_t
  use command_line, only: count_option, text_option
  implicit none
  real(real32), parameter :: undefined = 1.0e15_real32  ! MAPL_UNDEF
  real(real64), parameter :: day_s = 86400.0
  integer :: im, jm, km                   ! cells along lon, lat, lev
  integer :: files, records, collections  ! days, records a day
  type(thw_session) :: io

  call MPI_Init()
  im = count_option("im", 360, least=1)
  jm = count_option("jm", 181, least=2)
  km = count_option("km", 72, least=1)
  files = count_option("files", 3, least=1)
  records = count_option("records", 6, least=1)
  collections = count_option("collections", 1, least=1)
  call thw_start(io, MPI_COMM_WORLD, text_option("config", "pfio_demo.yaml"))
  ! False on ranks that the configuration makes servers: they come back when all is written.
  if (thw_is_client(io)) call run_model()
  call thw_finish(io)
  call MPI_Finalize()

contains

  ! The driver loop.
  subroutine run_model()
    type(MPI_Comm) :: comm
    type(block_t) :: own
    type(thw_collection) :: sample(collections)
    real(real32), allocatable :: temperature(:, :, :), tracer(:, :)
    real(real64) :: pause_s(files * records)
    integer :: rank, ranks, day, record, step
    call thw_model_comm(io, comm)
    call MPI_Comm_rank(comm, rank)
    call MPI_Comm_size(comm, ranks)
    own = block_of(rank, ranks, [im, jm])
    allocate (temperature(own%cells(1), own%cells(2), km), tracer(own%cells(1), own%cells(2)))
    call define_metadata(sample, own)
    step = 0
    do day = 1, files
      call begin_files(sample, day, rank)
      do record = 1, records
        step = step + 1
        if (rank == 0) print "(4(a, i0))", "step ", step, ": day ", day, ", record ", record, " of ", records
        call write_record(sample, step, real(record * day_s / records / 60.0, real32), own, temperature, tracer, &
          pause_s(step))
      end do
    end do
    ! Records between nodes move while ranks are in a call of Thalweg. A rank that holds nothing is ahead of all others
    ! by now, so it waits for them here and not in MPI.
    call thw_wait(io)
    call say_pauses(comm, rank, pause_s)
  end subroutine run_model

  ! Metadata is said once, by names; all files of a collection have it, but for what begin_files changes.
  subroutine define_metadata(sample, own)
    type(thw_collection), intent(inout) :: sample(:)
    type(block_t), intent(in) :: own
    type(thw_decomposition) :: plane
    integer :: n
    call thw_decompose(io, plane, "lon,lat", [im, jm], own%first, own%cells, boxes=own%boxes)
    do n = 1, collections
      call thw_open_collection(io, sample(n), name_of(n))
      call thw_define_dimension(sample(n), "lev", km)
      call define_axes(sample(n))
      call define_field(sample(n), "temperature", "lon,lat,lev,time", "K", plane)
      call define_field(sample(n), "tracer", "lon,lat,time", "mol mol-1", plane)
      call define_file(sample(n))
    end do
    call thw_ready(io)
    do n = 1, collections
      call put_axes(sample(n))
    end do
  end subroutine define_metadata

  subroutine define_axes(sample)
    type(thw_collection), intent(in) :: sample
    ! The whole axes are cut by no one; "plane" cuts the dimensions of fields.
    call thw_define_dimension(sample, "lon", im)
    call thw_define_dimension(sample, "lat", jm)
    call thw_define_variable(sample, "lon", "lon", THW_REAL32, units="degrees_east", long_name="Longitude")
    call thw_define_variable(sample, "lat", "lat", THW_REAL32, units="degrees_north", long_name="Latitude")
    call thw_define_variable(sample, "lev", "lev", THW_REAL32, units="layer", long_name="Vertical level", &
      standard_name="model_layers")
    call thw_define_text(sample, "positive", "down", variable="lev")
    call thw_define_text(sample, "coordinate", "eta", variable="lev")
    ! Without this, Thalweg would write "time" by itself, in seconds since reference-date.
    call thw_define_variable(sample, "time", "time", THW_REAL32, units=units_of(day=1), long_name="time")
    call thw_define_attribute(sample, "time_increment", time_increment(), variable="time")
  end subroutine define_axes

  ! The attributes that PFIO's demo gives to each of its fields.
  subroutine define_field(sample, name, dims, units, plane)
    type(thw_collection), intent(in) :: sample
    character(*), intent(in) :: name, dims, units
    type(thw_decomposition), intent(in) :: plane
    call thw_define_variable(sample, name, dims, THW_REAL32, plane, units=units, long_name=name)
    call thw_define_attribute(sample, "scale_factor", 1.0_real32, variable=name)
    call thw_define_attribute(sample, "add_offset", 0.0_real32, variable=name)
    call thw_define_attribute(sample, "missing_value", undefined, variable=name)
    call thw_define_attribute(sample, "_FillValue", undefined, variable=name)
    call thw_define_attribute(sample, "valid_range", [-undefined, undefined], variable=name)
    call thw_define_attribute(sample, "vmin", -undefined, variable=name)
    call thw_define_attribute(sample, "vmax", undefined, variable=name)
  end subroutine define_field

  ! Attributes of the files.
  subroutine define_file(sample)
    type(thw_collection), intent(in) :: sample
    character(16) :: version
    call thw_version(version)
    call thw_define_text(sample, "Conventions", "COARDS")
    call thw_define_text(sample, "Source", "pfio_demo")
    call thw_define_text(sample, "Title", "Sample code for users of PFIO")
    call thw_define_text(sample, "HISTORY", "File written by Thalweg "//trim(version))
  end subroutine define_file

  ! Variables without records are put once and are in every file.
  subroutine put_axes(sample)
    type(thw_collection), intent(in) :: sample
    integer :: n
    call thw_put(sample, "lon", [(real(-180.0_real64 + (n - 1) * 360.0_real64 / im, real32), n=1, im)])
    call thw_put(sample, "lat", [(real(-90.0_real64 + (n - 1) * 180.0_real64 / (jm - 1), real32), n=1, jm)])
    call thw_put(sample, "lev", [(real(n, real32), n=1, km)])
  end subroutine put_axes

  ! The records that follow go to files of these names, in which time counts from the beginning of the day.
  subroutine begin_files(sample, day, rank)
    type(thw_collection), intent(in) :: sample(:)
    integer, intent(in) :: day, rank
    character(:), allocatable :: file
    character(8) :: number
    integer :: n
    write (number, "(i4.4)") day
    do n = 1, collections
      file = name_of(n)//"_Day"//trim(number)//".nc4"
      call thw_new_file(sample(n), file)
      call thw_change_text(sample(n), "units", units_of(day), variable="time")
      if (rank == 0) print "(2a)", "file ", file
    end do
  end subroutine begin_files

  ! time: in minutes, in the file. pause_s: how long all of it kept this rank from going on.
  subroutine write_record(sample, step, time, own, temperature, tracer, pause_s)
    type(thw_collection), intent(in) :: sample(:)
    integer, intent(in) :: step
    real(real32), intent(in) :: time
    type(block_t), intent(in) :: own
    real(real32), intent(inout) :: temperature(:, :, :), tracer(:, :)
    real(real64), intent(out) :: pause_s
    real(real64) :: began_s
    integer :: n
    pause_s = 0.0
    do n = 1, collections
      call set_fields(step, n, own, temperature, tracer)
      began_s = MPI_Wtime()
      call thw_put(sample(n), "temperature", temperature)
      call thw_put(sample(n), "tracer", tracer)
      call thw_put(sample(n), "time", time)
      pause_s = pause_s + MPI_Wtime() - began_s
    end do
    began_s = MPI_Wtime()
    call thw_advance(io, step * day_s / records)
    pause_s = pause_s + MPI_Wtime() - began_s
  end subroutine write_record

  ! Every value is a small whole number over a power of two, so that it can be computed again bit for bit.
  subroutine set_fields(step, collection, own, temperature, tracer)
    integer, intent(in) :: step, collection
    type(block_t), intent(in) :: own
    real(real32), intent(out) :: temperature(:, :, :), tracer(:, :)
    integer :: i, j, k, cell, place
    do k = 1, km
      do j = 1, own%cells(2)
        do i = 1, own%cells(1)
          cell = own%first(1) + i - 2 + im * (own%first(2) + j - 2 + jm * (k - 1))
          place = mod(cell + 4099 * step + 8209 * collection, 65521)
          temperature(i, j, k) = 200.0_real32 + place / 1024.0_real32
          if (k == 1) tracer(i, j) = place / 65536.0_real32
        end do
      end do
    end do
  end subroutine set_fields

  ! A record counts as long as the rank that it kept longest.
  subroutine say_pauses(comm, rank, pause_s)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: rank
    real(real64), intent(in) :: pause_s(:)
    real(real64) :: slowest_ms(size(pause_s))
    call MPI_Allreduce(1000.0 * pause_s, slowest_ms, size(pause_s), MPI_DOUBLE_PRECISION, MPI_MAX, comm)
    if (rank == 0) print "(i0, a, 3(a, f9.3))", size(pause_s), " records paused the model, in ms:", " min", &
      minval(slowest_ms), ", mean", sum(slowest_ms) / size(slowest_ms), ", max", maxval(slowest_ms)
  end subroutine say_pauses

  function name_of(collection) result(name)
    integer, intent(in) :: collection
    character(:), allocatable :: name
    character(12) :: number
    write (number, "(i0)") collection
    name = "sample"//trim(number)
  end function name_of

  ! The first day is 2010-01-03.
  function units_of(day) result(units)
    integer, intent(in) :: day
    character(33) :: units
    integer :: year, month, date
    year = 2010
    month = 1
    date = day + 2
    do while (date > length_of(month, year))
      date = date - length_of(month, year)
      if (month == 12) year = year + 1
      month = mod(month, 12) + 1
    end do
    write (units, "(a, i4.4, 2('-', i2.2), a)") "minutes since ", year, month, date, " 00:00:00"
  end function units_of

  ! In days; from 1901 to 2099 every fourth year is a leap year.
  integer function length_of(month, year) result(days)
    integer, intent(in) :: month, year
    integer, parameter :: of_common_year(12) = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    days = of_common_year(month)
    if (month == 2 .and. mod(year, 4) == 0) days = 29
  end function length_of

  ! COARDS writes it as hhmmss.
  integer function time_increment()
    integer :: seconds
    seconds = nint(day_s / records)
    time_increment = 10000 * (seconds / 3600) + 100 * mod(seconds / 60, 60) + mod(seconds, 60)
  end function time_increment

end program pfio_demo
