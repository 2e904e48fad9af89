// What a variable of netCDF or PnetCDF is, in a line that another program can make it by.
#pragma once

enum { DESCRIPTION_BYTES = 4096 };

// By functions of the library that `target` is of. False: the library does not say it, or it is longer than that.
int thw_describe(int is_netcdf, const void* target, int file, int variable, char* text);
