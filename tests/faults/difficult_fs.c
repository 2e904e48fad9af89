/* A file system in user space (FUSE) that passes everything on to a folder, but is as difficult as some that models
 * write to: on networks, of containers, with quotas.
 *
 *   difficult_fs PLACE -f -s -o root=FOLDER[,difficulty]…
 *
 * - short=BYTES: one call writes no more than that;
 * - direct_io: nothing goes through the page cache, so that the lengths of the writes are those of the callers;
 * - no_direct: a file is not opened with O_DIRECT (EINVAL);
 * - no_allocate, no_exchange: there is no fallocate (EOPNOTSUPP), names cannot be exchanged (EINVAL);
 * - no_locks=ERRNO: a lock is refused with this error number;
 * - own_inodes: numbers of inodes are given out anew with every look-up that follows a forgotten one;
 * - silly: a file that is removed while it is open stays in its folder under another name until it is closed;
 * - late=BYTES: after so many bytes, writes are taken and dropped, and the file gets no more than their length;
 *   late_errno=ERRNO: which is told only by the next fsync, or flush (what close calls), or late_fsync: only by fsync;
 *   told once to every one who has the file open, as Linux tells it;
 * - late_keeps: but the bytes are written all the same;
 * - counts=FILE: where to say at the end how often each difficulty was met; and how often files were synced, and how
 * many files had been written and not been synced since when they, or the folder that they are in, were renamed
 * directly below PLACE.
 */
#define FUSE_USE_VERSION 35
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <fuse.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static struct {
  char *root, *counts;
  int short_bytes, direct_io, no_direct, no_allocate, no_exchange, no_locks, own_inodes, silly;
  int late_errno, late_fsync, late_keeps;
  long late;
} options = {.late = -1};

static struct {
  long shortened, refused_direct, refused_allocate, refused_exchange, refused_locks, dropped, told, synced,
      renamed_early;
} counts;

/* Inodes of files that were written and not synced since. */
static ino_t* dirty_files;
static size_t dirty_count, dirty_room;

/* Files of which writes were dropped. */
struct lossy {
  ino_t inode;
  int losses;
  int is_told; /* who opens the file from now on is not told of these */
};
static struct lossy lossy_files[4096];
static size_t lossy_count;
static long written_bytes;

struct handle {
  int fd;
  ino_t inode;
  int known_losses;
};

static struct handle* handle_of(const struct fuse_file_info* info) {
  return (struct handle*)(uintptr_t)info->fh;
}

static struct lossy* lossy_file(ino_t inode) {
  for (size_t i = 0; i < lossy_count; ++i)
    if (lossy_files[i].inode == inode) return &lossy_files[i];
  return NULL;
}

static void note_dirty(ino_t inode) {
  for (size_t i = 0; i < dirty_count; ++i)
    if (dirty_files[i] == inode) return;
  if (dirty_count == dirty_room) {
    dirty_room = dirty_room * 2 + 64;
    dirty_files = realloc(dirty_files, dirty_room * sizeof *dirty_files);
    if (dirty_files == NULL) abort();
  }
  dirty_files[dirty_count++] = inode;
}

static int forget_dirty(ino_t inode) {
  for (size_t i = 0; i < dirty_count; ++i)
    if (dirty_files[i] == inode) {
      dirty_files[i] = dirty_files[--dirty_count];
      return 1;
    }
  return 0;
}

/* One that is found is forgotten, so that it is counted once. */
static int count_early(const char* path, const struct stat* status, int kind, struct FTW* place) {
  (void)path, (void)kind, (void)place;
  if (S_ISREG(status->st_mode)) counts.renamed_early += forget_dirty(status->st_ino);
  return 0;
}

static int result(long returned) {
  return returned < 0 ? -errno : (int)returned;
}

/* Two, because rename has two. */
static const char* below(const char* path, int which) {
  static char paths[2][8192];
  snprintf(paths[which], sizeof paths[which], "%s%s", options.root, path);
  return paths[which];
}

static int fs_getattr(const char* path, struct stat* status, struct fuse_file_info* info) {
  return result(info != NULL ? fstat(handle_of(info)->fd, status) : lstat(below(path, 0), status));
}

static int fs_readlink(const char* path, char* text, size_t bytes) {
  const ssize_t length = readlink(below(path, 0), text, bytes - 1);
  if (length < 0) return -errno;
  text[length] = '\0';
  return 0;
}

static int fs_mkdir(const char* path, mode_t mode) {
  return result(mkdir(below(path, 0), mode));
}
static int fs_rmdir(const char* path) {
  return result(rmdir(below(path, 0)));
}
static int fs_unlink(const char* path) {
  struct stat status;
  if (lstat(below(path, 0), &status) == 0 && status.st_nlink == 1) forget_dirty(status.st_ino);
  return result(unlink(below(path, 0)));
}
static int fs_symlink(const char* to, const char* path) {
  return result(symlink(to, below(path, 0)));
}
static int fs_link(const char* from, const char* to) {
  return result(link(below(from, 0), below(to, 1)));
}

static int fs_rename(const char* from, const char* to, unsigned flags) {
  if (flags != 0 && options.no_exchange) {
    ++counts.refused_exchange;
    return -EINVAL;
  }
  if (strchr(from + 1, '/') == NULL && strchr(to + 1, '/') == NULL && strstr(to, ".partial") == NULL)
    nftw(below(from, 0), count_early, 16, FTW_PHYS);
  return result(renameat2(AT_FDCWD, below(from, 0), AT_FDCWD, below(to, 1), flags));
}

static int fs_chmod(const char* path, mode_t mode, struct fuse_file_info* info) {
  return result(info != NULL ? fchmod(handle_of(info)->fd, mode) : chmod(below(path, 0), mode));
}

static int fs_chown(const char* path, uid_t user, gid_t group, struct fuse_file_info* info) {
  (void)info;
  return result(lchown(below(path, 0), user, group));
}

static int fs_utimens(const char* path, const struct timespec times[2], struct fuse_file_info* info) {
  (void)info;
  return result(utimensat(AT_FDCWD, below(path, 0), times, AT_SYMLINK_NOFOLLOW));
}

static int fs_truncate(const char* path, off_t bytes, struct fuse_file_info* info) {
  return result(info != NULL ? ftruncate(handle_of(info)->fd, bytes) : truncate(below(path, 0), bytes));
}

/* The file beneath is open for reading too, without O_DIRECT: what the kernel hands on is not aligned. */
static int open_below(const char* path, int flags, mode_t mode, struct fuse_file_info* info) {
  if ((flags & O_DIRECT) != 0 && options.no_direct) {
    ++counts.refused_direct;
    return -EINVAL;
  }
  flags &= ~(O_DIRECT | O_APPEND);
  if ((flags & O_ACCMODE) == O_WRONLY) flags = (flags & ~O_ACCMODE) | O_RDWR;
  const int fd = open(below(path, 0), flags, mode);
  struct stat status;
  if (fd < 0 || fstat(fd, &status) != 0) return -errno;
  struct handle* made = malloc(sizeof *made);
  if (made == NULL) abort();
  const struct lossy* file = lossy_file(status.st_ino);
  *made = (struct handle){fd, status.st_ino, file != NULL && file->is_told ? file->losses : 0};
  info->fh = (uint64_t)(uintptr_t)made;
  info->direct_io = options.direct_io != 0;
  return 0;
}

static int fs_open(const char* path, struct fuse_file_info* info) {
  return open_below(path, info->flags, 0, info);
}

/* A file with the inode of one that was removed is another one. */
static int fs_create(const char* path, mode_t mode, struct fuse_file_info* info) {
  const int code = open_below(path, info->flags | O_CREAT, mode, info);
  struct lossy* file = code == 0 ? lossy_file(handle_of(info)->inode) : NULL;
  if (file != NULL) *file = (struct lossy){0};
  return code;
}

static int fs_read(const char* path, char* data, size_t bytes, off_t offset, struct fuse_file_info* info) {
  (void)path;
  return result(pread(handle_of(info)->fd, data, bytes, offset));
}

static int drop(const struct handle* file, size_t bytes, off_t offset) {
  struct lossy* known = lossy_file(file->inode);
  if (known == NULL) {
    if (lossy_count == sizeof lossy_files / sizeof *lossy_files) abort();
    known = &lossy_files[lossy_count++];
    *known = (struct lossy){.inode = file->inode};
  }
  ++counts.dropped;
  ++known->losses;
  known->is_told = 0;
  struct stat status;
  if (fstat(file->fd, &status) != 0) return -errno;
  const off_t end = offset + (off_t)bytes;
  return end <= status.st_size || ftruncate(file->fd, end) == 0 ? (int)bytes : -errno;
}

static int fs_write(const char* path, const char* data, size_t bytes, off_t offset, struct fuse_file_info* info) {
  const struct handle* file = handle_of(info);
  /* Who has a name is asked and told in every way (store/name_lock.hpp), and is no data. */
  const int is_lock = strstr(path, ".lock") != NULL;
  if (options.short_bytes > 0 && bytes > (size_t)options.short_bytes) {
    ++counts.shortened;
    bytes = (size_t)options.short_bytes;
  }
  if (options.late >= 0 && !is_lock && (written_bytes += (long)bytes) > options.late) {
    const int dropped = drop(file, bytes, offset);
    if (!options.late_keeps || dropped < 0) return dropped;
  }
  if (!is_lock) note_dirty(file->inode);
  return result(pwrite(file->fd, data, bytes, offset));
}

/* What is told late, once to each who has the file open. */
static int late_error(struct handle* file) {
  struct lossy* known = lossy_file(file->inode);
  if (known == NULL || known->losses <= file->known_losses) return 0;
  file->known_losses = known->losses;
  known->is_told = 1;
  ++counts.told;
  return -options.late_errno;
}

static int fs_flush(const char* path, struct fuse_file_info* info) {
  (void)path;
  return options.late_fsync ? 0 : late_error(handle_of(info));
}

static int fs_release(const char* path, struct fuse_file_info* info) {
  (void)path;
  close(handle_of(info)->fd);
  free(handle_of(info));
  return 0;
}

/* Nothing is forced to the device beneath: power is cut elsewhere. */
static int fs_fsync(const char* path, int only_data, struct fuse_file_info* info) {
  (void)path, (void)only_data;
  ++counts.synced;
  forget_dirty(handle_of(info)->inode);
  return late_error(handle_of(info));
}

static int fs_fsyncdir(const char* path, int only_data, struct fuse_file_info* info) {
  (void)path, (void)only_data, (void)info;
  return 0;
}

static int fs_readdir(const char* path, void* names, fuse_fill_dir_t fill, off_t offset, struct fuse_file_info* info,
                      enum fuse_readdir_flags flags) {
  (void)offset, (void)info, (void)flags;
  DIR* folder = opendir(below(path, 0));
  if (folder == NULL) return -errno;
  for (const struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
    struct stat status = {.st_ino = entry->d_ino, .st_mode = (mode_t)entry->d_type << 12};
    if (fill(names, entry->d_name, &status, 0, 0) != 0) break;
  }
  closedir(folder);
  return 0;
}

static int fs_statfs(const char* path, struct statvfs* status) {
  return result(statvfs(below(path, 0), status));
}

static int fs_fallocate(const char* path, int mode, off_t offset, off_t bytes, struct fuse_file_info* info) {
  (void)path;
  if (options.no_allocate) {
    ++counts.refused_allocate;
    return -EOPNOTSUPP;
  }
  return result(fallocate(handle_of(info)->fd, mode, offset, bytes));
}

static int fs_lock(const char* path, struct fuse_file_info* info, int command, struct flock* lock) {
  (void)path, (void)info, (void)command, (void)lock;
  ++counts.refused_locks;
  return -options.no_locks;
}

static void* fs_init(struct fuse_conn_info* connection, struct fuse_config* config) {
  /* Of direct writes under way at one time the kernel makes an error (EIO) when one is short. */
  connection->want &= ~(unsigned)FUSE_CAP_ASYNC_DIO;
  config->use_ino = !options.own_inodes;
  config->hard_remove = !options.silly;
  /* Others change the folder beneath while nothing is open, and want to see it at once. */
  config->entry_timeout = config->attr_timeout = config->negative_timeout = 0;
  return NULL;
}

static void fs_destroy(void* data) {
  (void)data;
  FILE* file = options.counts != NULL ? fopen(options.counts, "w") : NULL;
  if (file == NULL) return;
  fprintf(file,
          "short %ld\nno_direct %ld\nno_allocate %ld\nno_exchange %ld\nno_locks %ld\ndropped %ld\ntold %ld\n"
          "synced %ld\nrenamed_early %ld\n",
          counts.shortened, counts.refused_direct, counts.refused_allocate, counts.refused_exchange,
          counts.refused_locks, counts.dropped, counts.told, counts.synced, counts.renamed_early);
  fclose(file);
}

static struct fuse_operations operations = {
    .getattr = fs_getattr,
    .readlink = fs_readlink,
    .mkdir = fs_mkdir,
    .rmdir = fs_rmdir,
    .unlink = fs_unlink,
    .symlink = fs_symlink,
    .link = fs_link,
    .rename = fs_rename,
    .chmod = fs_chmod,
    .chown = fs_chown,
    .utimens = fs_utimens,
    .truncate = fs_truncate,
    .open = fs_open,
    .create = fs_create,
    .read = fs_read,
    .write = fs_write,
    .flush = fs_flush,
    .release = fs_release,
    .fsync = fs_fsync,
    .fsyncdir = fs_fsyncdir,
    .readdir = fs_readdir,
    .statfs = fs_statfs,
    .fallocate = fs_fallocate,
    .init = fs_init,
    .destroy = fs_destroy,
};

#define OPTION(TEXT, MEMBER) {TEXT, offsetof(__typeof__(options), MEMBER), 1}
static const struct fuse_opt known_options[] = {
    OPTION("root=%s", root),
    OPTION("counts=%s", counts),
    OPTION("short=%i", short_bytes),
    OPTION("direct_io", direct_io),
    OPTION("no_direct", no_direct),
    OPTION("no_allocate", no_allocate),
    OPTION("no_exchange", no_exchange),
    OPTION("no_locks=%i", no_locks),
    OPTION("own_inodes", own_inodes),
    OPTION("silly", silly),
    OPTION("late=%li", late),
    OPTION("late_errno=%i", late_errno),
    OPTION("late_fsync", late_fsync),
    OPTION("late_keeps", late_keeps),
    FUSE_OPT_END,
};

int main(int count, char** words) {
  struct fuse_args arguments = FUSE_ARGS_INIT(count, words);
  if (fuse_opt_parse(&arguments, &options, known_options, NULL) != 0 || options.root == NULL) return 2;
  /* Without this operation the kernel keeps locks itself. */
  if (options.no_locks != 0) operations.lock = fs_lock;
  umask(0);
  return fuse_main(arguments.argc, arguments.argv, &operations, NULL);
}
