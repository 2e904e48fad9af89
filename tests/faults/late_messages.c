/* For LD_PRELOAD: messages between nodes about who waits (tag 1) leave late, as on a network that is slow, and at the
 * latest when the sender frees their communicator, a moment after others may have done so.
 *
 * - THALWEG_TEST_LATE_MS: how late;
 * - THALWEG_TEST_LATE_LOG: a file to which "late" is appended for each of them, and "left over" for one that leaves
 *   only then.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <string.h>
#include <time.h>

#include "preload.h"

enum { TAG = 1, MOST = 4096 };

struct message {
  void* bytes;
  int count, rank;
  MPI_Comm comm;
  double due_s;
};
static struct message waiting[MOST];
static int begin, end; /* of those that have not left */

static double now_s(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void note(const char* what) {
  const char* log = getenv("THALWEG_TEST_LATE_LOG");
  const int file = open(log == NULL ? "/dev/null" : log, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0644);
  if (write(file, what, strlen(what)) < 0) perror(log);
  close(file);
}

static void leave(const struct message* message) {
  MPI_Request request;
  PMPI_Isend(message->bytes, message->count, MPI_BYTE, message->rank, TAG, message->comm, &request);
  PMPI_Request_free(&request); /* what it holds stays until the program ends */
}

static void leave_in_time(void) {
  while (begin < end && waiting[begin].due_s <= now_s()) leave(&waiting[begin++]);
}

int MPI_Isend(const void* bytes, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm, MPI_Request* request) {
  if (tag != TAG || end == MOST) return PMPI_Isend(bytes, count, type, rank, tag, comm, request);
  void* copy = malloc((size_t)count);
  memcpy(copy, bytes, (size_t)count);
  note("late\n");
  waiting[end++] = (struct message){copy, count, rank, comm, now_s() + 1e-3 * (double)setting("THALWEG_TEST_LATE_MS")};
  *request = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int* found, MPI_Status* status) {
  leave_in_time();
  return PMPI_Iprobe(source, tag, comm, found, status);
}

int MPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
  leave_in_time();
  return PMPI_Test(request, done, status);
}

int MPI_Comm_free(MPI_Comm* comm) {
  const struct timespec moment = {0, 50 * 1000 * 1000};
  for (int i = begin; i < end; ++i) {
    if (waiting[i].comm != *comm) continue;
    note("left over\n");
    nanosleep(&moment, NULL);
    leave(&waiting[i]);
    for (int later = i--; later + 1 < end; ++later) waiting[later] = waiting[later + 1];
    --end;
  }
  return PMPI_Comm_free(comm);
}
