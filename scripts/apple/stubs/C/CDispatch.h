// The C half of Dispatch, as far as its Swift half names it.
#pragma once
#include <stddef.h>
#include <stdint.h>

#define DISPATCH_OBJECT(name) typedef struct name##_s *name##_t;
DISPATCH_OBJECT(dispatch_object)
DISPATCH_OBJECT(dispatch_queue)
DISPATCH_OBJECT(dispatch_queue_attr)
DISPATCH_OBJECT(dispatch_workloop)
DISPATCH_OBJECT(dispatch_group)
DISPATCH_OBJECT(dispatch_semaphore)
DISPATCH_OBJECT(dispatch_source)
DISPATCH_OBJECT(dispatch_data)
DISPATCH_OBJECT(dispatch_io)
typedef long dispatch_once_t;
typedef uint64_t dispatch_time_t;
typedef unsigned int dispatch_qos_class_t;
typedef unsigned long dispatch_block_flags_t;
typedef void (^dispatch_block_t)(void);
