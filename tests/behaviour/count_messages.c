/* For LD_PRELOAD: counts the messages that a program gives to MPI, by call, tag and size of the communicator, and
 * writes them to <THALWEG_TEST_MESSAGES>.<rank> when MPI ends: a line "call tag ranks count bytes" each. Only calls on
 * communicators are counted, and of these the ones that Thalweg makes (tests/behaviour/record.py says for what). */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_kinds = 512 };

struct kind {
  const char* call;
  int tag;
  int ranks;
  long count;
  long bytes;
};

static struct kind kinds[most_kinds];
static int used;
static char lock;

static struct kind* find(const char* call, int tag, int ranks) {
  for (int i = 0; i < used; ++i)
    if (kinds[i].tag == tag && kinds[i].ranks == ranks && strcmp(kinds[i].call, call) == 0) return &kinds[i];
  if (used == most_kinds) {
    fprintf(stderr, "count_messages: more than %d kinds\n", most_kinds);
    abort();
  }
  kinds[used] = (struct kind){call, tag, ranks, 0, 0};
  return &kinds[used++];
}

/* Several threads send. */
static void add(const char* call, int tag, MPI_Comm comm, long elements, MPI_Datatype type) {
  int ranks = 0, bytes = 0;
  PMPI_Comm_size(comm, &ranks);
  if (type != MPI_DATATYPE_NULL) PMPI_Type_size(type, &bytes);
  while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE)) {
  }
  struct kind* kind = find(call, tag, ranks);
  kind->count += 1;
  kind->bytes += elements * bytes;
  __atomic_clear(&lock, __ATOMIC_RELEASE);
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  add("send", tag, comm, count, type);
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int MPI_Issend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  add("synchronous-send", tag, comm, count, type);
  return PMPI_Issend(data, count, type, to, tag, comm, request);
}

int MPI_Iallreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  add("allreduce", 0, comm, count, type);
  return PMPI_Iallreduce(in, out, count, type, op, comm, request);
}

int MPI_Ibcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  add("bcast", 0, comm, count, type);
  return PMPI_Ibcast(data, count, type, root, comm, request);
}

int MPI_Iscan(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  add("scan", 0, comm, count, type);
  return PMPI_Iscan(in, out, count, type, op, comm, request);
}

int MPI_Iallgather(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count, MPI_Datatype out_type,
                   MPI_Comm comm, MPI_Request* request) {
  add("allgather", 0, comm, out_count, out_type);
  return PMPI_Iallgather(in, in_count, in_type, out, out_count, out_type, comm, request);
}

int MPI_Igather(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count, MPI_Datatype out_type,
                int root, MPI_Comm comm, MPI_Request* request) {
  add("gather", 0, comm, in_count, in_type);
  return PMPI_Igather(in, in_count, in_type, out, out_count, out_type, root, comm, request);
}

int MPI_Igatherv(const void* in, int in_count, MPI_Datatype in_type, void* out, const int counts[], const int starts[],
                 MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request* request) {
  add("gatherv", 0, comm, in_count, in_type);
  return PMPI_Igatherv(in, in_count, in_type, out, counts, starts, out_type, root, comm, request);
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  add("barrier", 0, comm, 0, MPI_DATATYPE_NULL);
  return PMPI_Ibarrier(comm, request);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
  add("split", 0, comm, 0, MPI_DATATYPE_NULL);
  return PMPI_Comm_split(comm, color, key, made);
}

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* made, MPI_Request* request) {
  add("duplicate", 0, comm, 0, MPI_DATATYPE_NULL);
  return PMPI_Comm_idup(comm, made, request);
}

int MPI_Finalize(void) {
  const char* name = getenv("THALWEG_TEST_MESSAGES");
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (name != NULL) {
    char path[4096];
    snprintf(path, sizeof path, "%s.%d", name, rank);
    FILE* file = fopen(path, "w");
    if (file == NULL) perror(path);
    for (int i = 0; file != NULL && i < used; ++i)
      fprintf(file, "%s %d %d %ld %ld\n", kinds[i].call, kinds[i].tag, kinds[i].ranks, kinds[i].count, kinds[i].bytes);
    if (file != NULL) fclose(file);
  }
  return PMPI_Finalize();
}
