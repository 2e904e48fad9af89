!> Thalweg for programs that write by the procedures of netCDF-Fortran: their names, with the same arguments, and what is
!> put goes to Thalweg's writers. thalweg_netcdf.h has the rules at length; in short:
!>  - Every rank makes every call, with its own part of a variable (start and count, from 1), or all of it where the values
!>    are the same on every rank.
!>  - nf90_sync closes the record that was put, and so does a put of the next one; nf90_close closes the file. What is put
!>    before the first record is closed is kept, so that this first nf90_sync is collective; other calls are local.
!>  - nf90_session says whose files they are: a session that thw_start of the module thalweg has begun.
!> Every function returns nf90_noerr, or a code of which nf90_strerror has the text. Arguments that only make sense within
!> netCDF's own library (sizes of caches, communicators) are taken and mean nothing.
module thalweg_nf90
  use, intrinsic :: iso_c_binding, only: c_int
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, real32, real64
  use thalweg_values, only: thw_session
  implicit none
  private

  public :: nf90_session
  public :: nf90_create, nf90_redef, nf90_enddef, nf90_sync, nf90_close
  public :: nf90_def_dim, nf90_def_var, nf90_def_var_deflate, nf90_def_var_fill, nf90_put_att, nf90_set_fill
  public :: nf90_def_var_chunking, nf90_refuse_write
  public :: nf90_put_var, nf90_var_par_access, nf90_inq_dimid, nf90_inq_varid, nf90_inq_own, nf90_strerror
  public :: nf90_last_code, nf90_note_code
  public :: nf90_inquire, nf90_inquire_dimension, nf90_inquire_variable, nf90_inquire_attribute, nf90_inq_attname

  !> The values are those of netCDF-Fortran.
  integer, parameter, public :: nf90_noerr = 0, nf90_eexist = -35
  integer, parameter, public :: nf90_global = 0, nf90_unlimited = 0
  integer, parameter, public :: nf90_byte = 1, nf90_int1 = 1, nf90_char = 2, nf90_short = 3, nf90_int2 = 3
  integer, parameter, public :: nf90_int = 4, nf90_int4 = 4, nf90_float = 5, nf90_real = 5, nf90_real4 = 5
  integer, parameter, public :: nf90_double = 6, nf90_real8 = 6, nf90_ubyte = 7, nf90_ushort = 8, nf90_uint = 9
  integer, parameter, public :: nf90_int64 = 10, nf90_uint64 = 11
  integer, parameter, public :: nf90_clobber = 0, nf90_write = 1, nf90_noclobber = 4, nf90_64bit_data = 32
  integer, parameter, public :: nf90_cdf5 = 32, nf90_classic_model = 256, nf90_64bit_offset = 512
  integer, parameter, public :: nf90_share = 2048, nf90_netcdf4 = 4096, nf90_hdf5 = 4096, nf90_mpiio = 8192
  integer, parameter, public :: nf90_fill = 0, nf90_nofill = 256, nf90_independent = 0, nf90_collective = 1
  integer, parameter, public :: nf90_chunked = 0, nf90_contiguous = 1
  integer, parameter, public :: nf90_max_name = 256, nf90_max_var_dims = 1024
  character, parameter, public :: nf90_fill_char = achar(0)
  integer(int8), parameter, public :: nf90_fill_byte = -127_int8, nf90_fill_int1 = -127_int8
  integer(int16), parameter, public :: nf90_fill_short = -32767_int16, nf90_fill_int2 = -32767_int16
  integer(int32), parameter, public :: nf90_fill_int = -2147483647_int32
  real(real32), parameter, public :: nf90_fill_float = 9.9692099683868690e+36_real32
  real(real32), parameter, public :: nf90_fill_real = 9.9692099683868690e+36_real32
  real(real64), parameter, public :: nf90_fill_double = 9.9692099683868690e+36_real64

  ! ---- files ----
  interface
    !> The files that nf90_create makes from here on are of this session.
    subroutine nf90_session(session) bind(c, name="thw_nf90_session")
      import :: thw_session
      type(thw_session), intent(in) :: session
    end subroutine nf90_session

    !> cmode: nf90_netcdf4, nf90_64bit_data or nf90_64bit_offset give the format, nf90_noclobber refuses a complete file of
    !> that name (nf90_eexist).
    function nf90_create(path, cmode, ncid, initialsize, chunksize, comm, info) result(status) &
        bind(c, name="thw_nf90_create")
      import :: c_int
      character(*), intent(in) :: path
      integer(c_int), intent(in) :: cmode
      integer(c_int), intent(out) :: ncid
      integer(c_int), intent(in), optional :: initialsize, chunksize, comm, info
      integer(c_int) :: status
    end function nf90_create

    !> Definitions are possible until the first record is closed, with this call or without it.
    function nf90_redef(ncid) result(status) bind(c, name="thw_nf90_redef")
      import :: c_int
      integer(c_int), intent(in) :: ncid
      integer(c_int) :: status
    end function nf90_redef

    function nf90_enddef(ncid, h_minfree, v_align, v_minfree, r_align) result(status) bind(c, name="thw_nf90_enddef")
      import :: c_int
      integer(c_int), intent(in) :: ncid
      integer(c_int), intent(in), optional :: h_minfree, v_align, v_minfree, r_align
      integer(c_int) :: status
    end function nf90_enddef

    !> Closes the record that was put. The first one is collective.
    function nf90_sync(ncid) result(status) bind(c, name="thw_nf90_sync")
      import :: c_int
      integer(c_int), intent(in) :: ncid
      integer(c_int) :: status
    end function nf90_sync

    !> Closes the record that was put, and the file, which gets its name in the background.
    function nf90_close(ncid) result(status) bind(c, name="thw_nf90_close")
      import :: c_int
      integer(c_int), intent(in) :: ncid
      integer(c_int) :: status
    end function nf90_close
  end interface

  ! ---- definitions ----
  interface
    function nf90_def_dim(ncid, name, len, dimid) result(status) bind(c, name="thw_nf90_def_dim")
      import :: c_int
      integer(c_int), intent(in) :: ncid
      character(*), intent(in) :: name
      integer(c_int), intent(in) :: len
      integer(c_int), intent(out) :: dimid
      integer(c_int) :: status
    end function nf90_def_dim
  end interface

  interface nf90_def_var
    !> A scalar.
    function nf90_def_scalar(ncid, name, xtype, varid) result(status) bind(c, name="thw_nf90_def_scalar")
      import :: c_int
      integer(c_int), intent(in) :: ncid
      character(*), intent(in) :: name
      integer(c_int), intent(in) :: xtype
      integer(c_int), intent(out) :: varid
      integer(c_int) :: status
    end function nf90_def_scalar

    !> dimids: one, or an array of them, fastest first; the unlimited one comes last. Chunks are chosen by Thalweg, or by
    !> its configuration.
    function nf90_def_field(ncid, name, xtype, dimids, varid, contiguous, chunksizes, deflate_level, shuffle, &
                            fletcher32, endianness) result(status) bind(c, name="thw_nf90_def_field")
      import :: c_int
      integer(c_int), intent(in) :: ncid
      character(*), intent(in) :: name
      integer(c_int), intent(in) :: xtype
      type(*), dimension(..), intent(in) :: dimids
      integer(c_int), intent(out) :: varid
      type(*), intent(in), optional :: contiguous
      type(*), dimension(..), intent(in), optional :: chunksizes
      integer(c_int), intent(in), optional :: deflate_level
      type(*), intent(in), optional :: shuffle, fletcher32
      integer(c_int), intent(in), optional :: endianness
      integer(c_int) :: status
    end function nf90_def_field
  end interface nf90_def_var

  interface
    function nf90_def_var_deflate(ncid, varid, shuffle, deflate, deflate_level) result(status) &
        bind(c, name="thw_nf90_def_var_deflate")
      import :: c_int
      integer(c_int), intent(in) :: ncid, varid, shuffle, deflate, deflate_level
      integer(c_int) :: status
    end function nf90_def_var_deflate

    !> Nothing: chunks are chosen by Thalweg, or by its configuration.
    function nf90_def_var_chunking(ncid, varid, contiguous, chunksizes) result(status) &
        bind(c, name="thw_nf90_def_var_chunking")
      import :: c_int
      integer(c_int), intent(in) :: ncid, varid, contiguous
      type(*), dimension(..), intent(in) :: chunksizes
      integer(c_int) :: status
    end function nf90_def_var_chunking

    !> fill_value: of the variable's type. no_fill means nothing: cells that nobody puts are filled.
    function nf90_def_var_fill(ncid, varid, no_fill, fill_value) result(status) bind(c, name="thw_nf90_def_var_fill")
      import :: c_int
      integer(c_int), intent(in) :: ncid, varid, no_fill
      type(*), dimension(..), intent(in) :: fill_value
      integer(c_int) :: status
    end function nf90_def_var_fill

    !> values: a text, a number or an array of numbers. varid: nf90_global for the file.
    function nf90_put_att(ncid, varid, name, values) result(status) bind(c, name="thw_nf90_put_att")
      import :: c_int
      integer(c_int), intent(in) :: ncid, varid
      character(*), intent(in) :: name
      type(*), dimension(..), intent(in) :: values
      integer(c_int) :: status
    end function nf90_put_att

    !> Nothing: no file is filled before it is written.
    function nf90_set_fill(ncid, fillmode, old_mode) result(status) bind(c, name="thw_nf90_set_fill")
      import :: c_int
      integer(c_int), intent(in) :: ncid, fillmode
      integer(c_int), intent(out) :: old_mode
      integer(c_int) :: status
    end function nf90_set_fill
  end interface

  ! ---- values ----
  interface
    !> This rank's part: any kind, rank and section. Absent start: ones; absent count: the extents of values.
    function nf90_put_var(ncid, varid, values, start, count, stride, map) result(status) &
        bind(c, name="thw_nf90_put_var")
      import :: c_int
      integer(c_int), intent(in) :: ncid, varid
      type(*), dimension(..), intent(in) :: values
      type(*), dimension(..), intent(in), optional :: start, count, stride, map
      integer(c_int) :: status
    end function nf90_put_var

    !> Nothing: no put is collective.
    function nf90_var_par_access(ncid, varid, access) result(status) bind(c, name="thw_nf90_var_par_access")
      import :: c_int
      integer(c_int), intent(in) :: ncid, varid, access
      integer(c_int) :: status
    end function nf90_var_par_access

    !> own: 1 for a number that nf90_create of this module gave, 0 for any other.
    function nf90_inq_own(ncid, own) result(status) bind(c, name="thw_nf90_inq_own")
      import :: c_int
      integer(c_int), intent(in) :: ncid
      integer(c_int), intent(out) :: own
      integer(c_int) :: status
    end function nf90_inq_own

    !> The error of a program that opens a file by netCDF to write on (of the module thalweg_netcdf).
    function nf90_refuse_write(path) result(status) bind(c, name="thw_nf90_refuse_write")
      import :: c_int
      character(*), intent(in) :: path
      integer(c_int) :: status
    end function nf90_refuse_write

    function nf90_inq_dimid(ncid, name, dimid) result(status) bind(c, name="thw_nf90_inq_dimid")
      import :: c_int
      integer(c_int), intent(in) :: ncid
      character(*), intent(in) :: name
      integer(c_int), intent(out) :: dimid
      integer(c_int) :: status
    end function nf90_inq_dimid

    function nf90_inq_varid(ncid, name, varid) result(status) bind(c, name="thw_nf90_inq_varid")
      import :: c_int
      integer(c_int), intent(in) :: ncid
      character(*), intent(in) :: name
      integer(c_int), intent(out) :: varid
      integer(c_int) :: status
    end function nf90_inq_varid

    !> What is declared so far of a file that nf90_create made.
    function nf90_inquire(ncid, nDimensions, nVariables, nAttributes, unlimitedDimId, formatNum) result(status) &
        bind(c, name="thw_nf90_inquire")
      import :: c_int
      integer(c_int), intent(in) :: ncid
      integer(c_int), intent(out), optional :: nDimensions, nVariables, nAttributes, unlimitedDimId, formatNum
      integer(c_int) :: status
    end function nf90_inquire

    !> len: of the unlimited dimension, the records that are closed, and the one that has values.
    function nf90_inquire_dimension(ncid, dimid, name, len) result(status) bind(c, name="thw_nf90_inquire_dimension")
      import :: c_int
      integer(c_int), intent(in) :: ncid, dimid
      character(*), intent(inout), optional :: name
      integer(c_int), intent(out), optional :: len
      integer(c_int) :: status
    end function nf90_inquire_dimension

    function nf90_inquire_variable(ncid, varid, name, xtype, ndims, dimids, nAtts) result(status) &
        bind(c, name="thw_nf90_inquire_variable")
      import :: c_int
      integer(c_int), intent(in) :: ncid, varid
      character(*), intent(inout), optional :: name
      integer(c_int), intent(out), optional :: xtype, ndims
      integer(c_int), dimension(:), intent(inout), optional :: dimids
      integer(c_int), intent(out), optional :: nAtts
      integer(c_int) :: status
    end function nf90_inquire_variable

    function nf90_inq_attname(ncid, varid, attnum, name) result(status) bind(c, name="thw_nf90_inq_attname")
      import :: c_int
      integer(c_int), intent(in) :: ncid, varid, attnum
      character(*), intent(inout) :: name
      integer(c_int) :: status
    end function nf90_inq_attname

    function nf90_inquire_attribute(ncid, varid, name, xtype, len, attnum) result(status) &
        bind(c, name="thw_nf90_inquire_attribute")
      import :: c_int
      integer(c_int), intent(in) :: ncid, varid
      character(*), intent(in) :: name
      integer(c_int), intent(out), optional :: xtype, len, attnum
      integer(c_int) :: status
    end function nf90_inquire_attribute

    !> Of the last error of Thalweg; nf90_noerr where that is noted, because a call of netCDF itself has failed since.
    function nf90_last_code(code) result(status) bind(c, name="thw_nf90_last_code")
      import :: c_int
      integer(c_int), intent(out) :: code
      integer(c_int) :: status
    end function nf90_last_code

    function nf90_note_code(code) result(status) bind(c, name="thw_nf90_note_code")
      import :: c_int
      integer(c_int), intent(in) :: code
      integer(c_int) :: status
    end function nf90_note_code

    subroutine nf90_error_text(text) bind(c, name="thw_nf90_error_text")
      character(*), intent(inout) :: text
    end subroutine nf90_error_text
  end interface

contains

  !> What happened, of the last call that returned an error.
  function nf90_strerror(ncerr) result(text)
    integer, intent(in) :: ncerr
    character(512) :: text
    text = "no error"
    if (ncerr /= nf90_noerr) call nf90_error_text(text)
  end function nf90_strerror
end module thalweg_nf90
