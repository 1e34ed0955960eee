#include "TestWidth.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Swift Testing starts all tests of a package at once, unless this variable names a number. Tests that wait for sockets
// and timers would starve beside those that compute, so three for each core run at a time. It is set before `main`, as
// Swift Testing reads it once, and a number that the caller has given stays.
__attribute__((constructor)) static void set_test_width(void) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  char width[24];
  snprintf(width, sizeof width, "%ld", cores < 1 ? 3 : 3 * cores);
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", width, 0);
}
