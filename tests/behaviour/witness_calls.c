/* For LD_PRELOAD: counts every call of MPI that other ranks may take part in, whoever makes it, and writes them to
 * <THALWEG_TEST_WITNESS>.<rank> when MPI ends: a line "phase thread call count" each. A program says where a phase
 * begins by MPI_Pcontrol(phase), 0 to 2; the thread that says so is the "client", all others are "other".
 *
 * It knows nothing of what Thalweg calls. Arguments are handed on as machine words, as the tracer's wrappers do, so
 * that no type has to be known and mpi.h is not seen. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* The formatter has no end with this list. */
/* clang-format off */
#define EACH_CALL(DO) \
  DO(Send) DO(Ssend) DO(Bsend) DO(Rsend) DO(Isend) DO(Issend) DO(Ibsend) DO(Irsend) DO(Sendrecv) \
  DO(Sendrecv_replace) DO(Start) DO(Startall) DO(Barrier) DO(Ibarrier) DO(Bcast) DO(Reduce) DO(Allreduce) DO(Scan) \
  DO(Exscan) DO(Reduce_scatter) DO(Reduce_scatter_block) DO(Gather) DO(Scatter) DO(Allgather) DO(Alltoall) \
  DO(Gatherv) DO(Scatterv) DO(Allgatherv) DO(Alltoallv) DO(Alltoallw) DO(Ibcast) DO(Ireduce) DO(Iallreduce) \
  DO(Iscan) DO(Iexscan) DO(Ireduce_scatter) DO(Ireduce_scatter_block) DO(Igather) DO(Iscatter) DO(Iallgather) \
  DO(Ialltoall) DO(Igatherv) DO(Iscatterv) DO(Iallgatherv) DO(Ialltoallv) DO(Ialltoallw) DO(Neighbor_allgather) \
  DO(Neighbor_alltoall) DO(Neighbor_allgatherv) DO(Neighbor_alltoallv) DO(Neighbor_alltoallw) DO(Put) DO(Get) \
  DO(Accumulate) DO(Rput) DO(Rget) DO(Win_fence) DO(Win_lock) DO(Win_unlock) DO(Win_lock_all) DO(Win_unlock_all) \
  DO(Win_create) DO(Win_allocate) DO(Win_allocate_shared) DO(Win_free) DO(Comm_dup) DO(Comm_idup) DO(Comm_split) \
  DO(Comm_split_type) DO(Comm_create) DO(Comm_create_group) DO(Cart_create) DO(Dist_graph_create_adjacent) \
  DO(File_open) DO(File_close) DO(File_write_all) DO(File_write_at_all) DO(File_read_all) DO(File_read_at_all) \
  DO(File_sync) DO(File_set_size) DO(File_set_view) DO(File_preallocate)
/* clang-format on */

enum { most_phases = 3 };
#define NUMBER(name) call_##name,
#define NAME(name) #name,
enum { EACH_CALL(NUMBER) call_count };
static const char* const names[] = {EACH_CALL(NAME)};

static atomic_long counts[most_phases][2][call_count];
static atomic_int phase;
static pthread_t client;

static void note(int call) {
  const int is_other = atomic_load(&phase) > 0 && !pthread_equal(pthread_self(), client);
  atomic_fetch_add(&counts[atomic_load(&phase)][is_other][call], 1);
}

#define WITNESS(name)                                                                                               \
  long PMPI_##name(long, long, long, long, long, long, long, long, long, long, long, long);                         \
  long MPI_##name(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k, long l) { \
    note(call_##name);                                                                                              \
    return PMPI_##name(a, b, c, d, e, f, g, h, i, j, k, l);                                                         \
  }
EACH_CALL(WITNESS)

int MPI_Pcontrol(const int level, ...) {
  if (level < 0 || level >= most_phases) abort();
  client = pthread_self();
  atomic_store(&phase, level);
  return 0;
}

int PMPI_Finalize(void);

int MPI_Finalize(void) {
  const char* name = getenv("THALWEG_TEST_WITNESS");
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  if (rank == NULL) rank = getenv("PMI_RANK");
  char path[4096];
  snprintf(path, sizeof path, "%s.%s", name != NULL ? name : "witness", rank != NULL ? rank : "unknown");
  FILE* file = fopen(path, "w");
  if (file == NULL) perror(path);
  for (int p = 0; file != NULL && p < most_phases; ++p)
    for (int thread = 0; thread < 2; ++thread)
      for (int call = 0; call < call_count; ++call) {
        const long count = atomic_load(&counts[p][thread][call]);
        if (count > 0) fprintf(file, "%d %s %s %ld\n", p, thread == 0 ? "client" : "other", names[call], count);
      }
  if (file != NULL) fclose(file);
  return PMPI_Finalize();
}
