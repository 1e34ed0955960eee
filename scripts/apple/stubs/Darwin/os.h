// What the package's dependencies use of the module `os`, by the signatures that Apple's has.
#pragma once
#include <stdint.h>
#pragma clang assume_nonnull begin
typedef struct os_unfair_lock_s { uint32_t _os_unfair_lock_opaque; } os_unfair_lock;
void os_unfair_lock_lock(os_unfair_lock *);
void os_unfair_lock_unlock(os_unfair_lock *);
#pragma clang assume_nonnull end
