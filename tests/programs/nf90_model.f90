!> A model that writes by the calls of netCDF-Fortran: every rank of a 2-D decomposition its own part, files that follow
!> each other, one without records, one that is compressed. nf90_model WAY [session.yaml]
!>
!> run     writes grd.nc, his_0001.nc, his_0002.nc and rst.nc
!> left    leaves its files open for thw_finish
!> wrong   asks for what is refused, and says what it is told
program nf90_model
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use mpi
  use thalweg
  use thalweg_nf90
  implicit none
  integer, parameter :: nx = 13, ny = 9, nz = 5
  type(thw_session) :: io
  character(16) :: way
  integer :: rank, ranks, comm, ierr
  integer :: is, ie, js, je

  call MPI_Init(ierr)
  call get_command_argument(1, way)
  call thw_start(io, MPI_COMM_WORLD, "thalweg.yaml")
  if (thw_is_client(io)) then
    call thw_model_comm(io, comm)
    call MPI_Comm_rank(comm, rank, ierr)
    call MPI_Comm_size(comm, ranks, ierr)
    call cut()
    call nf90_session(io)
    select case (way)
    case ("run", "left")
      call write_grid()
      call write_history("his_0001.nc", 0, 2, "first")
      call write_history("his_0002.nc", 2, 3, "second")
      call write_restart()
    case ("wrong")
      call be_wrong()
    end select
  end if
  call thw_finish(io)
  call MPI_Finalize(ierr)

contains

  !> Two columns of ranks; the last rank of an odd number has nothing.
  subroutine cut()
    integer :: rows, column, row
    rows = max(1, ranks / 2)
    column = mod(rank, 2)
    row = rank / 2
    is = 1
    ie = nx
    if (ranks > 1) then
      is = 1 + column * 6
      ie = merge(nx, 6, column == 1)
    end if
    js = 1 + ny * row / rows
    je = ny * (row + 1) / rows
    if (row >= rows) then
      ie = is - 1
      je = js - 1
    end if
  end subroutine cut

  elemental function value(i, j, k, record) result(v)
    integer, intent(in) :: i, j, k, record
    real(real64) :: v
    v = i + 100 * j + 10000 * k + 1000000 * record + 0.25_real64
  end function value

  !> With a halo of 2 cells, whose values are not to be written.
  function field(k, record) result(f)
    integer, intent(in) :: k, record
    real(real64) :: f(is - 2:ie + 2, js - 2:je + 2)
    integer :: i, j
    f = -999
    do j = js, je
      do i = is, ie
        f(i, j) = value(i, j, k, record)
      end do
    end do
  end function field

  subroutine check(status)
    integer, intent(in) :: status
    if (status == nf90_noerr) return
    write (*, '(a)') "rank "//achar(iachar("0") + rank)//": "//trim(nf90_strerror(status))
    call MPI_Abort(MPI_COMM_WORLD, 3, ierr)
  end subroutine check

  subroutine write_grid()
    integer :: ncid, x, y, len, h, lon, name, spherical
    real(real32) :: lons(nx)
    integer :: i
    lons = [(0.5_real32 * i, i=1, nx)]
    call check(nf90_create("grd.nc", nf90_clobber, ncid))
    call check(nf90_def_dim(ncid, "xi", nx, x))
    call check(nf90_def_dim(ncid, "eta", ny, y))
    call check(nf90_def_dim(ncid, "time", 8, len))
    call check(nf90_def_var(ncid, "h", nf90_double, [x, y], h))
    call check(nf90_def_var(ncid, "lon", nf90_float, x, lon))
    call check(nf90_def_var(ncid, "name", nf90_char, [len], name))
    call check(nf90_def_var(ncid, "spherical", nf90_int, spherical))
    call check(nf90_put_att(ncid, nf90_global, "history", "made"))
    call check(nf90_enddef(ncid))
    associate (f => field(1, 7))
      call check(nf90_put_var(ncid, h, f(3:ie - is + 3, 3:je - js + 3), start=[is, js], &
                              count=[max(0, ie - is + 1), max(0, je - js + 1)]))
    end associate
    call check(nf90_put_var(ncid, lon, lons))
    call check(nf90_put_var(ncid, name, "ocean"))
    call check(nf90_put_var(ncid, spherical, 1))
    if (way /= "left") call check(nf90_close(ncid))
  end subroutine write_grid

  subroutine write_history(path, first, records, title)
    character(*), intent(in) :: path, title
    integer, intent(in) :: first, records
    integer :: ncid, x, y, z, t, b, mask, time, bounds, zeta, temp, total, varid, record, k, own(2)
    integer :: land(nx, ny)
    character(80) :: padded  ! with blanks, which netCDF-Fortran leaves out of attributes
    land = 0
    land(2:3, :) = 1
    own = [max(0, ie - is + 1), max(0, je - js + 1)]
    call check(nf90_create(path, ior(nf90_clobber, nf90_64bit_offset), ncid, comm=comm))
    call check(nf90_def_dim(ncid, "xi", nx, x))
    call check(nf90_def_dim(ncid, "eta", ny, y))
    call check(nf90_def_dim(ncid, "s_rho", nz, z))
    call check(nf90_def_dim(ncid, "ocean_time", nf90_unlimited, t))
    call check(nf90_def_dim(ncid, "bounds", 2, b))
    call check(nf90_def_var(ncid, "mask", nf90_byte, [x, y], mask))
    call check(nf90_def_var(ncid, "ocean_time", nf90_double, [t], time))
    call check(nf90_def_var(ncid, "time_bounds", nf90_double, [b, t], bounds))
    call check(nf90_def_var(ncid, "zeta", nf90_float, [x, y, t], zeta))
    call check(nf90_def_var(ncid, "temp", nf90_double, [x, y, z, t], temp))
    call check(nf90_def_var(ncid, "total", nf90_int, [t], total))
    call check(nf90_put_att(ncid, time, "units", "seconds since 2000-01-01"))
    call check(nf90_put_att(ncid, zeta, "valid_range", [-100.0_real32, 1.0e9_real32]))
    padded = title
    call check(nf90_put_att(ncid, nf90_global, "title", padded))
    padded = ""
    call check(nf90_put_att(ncid, nf90_global, "comment", padded))
    call check(nf90_enddef(ncid))
    call check(nf90_inq_varid(ncid, "mask", varid))
    if (varid /= mask) call MPI_Abort(MPI_COMM_WORLD, 4, ierr)
    call check(nf90_put_var(ncid, mask, land(is:ie, js:je), start=[is, js], count=own))
    do record = 1, records
      call check(nf90_put_var(ncid, time, 60.0_real64 * (first + record), start=[record]))
      ! The same on every rank, one number after the other, of either kind.
      call check(nf90_put_var(ncid, bounds, 60.0_real32 * (first + record - 1), start=[1, record]))
      call check(nf90_put_var(ncid, bounds, 60.0_real64 * (first + record), start=[2, record]))
      associate (f => field(0, first + record))
        call check(nf90_put_var(ncid, zeta, f(3:ie - is + 3, 3:je - js + 3), start=[is, js, record], count=[own, 1]))
      end associate
      do k = 1, nz
        associate (f => field(k, first + record))
          call check(nf90_put_var(ncid, temp, f(3:ie - is + 3, 3:je - js + 3), start=[is, js, k, record], &
                                  count=[own, 1, 1]))
        end associate
      end do
      call check(nf90_put_var(ncid, total, 1000_int64 + record, start=[record]))
      call check(nf90_sync(ncid))
    end do
    if (way /= "left") call check(nf90_close(ncid))
  end subroutine write_history

  !> No sync: the next record closes the one before.
  subroutine write_restart()
    integer :: ncid, x, y, z, t, salt, record, k, own(2)
    real(real64) :: f(is:max(is, ie), js:max(js, je), nz)
    own = [max(0, ie - is + 1), max(0, je - js + 1)]
    call check(nf90_create("rst.nc", nf90_netcdf4, ncid))
    call check(nf90_def_dim(ncid, "xi", nx, x))
    call check(nf90_def_dim(ncid, "eta", ny, y))
    call check(nf90_def_dim(ncid, "s_rho", nz, z))
    call check(nf90_def_dim(ncid, "step", nf90_unlimited, t))
    call check(nf90_def_var(ncid, "salt", nf90_double, [x, y, z, t], salt, deflate_level=2, shuffle=.true.))
    do record = 1, 3
      do k = 1, nz
        associate (level => field(k, record))
          if (all(own > 0)) f(is:ie, js:je, k) = level(3:ie - is + 3, 3:je - js + 3)
        end associate
      end do
      call check(nf90_put_var(ncid, salt, f, start=[is, js, 1, record], count=[own, nz, 1]))
    end do
    if (way /= "left") call check(nf90_close(ncid))
  end subroutine write_restart

  subroutine be_wrong()
    integer :: ncid, other, x, t, u, temp, name
    real(real64) :: line(nx)
    line = 1.5_real64
    call check(nf90_create("wrong.nc", nf90_clobber, ncid))
    call check(nf90_def_dim(ncid, "xi", nx, x))
    call check(nf90_def_dim(ncid, "time", nf90_unlimited, t))
    call tell(nf90_def_dim(ncid, "tracer", nf90_unlimited, u))
    call tell(nf90_def_var(ncid, "late", nf90_double, [t, x], temp))
    call check(nf90_def_var(ncid, "temp", nf90_double, [x, t], temp))
    call check(nf90_def_var(ncid, "name", nf90_char, [x], name))
    call tell(nf90_create("wrong.nc", nf90_clobber, other))
    call tell(nf90_put_var(ncid, temp, line, start=[2, 1], count=[nx, 1]))
    call tell(nf90_put_var(ncid, temp, line, start=[1, 3], count=[nx, 1]))
    call tell(nf90_put_var(ncid, name, line))
    call tell(nf90_put_var(ncid, temp, "text", start=[1, 1], count=[4, 1]))
    call check(nf90_put_var(ncid, temp, line, start=[1, 1], count=[nx, 1]))
    call check(nf90_sync(ncid))
    call tell(nf90_put_var(ncid, temp, line, start=[1, 1], count=[nx, 1]))
    call tell(nf90_put_var(ncid, temp, line(1:3), start=[1, 2], count=[3, 1]))
    call check(nf90_put_att(ncid, nf90_global, "title", "late"))
    call tell(nf90_def_dim(ncid, "late", 3, x))
    call check(nf90_close(ncid))
    call tell(nf90_sync(ncid))
  end subroutine be_wrong

  subroutine tell(status)
    integer, intent(in) :: status
    if (rank == 0) write (*, '(a)') trim(nf90_strerror(status))
  end subroutine tell
end program nf90_model
