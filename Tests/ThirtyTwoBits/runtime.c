// The C library of a machine with one thread, as far as Embedded Swift and ApolloAPI call it. Memory is never given back.
#include "Glibc.h"

typedef struct { const void *start; size_t length; } Bytes;
__attribute__((import_module("wasi_snapshot_preview1"), import_name("fd_write")))
int fd_write(int file, const Bytes *bytes, size_t count, size_t *written);

int putchar(int character) {
  char byte = (char)character;
  Bytes bytes = { &byte, 1 };
  size_t written;
  return fd_write(1, &bytes, 1, &written) == 0 ? character : -1;
}

extern char __heap_base;
static char *next = &__heap_base;

void *aligned_alloc(size_t alignment, size_t size) {
  char *start = (char *)(((size_t)next + alignment - 1) & ~(alignment - 1));
  next = start + size;
  while ((size_t)next > __builtin_wasm_memory_size(0) * 65536)
    if (__builtin_wasm_memory_grow(0, 16) == (size_t)-1) __builtin_trap();
  return start;
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  *result = aligned_alloc(alignment, size);
  return 0;
}

void *malloc(size_t size) { return aligned_alloc(16, size); }
void free(void *memory) {}

void *memmove(void *to, const void *from, size_t count) {
  char *a = to;
  const char *b = from;
  if (a < b) for (size_t i = 0; i < count; i++) a[i] = b[i];
  else for (size_t i = count; i > 0; i--) a[i - 1] = b[i - 1];
  return to;
}

void *memcpy(void *to, const void *from, size_t count) { return memmove(to, from, count); }

void *memset(void *to, int byte, size_t count) {
  for (size_t i = 0; i < count; i++) ((char *)to)[i] = (char)byte;
  return to;
}

int memcmp(const void *a, const void *b, size_t count) {
  for (size_t i = 0; i < count; i++) {
    int difference = ((const unsigned char *)a)[i] - ((const unsigned char *)b)[i];
    if (difference != 0) return difference;
  }
  return 0;
}

// The seed of Swift's hashes.
void arc4random_buf(void *bytes, size_t count) { memset(bytes, 7, count); }

int pthread_mutex_init(pthread_mutex_t *mutex, const void *attributes) { mutex->isLocked = 0; return 0; }
int pthread_mutex_destroy(pthread_mutex_t *mutex) { return 0; }
int pthread_mutex_lock(pthread_mutex_t *mutex) {
  if (mutex->isLocked) __builtin_trap();
  mutex->isLocked = 1;
  return 0;
}
int pthread_mutex_unlock(pthread_mutex_t *mutex) { mutex->isLocked = 0; return 0; }

size_t __stack_chk_guard = 0x0bad;
void __stack_chk_fail(void) { __builtin_trap(); }

// The product of numbers of 128 bits, which Swift's `Double` needs for its description.
__int128 __multi3(__int128 a, __int128 b) {
  unsigned long long x = a, y = b, low = 0xffffffff;
  unsigned long long p = (x & low) * (y & low), q = (x >> 32) * (y & low) + (p >> 32), r = (x & low) * (y >> 32) + (q & low);
  unsigned long long high = (x >> 32) * (y >> 32) + (q >> 32) + (r >> 32);
  high += (unsigned long long)(a >> 64) * y + x * (unsigned long long)(b >> 64);
  return (__int128)((unsigned __int128)high << 64 | (r << 32 | (p & low)));
}

// A decimal number that is no short one. No check reads one.
const char *_swift_stdlib_strtod_clocale(const char *text, double *result) { __builtin_trap(); }
