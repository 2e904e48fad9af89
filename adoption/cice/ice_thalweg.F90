!> In place of netcdf and ice_gather_scatter, where CICE writes: each rank is the master of its own blocks. The array that
!> CICE gathers into gets them alone, and the put of that array becomes one put for each of them.
module ice_thalweg_clock
  use mpi
  use ice_communicate, only: MPI_COMM_ICE, master_task
  implicit none
  private
  public :: clock_of_master

contains

  !> The time of day that files are stamped with has to be the same on every rank, as all attributes.
  subroutine clock_of_master(date, time)
    character(*), intent(out) :: date, time
    intrinsic :: date_and_time
    integer :: error
    call date_and_time(date, time)
    call MPI_BCAST(date, len(date), MPI_CHARACTER, master_task, MPI_COMM_ICE, error)
    call MPI_BCAST(time, len(time), MPI_CHARACTER, master_task, MPI_COMM_ICE, error)
  end subroutine clock_of_master
end module ice_thalweg_clock

module ice_thalweg
  use thalweg_netcdf, put_part => nf90_put_var
  use ice_blocks, only: block, get_block, nblocks_tot
  use ice_communicate, only: my_task, master_task
  use ice_constants, only: spval_dbl
  use ice_distribution, only: distrb
  use ice_domain, only: distrb_info
  use ice_domain_size, only: nx_global, ny_global
  use ice_gather_scatter, only: gather_global_ext, scatter_global, scatter_global_ext
  use ice_kinds_mod, only: dbl_kind, real_kind
  use ice_thalweg_clock, only: date_and_time => clock_of_master
  implicit none

  private :: put_part, block, get_block, nblocks_tot, my_task, master_task, spval_dbl, distrb, distrb_info, nx_global
  private :: ny_global, dbl_kind, real_kind, own_blocks, place_of, gather_own
  private :: put_number, put_single, put_numbers, put_integers, put_field, put_fields

  interface gather_global
    module procedure gather_own
  end interface gather_global

  interface nf90_put_var
    module procedure put_number, put_single, put_numbers, put_integers, put_field, put_fields
  end interface nf90_put_var

contains

  !> CICE's pointer to its last restart is a text file, which one rank writes.
  logical function is_master()
    is_master = my_task == master_task
  end function is_master

  !> Numbers of this rank's blocks. Those of land alone belong to no rank; the master writes them.
  function own_blocks(distribution) result(numbers)
    type(distrb), intent(in) :: distribution
    integer, allocatable :: numbers(:)
    logical :: is_own(nblocks_tot)
    integer :: n
    is_own = distribution%blockLocation == my_task + 1
    if (my_task == master_task) is_own = is_own .or. distribution%blockLocation == 0
    numbers = pack([(n, n=1, nblocks_tot)], is_own)
  end function own_blocks

  !> Of a block in the whole grid: first and last i, first and last j.
  function place_of(number) result(place)
    integer, intent(in) :: number
    integer :: place(4)
    type(block) :: of
    of = get_block(number, number)
    place = [of%i_glob(of%ilo), of%i_glob(of%ihi), of%j_glob(of%jlo), of%j_glob(of%jhi)]
  end function place_of

  subroutine gather_own(array_g, array, dst_task, src_dist, spc_val)
    real(dbl_kind), intent(inout) :: array_g(:, :)
    real(dbl_kind), intent(in) :: array(:, :, :)
    integer, intent(in) :: dst_task
    type(distrb), intent(in) :: src_dist
    real(dbl_kind), intent(in), optional :: spc_val
    integer, allocatable :: numbers(:)
    type(block) :: of
    integer :: n, at(4)
    real(dbl_kind) :: of_land
    of_land = spval_dbl
    if (present(spc_val)) of_land = spc_val
    numbers = own_blocks(src_dist)
    do n = 1, size(numbers)
      at = place_of(numbers(n))
      if (src_dist%blockLocation(numbers(n)) == 0) then
        array_g(at(1):at(2), at(3):at(4)) = of_land
      else
        of = get_block(numbers(n), numbers(n))
        array_g(at(1):at(2), at(3):at(4)) = array(of%ilo:of%ihi, of%jlo:of%jhi, src_dist%blockLocalID(numbers(n)))
      end if
    end do
  end subroutine gather_own

  integer function put_number(ncid, varid, values, start) result(status)
    integer, intent(in) :: ncid, varid
    real(dbl_kind), intent(in) :: values
    integer, intent(in), optional :: start(:)
    status = put_part(ncid, varid, values, start)
  end function put_number

  integer function put_single(ncid, varid, values, start) result(status)
    integer, intent(in) :: ncid, varid
    real(real_kind), intent(in) :: values
    integer, intent(in), optional :: start(:)
    status = put_part(ncid, varid, values, start)
  end function put_single

  integer function put_numbers(ncid, varid, values) result(status)
    integer, intent(in) :: ncid, varid
    real(dbl_kind), intent(in) :: values(:)
    status = put_part(ncid, varid, values)
  end function put_numbers

  integer function put_integers(ncid, varid, values) result(status)
    integer, intent(in) :: ncid, varid, values(:)
    status = put_part(ncid, varid, values)
  end function put_integers

  !> start and count: of the whole grid, and then of the levels behind it.
  integer function put_field(ncid, varid, values, start, count) result(status)
    integer, intent(in) :: ncid, varid
    real(dbl_kind), intent(in) :: values(:, :)
    integer, intent(in), optional :: start(:), count(:)
    integer, allocatable :: numbers(:), level(:), levels(:)
    integer :: n, at(4)
    status = nf90_noerr
    if (any(shape(values) /= [nx_global, ny_global])) then  ! with ghost cells: CICE has gathered it
      if (my_task == master_task) status = put_part(ncid, varid, values, start, count)
      return
    end if
    level = [integer ::]
    levels = [integer ::]
    if (present(start)) level = start(3:)
    if (present(count)) levels = count(3:)
    numbers = own_blocks(distrb_info)
    do n = 1, size(numbers)
      at = place_of(numbers(n))
      status = put_part(ncid, varid, values(at(1):at(2), at(3):at(4)), [at(1), at(3), level], &
                        [at(2) - at(1) + 1, at(4) - at(3) + 1, levels])
      if (status /= nf90_noerr) return
    end do
  end function put_field

  !> Categories behind the grid, or corners of a cell before it.
  integer function put_fields(ncid, varid, values, start, count) result(status)
    integer, intent(in) :: ncid, varid
    real(dbl_kind), intent(in) :: values(:, :, :)
    integer, intent(in), optional :: start(:), count(:)
    integer, allocatable :: numbers(:)
    integer :: n, at(4), extent(3)
    status = nf90_noerr
    extent = shape(values)
    if (all(extent(2:3) == [nx_global, ny_global])) then
      numbers = own_blocks(distrb_info)
      do n = 1, size(numbers)
        at = place_of(numbers(n))
        status = put_part(ncid, varid, values(:, at(1):at(2), at(3):at(4)), [1, at(1), at(3)])
        if (status /= nf90_noerr) return
      end do
      return
    end if
    do n = 1, extent(3)
      status = put_field(ncid, varid, values(:, :, n), [1, 1, n], [extent(1:2), 1])
      if (status /= nf90_noerr) return
    end do
  end function put_fields
end module ice_thalweg
