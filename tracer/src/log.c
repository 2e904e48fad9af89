#include "log.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "clock.h"
#include "settings.h"
#include "state.h"
#include "system.h"

enum { ROWS_AT = HEADER_BYTES, SLOTS_AT = HEADER_BYTES + ROW_COUNT * ROW_BYTES };
enum { CHECKED_WORDS = SLOT_BYTES / 8 - 1 };
enum { FIRST_SLOTS = 1024, MOST_NEW_SLOTS = 1 << 17 };

static struct State* state;

static void forget_after_fork(void) {
  memset(state, 0, sizeof *state);
}

// The kernel gives a child zeros whatever way it was forked; where it cannot, at least fork() does.
__attribute__((constructor(102))) static void make_state(void) {
  if (state) return;
  struct State* made = system_map(sizeof *made, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  if (made == MAP_FAILED) return;
  state = made;
  if (madvise(made, sizeof *made, MADV_WIPEONFORK) != 0) pthread_atfork(NULL, NULL, forget_after_fork);
}

struct State* thw_state(void) {
  if (!state) make_state();
  return state;
}

struct Header* thw_log_header(void) {
  return state->header;
}
struct Slot* thw_log_at(uint32_t number) {
  return &state->slots[number - 1];
}

// Every byte has its place on the storage before it is touched: memory of a file without one would kill the program.
static int give_storage(int file, uint64_t from, uint64_t to) {
  if (syscall(SYS_fallocate, file, 0, from, to - from) == 0) return 1;
  if (errno != EOPNOTSUPP && errno != ENOSYS) return 0;
  static const char zeros[65536];
  while (from < to) {
    const uint64_t bytes = to - from < sizeof zeros ? to - from : sizeof zeros;
    if (system_pwrite(file, zeros, bytes, from) != (long)bytes) return 0;
    from += bytes;
  }
  return 1;
}

static int rank_of_environment(const char* const* names) {
  for (; *names; ++names) {
    const char* text = getenv(*names);
    if (text && *text) return atoi(text);
  }
  return -1;
}

static void copy_file_text(const char* path, char* into, size_t bytes, char separator) {
  const int file = system_open(path, O_RDONLY);
  if (file < 0) return;
  const long length = system_read(file, into, bytes - 1);
  for (long i = 0; i + 1 < length; ++i)
    if (!into[i]) into[i] = separator;
  system_close(file);
}

static void describe(struct Header* header) {
  static const char* const rank_names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK",    "PMI_RANK", "MV2_COMM_WORLD_RANK",
                                           "MPI_LOCALRANKID",      "SLURM_PROCID", NULL};
  static const char* const size_names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE", "SLURM_NTASKS",
                                           NULL};
  memcpy(header->magic, TRACE_MAGIC, sizeof header->magic);
  header->version = TRACE_VERSION;
  header->header_bytes = HEADER_BYTES;
  header->row_bytes = ROW_BYTES;
  header->row_count = ROW_COUNT;
  header->slot_bytes = SLOT_BYTES;
  header->layers = thw_settings()->layers;
  header->slot_limit = thw_settings()->slot_limit;
  header->pid = (uint32_t)getpid();
  header->parent_pid = (uint32_t)getppid();
  header->rank = rank_of_environment(rank_names);
  header->ranks = rank_of_environment(size_names);
  struct timespec real;
  clock_gettime(CLOCK_REALTIME, &real);
  header->start_real = (uint64_t)real.tv_sec * 1000000000u + (uint64_t)real.tv_nsec;
  header->start = header->last = thw_clock(state);
  gethostname(header->host, sizeof header->host - 1);
  const long length = readlink("/proc/self/exe", header->program, sizeof header->program - 1);
  header->program[length > 0 ? length : 0] = 0;
  copy_file_text("/proc/self/cmdline", header->command, sizeof header->command, ' ');
}

static int create_file(void) {
  char host[65] = "";
  gethostname(host, sizeof host - 1);
  // A process that executes another program keeps its number: the second log has the next name.
  for (int again = 0; again < 1000; ++again) {
    snprintf(state->path, sizeof state->path, "%s/%s-%d-%d.trace", thw_settings()->folder, host, getpid(), again);
    const int file = system_open(state->path, O_RDWR | O_CREAT | O_EXCL);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

static int open_log(void) {
  const uint64_t limit = thw_settings()->slot_limit;
  const uint64_t first = limit < FIRST_SLOTS ? limit : FIRST_SLOTS;
  const int file = create_file();
  if (file < 0) {
    char message[4400];
    snprintf(message, sizeof message,
             "thalweg trace: '%s' cannot be made: %s; this process is not traced; THALWEG_TRACE_DIR must be a folder "
             "that it can write\n",
             state->path, strerror(errno));
    complain(message);
    return 0;
  }
  state->log_bytes = SLOTS_AT + limit * SLOT_BYTES;
  char* map = MAP_FAILED;
  if (give_storage(file, 0, SLOTS_AT + first * SLOT_BYTES))
    map = system_map(state->log_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file);
  system_close(file);
  if (map == MAP_FAILED) {
    complain("thalweg trace: no room for a log in THALWEG_TRACE_DIR, or no memory to map it; not traced\n");
    return 0;
  }
  state->header = (struct Header*)map;
  state->rows = (struct Row*)(map + ROWS_AT);
  state->slots = (struct Slot*)(map + SLOTS_AT);
  atomic_store(&state->ready_slots, first);
  thw_clock_begin(state);
  describe(state->header);
  return 1;
}

static NEVER_INLINE void open_or_wait(struct State* mine) {
  struct Quiet quiet;
  int found = LOG_UNOPENED;
  thw_quiet_begin(&quiet);
  if (atomic_compare_exchange_strong(&mine->log_state, &found, LOG_OPENING)) {
    const int is_open = thw_settings()->folder && open_log();
    atomic_store_explicit(&mine->log_state, is_open ? LOG_OPEN : LOG_OFF, memory_order_release);
  }
  thw_quiet_end(&quiet);
  if (found == LOG_OPENING) sched_yield();
}

int thw_log_ready(void) {
  struct State* mine = thw_state();
  if (!mine) return 0;
  for (;;) {
    const int found = atomic_load_explicit(&mine->log_state, memory_order_acquire);
    if (found == LOG_OPEN) return 1;
    if (found == LOG_OFF) return 0;
    open_or_wait(mine);
  }
}

// No descriptor is kept: programs close those that they do not know. Growing takes the file by its name.
static NEVER_INLINE void grow(uint64_t wanted) {
  struct Quiet quiet;
  thw_quiet_begin(&quiet);
  while (atomic_flag_test_and_set_explicit(&state->growing, memory_order_acquire)) sched_yield();
  const uint64_t ready = atomic_load(&state->ready_slots);
  const uint64_t limit = state->header->slot_limit;
  if (wanted > ready && ready < limit) {
    uint64_t added = ready < MOST_NEW_SLOTS ? ready : MOST_NEW_SLOTS;
    if (added > limit - ready) added = limit - ready;
    const int file = system_open(state->path, O_RDWR);
    const uint64_t from = SLOTS_AT + ready * SLOT_BYTES;
    if (file >= 0 && give_storage(file, from, from + added * SLOT_BYTES)) {
      // Pages that are there beforehand are not waited for at each event; where the kernel cannot, they come one by
      // one.
#ifdef MADV_POPULATE_WRITE
      const uint64_t page = from & ~(uint64_t)4095;
      madvise((char*)state->header + page, from + added * SLOT_BYTES - page, MADV_POPULATE_WRITE);
#endif
      atomic_store_explicit(&state->ready_slots, ready + added, memory_order_release);
    } else {
      state->header->slot_limit = ready;
    }
    if (file >= 0) system_close(file);
  }
  atomic_flag_clear_explicit(&state->growing, memory_order_release);
  thw_quiet_end(&quiet);
}

struct Slot* thw_log_slot(uint32_t* number) {
  const uint64_t index = __atomic_fetch_add(&state->header->next_slot, 1, __ATOMIC_RELAXED);
  while (index >= atomic_load_explicit(&state->ready_slots, memory_order_acquire)) {
    if (index >= state->header->slot_limit) {
      *number = 0;
      return NULL;
    }
    grow(index + 1);
  }
  *number = (uint32_t)index + 1;
  // The next event finds its slot's line of the cache.
  __builtin_prefetch(&state->slots[index + 1], 1);
  return &state->slots[index];
}

// The number of a row counts from 1.
static NEVER_INLINE uint16_t make_row(unsigned index) {
  struct Quiet quiet;
  lock_tables(state, &quiet);
  uint16_t known = atomic_load(&state->row_of[index]);
  if (!known) {
    const uint32_t used = atomic_load(&state->row_count);
    // The last row is of all functions that find none.
    known = used + 1 < ROW_COUNT ? (uint16_t)(used + 1) : ROW_COUNT;
    struct Row* row = &state->rows[known - 1];
    const struct Function* function = &thw_functions[index];
    snprintf(row->name, sizeof row->name, "%s", known < ROW_COUNT ? function->name : "others");
    row->layer = function->layer;
    row->class_ = function->class_role.kind;
    row->is_fortran = function->is_fortran;
    if (known < ROW_COUNT) atomic_store(&state->row_count, used + 1);
    state->header->rows_used = known;
    atomic_store_explicit(&state->row_of[index], known, memory_order_release);
  }
  unlock_tables(state, &quiet);
  return known;
}

struct Row* thw_log_row(unsigned index, uint16_t* number) {
  uint16_t known = atomic_load_explicit(&state->row_of[index], memory_order_acquire);
  if (!known) known = make_row(index);
  *number = known - 1;
  return &state->rows[known - 1];
}

// A sum that a changed byte changes; it is not to withstand an enemy. Of a call that has begun only the time is in it:
// most slots are soon summed again, and words that were just written in pieces are slow to read.
static uint64_t check_of(const uint64_t* words) {
  uint64_t sum = 0x9e3779b97f4a7c15u;
  for (int i = 0; i < CHECKED_WORDS; ++i) sum = (sum ^ words[i]) * 0xff51afd7ed558ccdu;
  return sum ^ (sum >> 32);
}

uint64_t thw_slot_check(const struct Slot* slot) {
  if (slot->kind == SLOT_STARTED) return (slot->start ^ 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
  return check_of((const uint64_t*)slot);
}

// The words are put together in registers, for the same reason. The first one, which says that the call has ended, and
// the check come last, so that a kill leaves a call that has begun.
void thw_slot_finish(struct Slot* slot, const struct SlotEnd* end) {
  uint64_t* words = (uint64_t*)slot;
  const uint64_t whole[CHECKED_WORDS] = {
      (words[0] & ~(uint64_t)0xffff) | (uint64_t)end->flags << 8 | SLOT_FINISHED,
      words[1],
      end->duration,
      end->bytes,
      (uint64_t)end->offset,
      (words[5] & ~(uint64_t)UINT32_MAX) | end->file,
      (words[6] & UINT16_MAX) | (uint64_t)end->along << 16 | (uint64_t)(uint32_t)end->result << 32,
  };
  for (int i = 2; i < CHECKED_WORDS; ++i) words[i] = whole[i];
  atomic_signal_fence(memory_order_release);
  words[0] = whole[0];
  words[CHECKED_WORDS] = check_of(whole);
}

void thw_log_set_rank(int rank, int ranks) {
  if (state->header->rank < 0) state->header->rank = rank;
  if (state->header->ranks < 0) state->header->ranks = ranks;
}

__attribute__((destructor)) static void end_log(void) {
  if (!state || atomic_load(&state->log_state) != LOG_OPEN) return;
  thw_clock_note(state);
  state->header->last = thw_clock(state);
  state->header->has_ended = 1;
}
