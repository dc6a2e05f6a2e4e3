#ifndef FOOTBRIDGE_CALLOCATOR_SHIM_H
#define FOOTBRIDGE_CALLOCATOR_SHIM_H

#include <stdlib.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

/// Makes all threads that start from now on allocate from one heap. Otherwise glibc gives each thread its own heap, which grows by one page
/// at a time with a system call: a seventh of the time of a message, on the thread that does nearly all of the work.
///
/// Up to 256 MB of freed memory stay in the heap for later sessions. Otherwise the system would clear the pages again each time.
static inline void footbridge_use_one_heap(void) {
#if defined(__GLIBC__)
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  // Set explicitly, since the other setting stops glibc from adapting it. Larger blocks, such as a body of many megabytes, are mapped and
  // returned to the system at once.
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
}

#endif
