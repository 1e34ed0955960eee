// What this package and its dependencies use of the C library, by the signatures that Apple's has.
#pragma once
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#define _Plain _Null_unspecified
#pragma clang assume_nonnull begin

// Types
typedef long ssize_t;
typedef long time_t;
typedef long long off_t;
typedef int pid_t;
typedef int32_t dev_t;
typedef uint64_t ino_t;
typedef int clockid_t;
typedef int suseconds_t;
typedef unsigned short mode_t;
typedef unsigned int uid_t;
typedef struct __sFILE FILE;
struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff;
  char *_Plain tm_zone;
};
struct winsize { unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel; };

// Threads
typedef struct _opaque_pthread_mutex_t { long __sig; char __opaque[56]; } pthread_mutex_t;
typedef struct _opaque_pthread_mutexattr_t { long __sig; char __opaque[8]; } pthread_mutexattr_t;
typedef struct _opaque_pthread_rwlock_t { long __sig; char __opaque[192]; } pthread_rwlock_t;
typedef struct _opaque_pthread_rwlockattr_t { long __sig; char __opaque[16]; } pthread_rwlockattr_t;
#define PTHREAD_MUTEX_ERRORCHECK 1
typedef struct os_unfair_lock_s { uint32_t _os_unfair_lock_opaque; } os_unfair_lock;
void os_unfair_lock_lock(os_unfair_lock *);
void os_unfair_lock_unlock(os_unfair_lock *);
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *_Nullable);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutexattr_init(pthread_mutexattr_t *);
int pthread_mutexattr_settype(pthread_mutexattr_t *, int);
int pthread_mutexattr_destroy(pthread_mutexattr_t *);
int pthread_rwlock_init(pthread_rwlock_t *, const pthread_rwlockattr_t *_Nullable);
int pthread_rwlock_rdlock(pthread_rwlock_t *);
int pthread_rwlock_wrlock(pthread_rwlock_t *);
int pthread_rwlock_unlock(pthread_rwlock_t *);
int pthread_rwlock_destroy(pthread_rwlock_t *);

// (What Synchronization for Linux calls.)
unsigned int _swift_stdlib_gettid(void);

// Memory and text
void *_Plain malloc(size_t);
void free(void *_Plain);
int memcmp(const void *_Plain, const void *_Plain, size_t);
void *_Plain memcpy(void *_Plain, const void *_Plain, size_t);
void *_Plain memmove(void *_Plain, const void *_Plain, size_t);
void *_Plain memset(void *_Plain, int, size_t);
void *_Plain memchr(const void *_Plain, int, size_t);
int strcmp(const char *_Plain, const char *_Plain);
int strncmp(const char *_Plain, const char *_Plain, size_t);
size_t strlen(const char *_Plain);
double strtod(const char *_Plain, char *_Plain *_Nullable);
long strtol(const char *_Plain, char *_Plain *_Nullable, int);

// Processes and files
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NOFOLLOW 0x0100
#define O_CREAT 0x0200
#define O_TRUNC 0x0400
#define O_EXCL 0x0800
#define O_CLOEXEC 0x01000000
#define EPERM 1
#define ENOENT 2
#define ESRCH 3
#define EINTR 4
#define EIO 5
#define ENOTDIR 20
#define EDEADLK 11
#define ENOMEM 12
#define EACCES 13
#define EEXIST 17
#define ENFILE 23
#define EMFILE 24
#define ENOSPC 28
#define EWOULDBLOCK 35
#define EDQUOT 69
#define SIGINT 2
#define SIGTERM 15
int *__error(void);
void exit(int) __attribute__((noreturn));
int getpid(void);
int kill(pid_t, int);
int isatty(int);
char *_Nullable getenv(const char *);
int open(const char *_Plain, int, ...);
int chmod(const char *_Plain, mode_t);
int mkdir(const char *_Plain, mode_t);
uid_t geteuid(void);
int close(int);
#define LOCK_EX 2
#define LOCK_NB 4
// (There is a structure of this name as well.)
struct flock {
  pid_t l_pid;
};
int flock(int, int);
ssize_t read(int, void *_Plain, size_t);
ssize_t write(int, const void *_Plain, size_t);
int rename(const char *_Plain, const char *_Plain);
int rmdir(const char *_Plain);
int unlink(const char *_Plain);
struct stat {
  dev_t st_dev;
  mode_t st_mode;
  ino_t st_ino;
};
static const mode_t S_IFMT = 0170000;
static const mode_t S_IFREG = 0100000;
static const mode_t S_IFDIR = 0040000;
int fstat(int, struct stat *);
int stat(const char *_Plain, struct stat *);
int lstat(const char *_Plain, struct stat *);
int fchmod(int, mode_t);
char *_Nullable realpath(const char *_Plain, char *_Nullable);
extern FILE *_Plain stdin;
extern FILE *_Plain stdout;
extern FILE *_Plain stderr;
void flockfile(FILE *_Plain);
void funlockfile(FILE *_Plain);
size_t fwrite(const void *_Plain, size_t, size_t, FILE *_Plain);
int fputs(const char *_Plain, FILE *_Plain);
int fflush(FILE *_Nullable);
int setvbuf(FILE *_Plain, char *_Plain, int, size_t);
int getchar(void);
#define _IOLBF 1

// Time and numbers
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 6
time_t time(time_t *_Nullable);
int gettimeofday(struct timeval *_Nullable, void *_Nullable);
int clock_gettime(clockid_t, struct timespec *);
struct tm *_Plain localtime(const time_t *);
struct tm *_Plain localtime_r(const time_t *, struct tm *);
struct tm *_Plain gmtime_r(const time_t *, struct tm *);
size_t strftime(char *_Plain, size_t, const char *_Plain, const struct tm *_Plain);
double exp(double);
double floor(double);
double log(double);
double log2(double);
double pow(double, double);
double sqrt(double);

#pragma clang assume_nonnull end
