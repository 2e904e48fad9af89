// Functions with any number of arguments cannot hand them on; those that take a va_list can.
#include <stdarg.h>
#include <stdio.h>

#include "call.h"
#include "function_count.h"

__attribute__((visibility("default"), format(printf, 2, 3))) int fprintf(FILE* stream, const char* format, ...) {
  const long words[] = {(long)stream, (long)format, 0};
  struct Call call;
  va_list arguments;
  va_start(arguments, format);
  thw_enter(&call, INDEX_vfprintf, words, __builtin_return_address(0));
  const int result = ((int (*)(FILE*, const char*, va_list))call.target)(stream, format, arguments);
  if (call.is_followed) thw_leave(&call, words, result);
  va_end(arguments);
  return result;
}

int __fprintf_chk(FILE* stream, int flag, const char* format, ...);

// What compilers make of fprintf where they are asked for more safety.
__attribute__((visibility("default"))) int __fprintf_chk(FILE* stream, int flag, const char* format, ...) {
  const long words[] = {(long)stream, flag, (long)format, 0};
  struct Call call;
  va_list arguments;
  va_start(arguments, format);
  thw_enter(&call, INDEX___vfprintf_chk, words, __builtin_return_address(0));
  const int result = ((int (*)(FILE*, int, const char*, va_list))call.target)(stream, flag, format, arguments);
  if (call.is_followed) thw_leave(&call, words, result);
  va_end(arguments);
  return result;
}
