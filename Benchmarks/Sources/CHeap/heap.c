#include "heap.h"
#include <sys/resource.h>

#ifdef __GLIBC__
#include <malloc.h>
size_t live_heap_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
#else
size_t live_heap_bytes(void) { return 0; }
#endif

size_t peak_memory_bytes(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
  return (size_t)usage.ru_maxrss;
#else
  return (size_t)usage.ru_maxrss * 1024;
#endif
}
