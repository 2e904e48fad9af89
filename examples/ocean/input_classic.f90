! Input as it is commonly read by hand. Every rank reads the mask, and its part of the restart, from the file by itself;
! of the wind, rank 0 reads a record when time has passed the one before, and sends all of it to all.
submodule(input) input_classic
  use mpi_f08, only: MPI_Bcast, MPI_Comm_rank, MPI_DOUBLE_PRECISION, MPI_INTEGER
  use netcdf
  use fields, only: restart
  use grid, only: nf
  use settings, only: stop_model

  type(MPI_Comm) :: world
  type(position_t) :: own                       ! the cells of this rank
  integer :: rank = 0, wind_file = -1, taux = -1
  integer :: lower = 0                          ! the record before the present time; 0: none yet
  real(real64), allocatable :: wind_times(:)    ! of all records
  real(real64), allocatable :: around(:, :, :)  ! this rank's part of the records before and after the present time

contains

  module procedure classic_mask
    integer :: id, variable, ids(2), nx, ny
    call nf(nf90_open(chosen%mask_file, nf90_nowrite, id), "open "//chosen%mask_file)
    call nf(nf90_inq_varid(id, "wet", variable), "find wet in "//chosen%mask_file)
    call nf(nf90_inquire_variable(id, variable, dimids=ids), "ask for the shape of wet")
    call nf(nf90_inquire_dimension(id, ids(1), len=nx), "ask for the first dimension of wet")
    call nf(nf90_inquire_dimension(id, ids(2), len=ny), "ask for the second dimension of wet")
    allocate (wet(nx, ny))
    call nf(nf90_get_var(id, variable, wet), "read wet from "//chosen%mask_file)
    call nf(nf90_close(id), "close "//chosen%mask_file)
  end procedure classic_mask

  module procedure classic_restart
    integer :: id, time, record, variable, n
    real(real64) :: seconds(1)
    character(:), allocatable :: path
    path = trim(chosen%restart_from)
    call nf(nf90_open(path, nf90_nowrite, id), "open the restart "//path)
    call nf(nf90_inq_dimid(id, "time", time), "find the dimension time in "//path)
    call nf(nf90_inquire_dimension(id, time, len=record), "ask for the number of records in "//path)
    call nf(nf90_inq_varid(id, "time", variable), "find time in "//path)
    call nf(nf90_get_var(id, variable, seconds, start=[record], count=[1]), "read time from "//path)
    time_s = seconds(1)
    do n = 1, size(f%field)
      associate (field => f%field(n), at => f%position(f%field(n)%position))
        if (field%file /= restart .or. at%boxes == 0) cycle
        call nf(nf90_inq_varid(id, field%name, variable), "find "//trim(field%name)//" in "//path)
        if (field%flat) then
          call nf(nf90_get_var(id, variable, field%values(:, :, 1), start=[at%start, record], count=[at%count, 1]), &
            "read "//trim(field%name)//" from "//path)
        else
          call nf(nf90_get_var(id, variable, field%values, start=[at%start, 1, record], &
            count=[at%count, size(field%values, 3), 1]), "read "//trim(field%name)//" from "//path)
        end if
      end associate
    end do
    call nf(nf90_close(id), "close "//path)
  end procedure classic_restart

  ! The file counts seconds since the beginning of the model's time: nothing is translated here.
  module procedure classic_open_wind
    integer :: time, variable, records
    world = comm
    own = cells
    allocate (around(own%count(1), own%count(2), 2))
    call MPI_Comm_rank(world, rank)
    if (rank == 0) then
      call nf(nf90_open(chosen%wind, nf90_nowrite, wind_file), "open the wind "//chosen%wind)
      call nf(nf90_inq_varid(wind_file, "taux", taux), "find taux in "//chosen%wind)
      call nf(nf90_inq_varid(wind_file, "time", variable), "find time in "//chosen%wind)
      call nf(nf90_inq_dimid(wind_file, "time", time), "find the dimension time in "//chosen%wind)
      call nf(nf90_inquire_dimension(wind_file, time, len=records), "ask for the number of records in "//chosen%wind)
    end if
    call MPI_Bcast(records, 1, MPI_INTEGER, 0, world)
    allocate (wind_times(records))
    if (rank == 0) call nf(nf90_get_var(wind_file, variable, wind_times), "read time from "//chosen%wind)
    call MPI_Bcast(wind_times, records, MPI_DOUBLE_PRECISION, 0, world)
  end procedure classic_open_wind

  module procedure classic_wind
    integer :: before
    real(real64) :: weight
    before = count(wind_times <= time_s)
    if (before == 0 .or. before == size(wind_times)) &
      call stop_model(trim(chosen%wind)//": the wind has no record before or after the present time")
    if (before /= lower) then
      if (before == lower + 1 .and. lower > 0) then
        around(:, :, 1) = around(:, :, 2)
      else
        call read_record(before, around(:, :, 1))
      end if
      call read_record(before + 1, around(:, :, 2))
      lower = before
    end if
    if (own%boxes == 0) return
    weight = (time_s - wind_times(lower)) / (wind_times(lower + 1) - wind_times(lower))
    stress = around(:, :, 1) + weight * (around(:, :, 2) - around(:, :, 1))
  end procedure classic_wind

  subroutine read_record(record, part)
    integer, intent(in) :: record
    real(real64), intent(out) :: part(:, :)
    real(real64), allocatable :: whole(:, :)
    allocate (whole(own%shape(1), own%shape(2)))
    if (rank == 0) call nf(nf90_get_var(wind_file, taux, whole, start=[1, 1, record], count=[own%shape, 1]), &
      "read taux from "//chosen%wind)
    call MPI_Bcast(whole, size(whole), MPI_DOUBLE_PRECISION, 0, world)
    part = whole(own%start(1):own%start(1) + own%count(1) - 1, own%start(2):own%start(2) + own%count(2) - 1)
  end subroutine read_record

end submodule input_classic
