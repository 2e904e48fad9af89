// recover PARTIAL: prints the number of whole records, or the error's text; ends with the code.
#include <cstdio>

#include "thalweg.h"

int main(int argc, char** argv) {
  int64_t records = -1;
  const int code = thalweg_recover(argc > 1 ? argv[1] : nullptr, &records);
  if (code == 0)
    std::printf("%lld\n", static_cast<long long>(records));
  else
    std::fputs(thalweg_error_text(), stderr);
  return code;
}
