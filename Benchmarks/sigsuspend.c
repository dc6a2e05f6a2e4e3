// A library to preload under Valgrind 3.19, which writes into the signal set of sigsuspend. libdispatch passes a constant there, so without
// this library the program ends with a segmentation fault.

#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int sigsuspend(const sigset_t *set) {
  sigset_t copy = *set;
  return (int)syscall(SYS_rt_sigsuspend, &copy, _NSIG / 8);
}
