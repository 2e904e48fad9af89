/* What sanitizers have to report: calls of tests/sanitized/jobs_test.py. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static volatile int shared;

static void* count(void* unused) {
  for (int i = 0; i < 1000; ++i) shared = shared + 1;
  return unused;
}

/* A data race, for ThreadSanitizer. */
int race(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, count, NULL) != 0) return -1;
  count(NULL);
  pthread_join(other, NULL);
  return shared;
}

/* A read behind the end of memory, for AddressSanitizer. */
int overflow(int places) {
  volatile char* memory = malloc(8);
  const int found = memory[places];
  free((void*)memory);
  return found;
}

/* A sum that no int holds, for UndefinedBehaviorSanitizer. */
int sum(int one, int other) {
  return one + other;
}

/* Memory that nobody frees, for LeakSanitizer. */
int leak(int bytes) {
  volatile char* memory = malloc((size_t)bytes);
  memory[0] = 1;
  memory = NULL;
  return memory == NULL;
}
