// Loaded before a program that runs under Valgrind 3.19, which writes into the signal set that sigsuspend is given. libdispatch gives it a
// constant: without this the program ends with a segmentation fault.

#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int sigsuspend(const sigset_t *set) {
  sigset_t copy = *set;
  return (int)syscall(SYS_rt_sigsuspend, &copy, _NSIG / 8);
}
