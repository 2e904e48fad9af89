/* The plug-ins of MPI stay loaded to the end of a program, so that LeakSanitizer knows by their names what they leave
 * (tools/lsan.supp). Linked into programs by the build with AddressSanitizer, preloaded where the program is Python. */
#include <dlfcn.h>

int dlclose(void* library) {
  (void)library;
  return 0;
}
