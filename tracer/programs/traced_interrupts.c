// traced_interrupts WHAT: calls that are interrupted, left or cancelled at any place, also within a tracer.
//   handle  a signal's handler writes a byte into 'handled' each time; says how often it did
//   jump    a handler leaves what it interrupts, until it has 200 times; then 1000 writes at 16
//   cancel  400 threads are cancelled while they open files of names that nobody had before; then all names are opened
//   close   a descriptor is closed by closedir, or by no function at all, and is then that of another file, or of a
//   socket
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

enum { JUMPS = 200, THREADS = 400, NAMES = 32 };
static volatile sig_atomic_t is_done;
static volatile long handled;
static int file;
static sigjmp_buf before;

static void on_time(int number) {
  (void)number;
  if (!is_done && write(file, "h", 1) == 1) ++handled;
}

static void leave(int number) {
  (void)number;
  siglongjmp(before, 1);
}

static void every_microseconds(int interval, void (*handler)(int)) {
  const struct itimerval timer = {{0, interval}, {0, interval}};
  signal(SIGALRM, handler);
  setitimer(ITIMER_REAL, &timer, NULL);
}

static void handle(void) {
  file = open("handled", O_CREAT | O_RDWR, 0644);
  const int own = open("own", O_CREAT | O_RDWR, 0644);
  every_microseconds(100, on_time);
  while (handled < 2000)
    if (pwrite(own, "own", 3, 0) != 3) abort();
  is_done = 1;
  every_microseconds(0, SIG_IGN);
  printf("%ld\n", handled);
}

static void jump(void) {
  volatile int jumps = 0;
  const int own = open("own", O_CREAT | O_RDWR, 0644);
  if (sigsetjmp(before, 1) == 0) {
    every_microseconds(300, leave);
  } else {
    ++jumps;
  }
  while (jumps < JUMPS)
    if (pwrite(own, "own", 3, 0) != 3) abort();
  every_microseconds(0, SIG_IGN);
  for (int i = 0; i < 1000; ++i)
    if (pwrite(own, "own", 3, 16) != 3) abort();
}

static void* open_names(void* number) {
  char name[64];
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  for (int i = 0; i < NAMES; ++i) {
    snprintf(name, sizeof name, "%ld-%d", (long)number, i);
    open(name, O_CREAT | O_RDWR, 0644);
  }
  return NULL;
}

static void cancel(void) {
  for (long number = 0; number < THREADS; ++number) {
    pthread_t thread;
    const struct timespec moment = {0, 500 * number};
    pthread_create(&thread, NULL, open_names, (void*)number);
    nanosleep(&moment, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    close_range(3, ~0U, 0);
    for (int i = 0; i < NAMES; ++i) {
      char name[64];
      snprintf(name, sizeof name, "%ld-%d", number, i);
      const int again = open(name, O_CREAT | O_RDONLY, 0644);
      if (again < 0) abort();
      close(again);
    }
  }
}

static void close_otherwise(void) {
  int ends[2];
  const int first = open(".", O_RDONLY | O_DIRECTORY);
  closedir(fdopendir(first));
  if (syscall(SYS_openat, AT_FDCWD, "unseen", O_CREAT | O_RDWR, 0644) != first) abort();
  if (write(first, "four", 4) != 4) abort();
  syscall(SYS_close, first);
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 || ends[0] != first) abort();
  if (write(first, "other", 5) != 5) abort();
  fputs("text", fopen("streamed", "w"));
}

int main(int count, char** arguments) {
  const char* what = count == 2 ? arguments[1] : "";
  if (!strcmp(what, "handle"))
    handle();
  else if (!strcmp(what, "jump"))
    jump();
  else if (!strcmp(what, "cancel"))
    cancel();
  else if (!strcmp(what, "close"))
    close_otherwise();
  else
    return 2;
  return 0;
}
