#ifndef FOOTBRIDGE_CALLOCATOR_SHIM_H
#define FOOTBRIDGE_CALLOCATOR_SHIM_H

#include <stdlib.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

/// Has all threads that start from now on allocate from one heap. glibc otherwise gives each thread a heap of its own, which grows by one
/// page, and one system call, at a time: a seventh of the time of a message, on a thread that does nearly all there is to do.
///
/// What sessions give back stays in the heap, up to 256 MB of it, for those that come: glibc would have the system clear it anew each time.
static inline void footbridge_use_one_heap(void) {
#if defined(__GLIBC__)
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  // Would no longer adapt itself otherwise: what is larger, such as a body of many megabytes, is mapped and goes at once.
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
}

#endif
