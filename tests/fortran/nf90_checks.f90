!> What the C side receives from each procedure of module thalweg_nf90.
module nf90_checks
  use, intrinsic :: iso_fortran_env, only: int16, int64, real32, real64
  use recorded
  use thalweg, only: thw_session
  use thalweg_nf90
  implicit none

contains

  subroutine call_as_netcdf(io)
    type(thw_session), intent(in) :: io
    integer :: ncid, dimid, varid, old
    call check("no session", nf90_create("a.nc", nf90_clobber, ncid) /= nf90_noerr, "")
    call check("text of no session", index(nf90_strerror(1), "call nf90_session") > 0, nf90_strerror(1))
    call nf90_session(io)
    call done("create", nf90_create("a.nc ", ior(nf90_noclobber, nf90_netcdf4), ncid), "nc_create path='a.nc' mode=4100")
    call check("ncid", ncid == 17, "")
    call done("def_dim", nf90_def_dim(ncid, "x", 5, dimid), "nc_def_dim ncid=17 name='x' size=5")
    call check("dimid", dimid == 5, "")
    call done("unlimited", nf90_def_dim(ncid, "t", nf90_unlimited, dimid), "nc_def_dim ncid=17 name='t' size=0")
    call done("scalar", nf90_def_var(ncid, "s", nf90_double, varid), "nc_def_var ncid=17 name='s' type=6 dims=")
    call check("varid", varid == 7, "")
    call done("line", nf90_def_var(ncid, "l", nf90_char, 3, varid), "nc_def_var ncid=17 name='l' type=2 dims=2")
    call done("field", nf90_def_var(ncid, "f", nf90_short, [1_int64, 2_int64, 3_int64], varid), &
              "nc_def_var ncid=17 name='f' type=3 dims=2,1,0")
    call done("compressed", nf90_def_var(ncid, "f", nf90_uint64, [1, 2], varid, chunksizes=[5, 5], shuffle=.true., &
                                         deflate_level=3), &
              "nc_def_var ncid=17 name='f' type=11 dims=1,0"//new_line("a")// &
              "nc_def_var_deflate ncid=17 varid=6 shuffle=1 level=3")
    call done("deflate", nf90_def_var_deflate(ncid, 7, 0, 1, 9), &
              "nc_def_var_deflate ncid=17 varid=6 shuffle=0 level=9")
    call done("xtype", nf90_def_var(ncid, "f", 12, varid), "nc_def_var ncid=17 name='f' type=12 dims=")
    call done("text", nf90_put_att(ncid, 7, "units", "m s "), &
              "nc_put_att ncid=17 varid=6 name='units' type=11 rank=1 extent=3 stride=null data: m   s")
    call done("numbers", nf90_put_att(ncid, nf90_global, "n", [1_int16, 2_int16]), &
              "nc_put_att ncid=17 varid=-1 name='n' type=2 rank=1 extent=2 stride=null data: 1 2")
    call done("fill", nf90_def_var_fill(ncid, 7, 0, -1.5_real32), &
              "nc_put_att ncid=17 varid=6 name='_FillValue' type=9 rank=1 extent=1 stride=null data: -1.5")
    call done("chunking", nf90_def_var_chunking(ncid, 7, 0, [5, 1]), "")
    call check("open to write", nf90_refuse_write("a.nc ") /= nf90_noerr, "")
    call check("text of it", index(nf90_strerror(5), "nf90_open of 'a.nc': nf90_write, but no file") == 1, nf90_strerror(5))
    call done("nothing", nf90_set_fill(ncid, nf90_nofill, old) + nf90_enddef(ncid) + nf90_redef(ncid) + &
              nf90_var_par_access(ncid, 7, nf90_collective) + &
              nf90_def_var_chunking(ncid, 7, nf90_chunked, chunksizes=[2, 3]), "")
    call put_as_netcdf(ncid)
    call inquire_as_netcdf(ncid)
    call done("inq_varid", nf90_inq_varid(ncid, "f", varid), "nc_inq_varid ncid=17 name='f'")
    call check("inquired varid", varid == 4, "")
    call done("inq_dimid", nf90_inq_dimid(ncid, "x", dimid), "nc_inq_dimid ncid=17 name='x'")
    call check("inquired dimid", dimid == 3, "")
    call done("inq_own", nf90_inq_own(ncid, old), "nc_inq_own ncid=17")
    call check("own", old == 1, "")
    call done("sync", nf90_sync(ncid), "nc_sync ncid=17")
    call done("close", nf90_close(ncid), "nc_close ncid=17")
  end subroutine call_as_netcdf

  subroutine put_as_netcdf(ncid)
    integer, intent(in) :: ncid
    integer :: table(3, 4)
    table = reshape([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], [3, 4])
    call done("scalar value", nf90_put_var(ncid, 7, 2.5_real64, start=[4]), &
              "nc_put_vara ncid=17 varid=6 start=3 count=null type=10 rank=0 extent= stride= data: 2.5")
    call done("section", nf90_put_var(ncid, 7, table(2:3, 1:4:3), start=[1, 2, 9], count=[2_int64, 2_int64, 1_int64]), &
              "nc_put_vara ncid=17 varid=6 start=8,1,0 count=1,2,2 type=3 rank=2 extent=2,2 stride=36,4 data: 2 3 11 12")
    call done("characters", nf90_put_var(ncid, 7, "ab"), &
              "nc_put_vara ncid=17 varid=6 start=null count=null type=11 rank=1 extent=2 stride=1 data: a b")
    call done("unit stride", nf90_put_var(ncid, 7, table(:, 1), stride=[1]), &
              "nc_put_vara ncid=17 varid=6 start=null count=null type=3 rank=1 extent=3 stride=4 data: 1 2 3")
    call check("stride", nf90_put_var(ncid, 7, table(:, 1), stride=[2]) == 1, "")
    call check("map", nf90_put_var(ncid, 7, table(:, 1), map=[1]) == 1, "")
    call expect("no call with gaps", "")
    call fake_fail(8)
    call check("code", nf90_put_var(ncid, 7, 1) == 8, "")
    call check("text", nf90_strerror(8) == "the core failed with code 8", nf90_strerror(8))
    call expect("failed", "nc_put_vara ncid=17 varid=6 start=null count=null type=3 rank=0 extent= stride= data: 1")
  end subroutine put_as_netcdf

  subroutine inquire_as_netcdf(ncid)
    integer, intent(in) :: ncid
    integer :: dims, atts, unlimited, dimids(4), xtype, len, attnum, form
    character(4) :: name
    call done("inquire", nf90_inquire(ncid, dims, nAttributes=atts, unlimitedDimId=unlimited), &
              "nc_inq ncid=17 no-nvars")
    call check("inquired numbers", all([dims, atts, unlimited] == [3, 1, 3]), "")
    call done("inquire format", nf90_inquire(ncid, nVariables=dims, formatNum=form), &
              "nc_inq ncid=17"//new_line("a")//"nc_inq_format ncid=17")
    call check("inquired format", form == 3, "")
    call done("inquire_dimension", nf90_inquire_dimension(ncid, 2, name, len), "nc_inq_dim ncid=17 dimid=1")
    call check("inquired dimension", name == "x" .and. len == 13, name)
    call done("inquire_variable", nf90_inquire_variable(ncid, 5, name, xtype, dims, dimids), &
              "nc_inq_var ncid=17 varid=4 no-natts")
    call check("inquired variable", name == "t" .and. xtype == nf90_int64, name)
    call check("inquired dimids", all(dimids(1:dims) == [1, 3]), "")
    call check("no room for dimids", nf90_inquire_variable(ncid, 5, dimids=dimids(1:1)) == 1, "")
    call expect("no room", "nc_inq_var ncid=17 varid=4 no-natts")
    call done("inq_attname", nf90_inq_attname(ncid, nf90_global, 3, name), &
              "nc_inq_attname ncid=17 varid=-1 number=2")
    call check("inquired attname", name == "c", name)
    call done("inquire_attribute", nf90_inquire_attribute(ncid, 7, "b ", xtype, len, attnum), &
              "nc_inq_att ncid=17 varid=6 name='b'"//new_line("a")// &
              "nc_inq_attname ncid=17 varid=6 number=0"//new_line("a")//"nc_inq_attname ncid=17 varid=6 number=1")
    call check("inquired attribute", all([xtype, len, attnum] == [nf90_float, 5, 2]), "")
  end subroutine inquire_as_netcdf

  subroutine done(name, status, wanted)
    character(*), intent(in) :: name, wanted
    integer, intent(in) :: status
    call check(name//" succeeds", status == nf90_noerr, nf90_strerror(status))
    call expect(name, wanted)
  end subroutine done
end module nf90_checks
