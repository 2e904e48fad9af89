!> All of netCDF-Fortran, with the files that a program makes handed to Thalweg: for programs that read by netCDF and write
!> by Thalweg, in place of "use netcdf". It is compiled with the program, because it needs the netcdf.mod of its compiler.
!>
!> nf90_create, and definitions and values of the files that it makes, are those of the module thalweg_nf90; files that
!> nf90_open opens are netCDF's, to be read. A number of a file says whose it is.
module thalweg_netcdf
  use netcdf, netcdfs_create => nf90_create, netcdfs_redef => nf90_redef, netcdfs_enddef => nf90_enddef, &
    netcdfs_sync => nf90_sync, netcdfs_close => nf90_close, netcdfs_def_dim => nf90_def_dim, &
    netcdfs_def_var => nf90_def_var, netcdfs_def_var_deflate => nf90_def_var_deflate, &
    netcdfs_def_var_fill => nf90_def_var_fill, netcdfs_put_att => nf90_put_att, netcdfs_set_fill => nf90_set_fill, &
    netcdfs_put_var => nf90_put_var, netcdfs_var_par_access => nf90_var_par_access, &
    netcdfs_inq_dimid => nf90_inq_dimid, netcdfs_inq_varid => nf90_inq_varid, netcdfs_strerror => nf90_strerror, &
    netcdfs_inquire => nf90_inquire, netcdfs_inquire_dimension => nf90_inquire_dimension, &
    netcdfs_inquire_variable => nf90_inquire_variable, netcdfs_inquire_attribute => nf90_inquire_attribute, &
    netcdfs_inq_attname => nf90_inq_attname, netcdfs_def_var_chunking => nf90_def_var_chunking, &
    netcdfs_open => nf90_open
  use thalweg_nf90, only: nf90_session, nf90_inq_own, nf90_create, nf90_def_dim, nf90_def_var, nf90_def_var_deflate, &
    nf90_def_var_fill, nf90_put_att, nf90_put_var, thalwegs_redef => nf90_redef, thalwegs_enddef => nf90_enddef, &
    thalwegs_sync => nf90_sync, thalwegs_close => nf90_close, thalwegs_set_fill => nf90_set_fill, &
    thalwegs_var_par_access => nf90_var_par_access, thalwegs_inq_dimid => nf90_inq_dimid, &
    thalwegs_inq_varid => nf90_inq_varid, thalwegs_strerror => nf90_strerror, thalwegs_inquire => nf90_inquire, &
    thalwegs_inquire_dimension => nf90_inquire_dimension, thalwegs_inquire_variable => nf90_inquire_variable, &
    thalwegs_inquire_attribute => nf90_inquire_attribute, thalwegs_inq_attname => nf90_inq_attname, &
    thalwegs_def_var_chunking => nf90_def_var_chunking, thalwegs_refuse_write => nf90_refuse_write, &
    thalwegs_last_code => nf90_last_code, thalwegs_note_code => nf90_note_code
  implicit none

  private :: is_thalwegs, of_netcdf, thalwegs_last_code, thalwegs_note_code
  private :: netcdfs_create, netcdfs_redef, netcdfs_enddef, netcdfs_sync, netcdfs_close, netcdfs_def_dim
  private :: netcdfs_def_var, netcdfs_def_var_deflate, netcdfs_def_var_fill, netcdfs_put_att, netcdfs_set_fill
  private :: netcdfs_put_var, netcdfs_var_par_access, netcdfs_inq_dimid, netcdfs_inq_varid, netcdfs_strerror
  private :: netcdfs_inquire, netcdfs_inquire_dimension, netcdfs_inquire_variable, netcdfs_inquire_attribute
  private :: netcdfs_inq_attname, thalwegs_inquire, thalwegs_inquire_dimension, thalwegs_inquire_variable
  private :: thalwegs_inquire_attribute, thalwegs_inq_attname
  private :: netcdfs_def_var_chunking, netcdfs_open, thalwegs_def_var_chunking, thalwegs_refuse_write
  private :: thalwegs_redef, thalwegs_enddef, thalwegs_sync, thalwegs_close, thalwegs_set_fill
  private :: thalwegs_var_par_access, thalwegs_inq_dimid, thalwegs_inq_varid, thalwegs_strerror

  ! gfortran 12 takes functions of one name for each other, wherever they are, so these have names of their own.
  interface nf90_redef
    module procedure redef_of_either
  end interface nf90_redef

  interface nf90_enddef
    module procedure enddef_of_either
  end interface nf90_enddef

  interface nf90_sync
    module procedure sync_of_either
  end interface nf90_sync

  interface nf90_close
    module procedure close_of_either
  end interface nf90_close

  interface nf90_set_fill
    module procedure set_fill_of_either
  end interface nf90_set_fill

  interface nf90_var_par_access
    module procedure var_par_access_of_either
  end interface nf90_var_par_access

  interface nf90_inq_dimid
    module procedure inq_dimid_of_either
  end interface nf90_inq_dimid

  interface nf90_inq_varid
    module procedure inq_varid_of_either
  end interface nf90_inq_varid

  interface nf90_inquire
    module procedure inquire_of_either
  end interface nf90_inquire

  interface nf90_inquire_dimension
    module procedure inquire_dimension_of_either
  end interface nf90_inquire_dimension

  interface nf90_inquire_variable
    module procedure inquire_variable_of_either
  end interface nf90_inquire_variable

  interface nf90_inquire_attribute
    module procedure inquire_attribute_of_either
  end interface nf90_inquire_attribute

  interface nf90_inq_attname
    module procedure inq_attname_of_either
  end interface nf90_inq_attname

  interface nf90_def_var_chunking
    module procedure def_var_chunking_of_either
  end interface nf90_def_var_chunking

  interface nf90_open
    module procedure open_to_read
  end interface nf90_open

  interface nf90_strerror
    module procedure strerror_of_either
  end interface nf90_strerror

contains

  logical function is_thalwegs(ncid)
    integer, intent(in) :: ncid
    integer :: own, status
    status = nf90_inq_own(ncid, own)
    is_thalwegs = status == nf90_noerr .and. own == 1
  end function is_thalwegs

  !> A status of a call of netCDF itself, whose text is not that of an error that Thalweg had before.
  integer function of_netcdf(its_status) result(status)
    integer, intent(in) :: its_status
    status = nf90_noerr
    if (its_status /= nf90_noerr) status = thalwegs_note_code(nf90_noerr)
    status = its_status
  end function of_netcdf

  integer function redef_of_either(ncid) result(status)
    integer, intent(in) :: ncid
    if (is_thalwegs(ncid)) then
      status = thalwegs_redef(ncid)
    else
      status = of_netcdf(netcdfs_redef(ncid))
    end if
  end function redef_of_either

  integer function enddef_of_either(ncid, h_minfree, v_align, v_minfree, r_align) result(status)
    integer, intent(in) :: ncid
    integer, intent(in), optional :: h_minfree, v_align, v_minfree, r_align
    if (is_thalwegs(ncid)) then
      status = thalwegs_enddef(ncid)
    else
      status = of_netcdf(netcdfs_enddef(ncid, h_minfree, v_align, v_minfree, r_align))
    end if
  end function enddef_of_either

  integer function sync_of_either(ncid) result(status)
    integer, intent(in) :: ncid
    if (is_thalwegs(ncid)) then
      status = thalwegs_sync(ncid)
    else
      status = of_netcdf(netcdfs_sync(ncid))
    end if
  end function sync_of_either

  integer function close_of_either(ncid) result(status)
    integer, intent(in) :: ncid
    if (is_thalwegs(ncid)) then
      status = thalwegs_close(ncid)
    else
      status = of_netcdf(netcdfs_close(ncid))
    end if
  end function close_of_either

  integer function set_fill_of_either(ncid, fillmode, old_mode) result(status)
    integer, intent(in) :: ncid, fillmode
    integer, intent(out) :: old_mode
    if (is_thalwegs(ncid)) then
      status = thalwegs_set_fill(ncid, fillmode, old_mode)
    else
      status = of_netcdf(netcdfs_set_fill(ncid, fillmode, old_mode))
    end if
  end function set_fill_of_either

  integer function var_par_access_of_either(ncid, varid, access) result(status)
    integer, intent(in) :: ncid, varid, access
    if (is_thalwegs(ncid)) then
      status = thalwegs_var_par_access(ncid, varid, access)
    else
      status = of_netcdf(netcdfs_var_par_access(ncid, varid, access))
    end if
  end function var_par_access_of_either

  integer function inq_dimid_of_either(ncid, name, dimid) result(status)
    integer, intent(in) :: ncid
    character(*), intent(in) :: name
    integer, intent(out) :: dimid
    if (is_thalwegs(ncid)) then
      status = thalwegs_inq_dimid(ncid, name, dimid)
    else
      status = of_netcdf(netcdfs_inq_dimid(ncid, name, dimid))
    end if
  end function inq_dimid_of_either

  integer function inq_varid_of_either(ncid, name, varid) result(status)
    integer, intent(in) :: ncid
    character(*), intent(in) :: name
    integer, intent(out) :: varid
    if (is_thalwegs(ncid)) then
      status = thalwegs_inq_varid(ncid, name, varid)
    else
      status = of_netcdf(netcdfs_inq_varid(ncid, name, varid))
    end if
  end function inq_varid_of_either

  integer function inquire_of_either(ncid, nDimensions, nVariables, nAttributes, unlimitedDimId, formatNum) result(status)
    integer, intent(in) :: ncid
    integer, intent(out), optional :: nDimensions, nVariables, nAttributes, unlimitedDimId, formatNum
    if (is_thalwegs(ncid)) then
      status = thalwegs_inquire(ncid, nDimensions, nVariables, nAttributes, unlimitedDimId, formatNum)
    else
      status = of_netcdf(netcdfs_inquire(ncid, nDimensions, nVariables, nAttributes, unlimitedDimId, formatNum))
    end if
  end function inquire_of_either

  integer function inquire_dimension_of_either(ncid, dimid, name, len) result(status)
    integer, intent(in) :: ncid, dimid
    character(*), intent(inout), optional :: name
    integer, intent(out), optional :: len
    character(nf90_max_name) :: its_name  ! gfortran 12 ends with a fault of its own where it hands an optional text on
    if (is_thalwegs(ncid)) then
      status = thalwegs_inquire_dimension(ncid, dimid, its_name, len)
      if (present(name)) name = its_name
    else
      status = of_netcdf(netcdfs_inquire_dimension(ncid, dimid, name, len))
    end if
  end function inquire_dimension_of_either

  integer function inquire_variable_of_either(ncid, varid, name, xtype, ndims, dimids, nAtts) result(status)
    integer, intent(in) :: ncid, varid
    character(*), intent(inout), optional :: name
    integer, intent(out), optional :: xtype, ndims
    integer, intent(inout), optional :: dimids(:)
    integer, intent(out), optional :: nAtts
    character(nf90_max_name) :: its_name
    if (is_thalwegs(ncid)) then
      status = thalwegs_inquire_variable(ncid, varid, its_name, xtype, ndims, dimids, nAtts)
      if (present(name)) name = its_name
    else
      status = of_netcdf(netcdfs_inquire_variable(ncid, varid, name, xtype, ndims, dimids, nAtts))
    end if
  end function inquire_variable_of_either

  integer function inquire_attribute_of_either(ncid, varid, name, xtype, len, attnum) result(status)
    integer, intent(in) :: ncid, varid
    character(*), intent(in) :: name
    integer, intent(out), optional :: xtype, len, attnum
    if (is_thalwegs(ncid)) then
      status = thalwegs_inquire_attribute(ncid, varid, name, xtype, len, attnum)
    else
      status = of_netcdf(netcdfs_inquire_attribute(ncid, varid, name, xtype, len, attnum))
    end if
  end function inquire_attribute_of_either

  integer function inq_attname_of_either(ncid, varid, attnum, name) result(status)
    integer, intent(in) :: ncid, varid, attnum
    character(*), intent(inout) :: name
    if (is_thalwegs(ncid)) then
      status = thalwegs_inq_attname(ncid, varid, attnum, name)
    else
      status = of_netcdf(netcdfs_inq_attname(ncid, varid, attnum, name))
    end if
  end function inq_attname_of_either

  integer function def_var_chunking_of_either(ncid, varid, contiguous, chunksizes) result(status)
    integer, intent(in) :: ncid, varid, contiguous, chunksizes(:)
    if (is_thalwegs(ncid)) then
      status = thalwegs_def_var_chunking(ncid, varid, contiguous, chunksizes)
    else
      status = of_netcdf(netcdfs_def_var_chunking(ncid, varid, contiguous, chunksizes))
    end if
  end function def_var_chunking_of_either

  !> A file to write on would be netCDF's, and definitions and values are not: they would not find it.
  integer function open_to_read(path, mode, ncid, chunksize, cache_size, cache_nelems, cache_preemption, comm, info) &
      result(status)
    character(*), intent(in) :: path
    integer, intent(in) :: mode
    integer, intent(out) :: ncid
    integer, intent(inout), optional :: chunksize
    integer, intent(in), optional :: cache_size, cache_nelems, comm, info
    real, intent(in), optional :: cache_preemption
    if (iand(mode, nf90_write) /= 0) then
      ncid = -1
      status = thalwegs_refuse_write(path)
    else
      status = of_netcdf(netcdfs_open(path, mode, ncid, chunksize, cache_size, cache_nelems, cache_preemption, comm, &
        info))
    end if
  end function open_to_read

  !> Codes of Thalweg are positive, and of those of netCDF the ones that the system gives. Calls that this module does
  !> not have two of are netCDF's, which knows no file of Thalweg's.
  function strerror_of_either(ncerr) result(text)
    integer, intent(in) :: ncerr
    character(512) :: text
    integer :: last, status
    status = thalwegs_last_code(last)
    if (ncerr > 0 .and. ncerr == last) then
      text = thalwegs_strerror(ncerr)
    else
      text = netcdfs_strerror(ncerr)
    end if
    if (ncerr == nf90_ebadid) &
      text = trim(text)//": no file of this number is open to be read; of one that nf90_create made, which Thalweg "// &
        "writes, nothing is read, renamed or deleted"
  end function strerror_of_either
end module thalweg_netcdf
