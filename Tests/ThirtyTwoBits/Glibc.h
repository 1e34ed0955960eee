// The functions of the C library that ApolloAPI calls, for a machine that has none: see runtime.c.
#include <stddef.h>

typedef struct { int isLocked; } pthread_mutex_t;
int pthread_mutex_init(pthread_mutex_t *, const void *_Nullable);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);

void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
int memcmp(const void *, const void *, size_t);
