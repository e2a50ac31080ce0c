#include "CAllocationCounter.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// glibc's own entry points, by the names that stay when the others are replaced.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// Of the executable itself, so that reading them allocates nothing.
static _Thread_local __attribute__((tls_model("initial-exec"))) bool is_counting;
static _Thread_local __attribute__((tls_model("initial-exec"))) unsigned long count;

static inline void note(void) {
  if (is_counting) count++;
}

void allocation_counter_start(void) {
  count = 0;
  is_counting = true;
}

unsigned long allocation_counter_stop(void) {
  is_counting = false;
  return count;
}

void *malloc(size_t size) {
  note();
  return __libc_malloc(size);
}

void *calloc(size_t elements, size_t size) {
  note();
  return __libc_calloc(elements, size);
}

void *realloc(void *memory, size_t size) {
  note();
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  note();
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) {
    return EINVAL;
  }
  int before = errno;
  void *new_memory = __libc_memalign(alignment, size);
  errno = before;
  if (new_memory == NULL) return ENOMEM;
  *memory = new_memory;
  return 0;
}
