#pragma once
#include <stddef.h>

/// Bytes that are allocated now; 0 where the C library cannot tell.
size_t live_heap_bytes(void);

/// The largest size that the process has had in memory, in bytes.
size_t peak_memory_bytes(void);
