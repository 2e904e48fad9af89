#include "files.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

void* list_add(List* list, const char* name) {
  char* items = realloc(list->items, (size_t)(list->count + 1) * list->size);
  if (!items) return NULL;
  list->items = items;
  char* added = items + (size_t)list->count++ * list->size;
  memset(added, 0, list->size);
  strncpy(added, name, THALWEG_NC_MAX_NAME);
  return added;
}

void* list_at(const List* list, int number) {
  return number >= 0 && number < list->count ? list->items + (size_t)number * list->size : NULL;
}

int list_find(const List* list, const char* name) {
  for (int i = 0; i < list->count; ++i)
    if (strncmp(list->items + (size_t)i * list->size, name, THALWEG_NC_MAX_NAME) == 0) return i;
  return -1;
}

/* Threads with sessions of their own share the numbers; a file is used by one thread at a time. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static File** files; /* A file has the place of its number less 1, and leaves NULL there when it is closed. */
static int given;

static File* made(const thalweg_session* session) {
  File* file = calloc(1, sizeof *file);
  if (!file) return NULL;
  file->session = session;
  file->unlimited = -1;
  file->dimensions.size = sizeof(Dimension);
  file->variables.size = sizeof(Variable);
  file->attributes.size = sizeof(Attribute);
  return file;
}

static void destroy(File* file) {
  for (int v = 0; v < file->variables.count; ++v) free(((Variable*)list_at(&file->variables, v))->attributes.items);
  free(file->dimensions.items);
  free(file->variables.items);
  free(file->attributes.items);
  free(file);
}

File* file_new(const thalweg_session* session, int* number) {
  pthread_mutex_lock(&lock);
  File** more = realloc(files, (size_t)(given + 1) * sizeof(File*));
  File* file = more ? made(session) : NULL;
  if (more) files = more;
  if (file) {
    files[given] = file;
    *number = ++given;
  }
  pthread_mutex_unlock(&lock);
  return file;
}

File* file_at(int number) {
  pthread_mutex_lock(&lock);
  File* file = number >= 1 && number <= given ? files[number - 1] : NULL;
  pthread_mutex_unlock(&lock);
  return file;
}

void file_close(int number) {
  File* file = file_at(number);
  if (!file) return;
  pthread_mutex_lock(&lock);
  files[number - 1] = NULL;
  pthread_mutex_unlock(&lock);
  destroy(file);
}

int file_is_own(int number) {
  pthread_mutex_lock(&lock);
  const int is_own = number >= 1 && number <= given;
  pthread_mutex_unlock(&lock);
  return is_own;
}

void stub_forget_files(const thalweg_session* session) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < given; ++i) {
    if (!files[i] || files[i]->session != session) continue;
    destroy(files[i]);
    files[i] = NULL;
  }
  pthread_mutex_unlock(&lock);
}
