// Lets calls to the system fail, or wait, that are about files in one folder: what a broken or a full disk does. It is preloaded into the
// program under test (LD_PRELOAD), on Linux.
//
// FOOTBRIDGE_FAULTS_FOLDER is the folder, FOOTBRIDGE_FAULTS_CONTROL a file of at least sizeof(struct control) bytes that the test has mapped
// too: it says there what is to fail, at any time, and reads there what was called. Tests/EndToEnd/faults.py is its other half.

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum operation {
  OPERATION_OPEN, OPERATION_WRITE, OPERATION_PWRITE, OPERATION_FSYNC, OPERATION_FDATASYNC, OPERATION_FTRUNCATE, OPERATION_RENAME,
  OPERATION_LINK, OPERATION_UNLINK, OPERATION_MKDIR, OPERATION_READ
};

enum fault {
  FAULT_NONE,
  // The call fails with EIO.
  FAULT_EIO,
  // A call that needs room fails with ENOSPC.
  FAULT_ENOSPC,
  // The first call writes half of what it should; those after it fail with ENOSPC.
  FAULT_SHORT,
  // The call waits until the faults are switched off, and is then done.
  FAULT_HOLD
};

enum { TRACE_LIMIT = 4096, NAME_LIMIT = 62 };

// One call that was counted.
struct traced {
  uint8_t operation;
  uint8_t is_faulty;
  char name[NAME_LIMIT];
};

// What the test and this library tell each other. The test writes the first four, and the last two before the trace, while `is_on` is 0.
struct control {
  int64_t is_on;
  int64_t fault;
  // The first call that is faulty: 1 is the first one after the faults were switched on.
  int64_t first;
  // How many calls are faulty; 0 for all until the faults are switched off.
  int64_t count;
  int64_t calls;
  int64_t faults;
  // How many calls have begun to wait.
  int64_t held;
  // Whether calls that read count, too.
  int64_t counts_reads;
  // Of the calls that are due, every so manieth is faulty; 1 for all.
  int64_t every;
  int64_t reserved;
  struct traced trace[TRACE_LIMIT];
};

static struct control *control;
static char folder[PATH_MAX];
static size_t folder_length;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// The next library's function of this name, which is the C library's.
#define NEXT(name) ((__typeof__(&name))next(#name))

static void *next(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (!function) abort();
  return function;
}

static void prepare(void) {
  const char *name = getenv("FOOTBRIDGE_FAULTS_FOLDER"), *path = getenv("FOOTBRIDGE_FAULTS_CONTROL");
  if (!name || !path || strlen(name) >= sizeof folder) return;
  strcpy(folder, name);
  folder_length = strlen(folder);
  int descriptor = NEXT(open)(path, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return;
  void *memory = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close(descriptor);
  if (memory != MAP_FAILED) control = memory;
}

// The name of what lies at a path, within the folder; NULL for anything else.
static const char *name_in_folder(const char *path) {
  if (strncmp(path, folder, folder_length) != 0) return NULL;
  if (path[folder_length] == 0) return ".";
  return path[folder_length] == '/' ? path + folder_length + 1 : NULL;
}

static int applies(enum fault fault, enum operation operation, int needs_room) {
  switch (fault) {
  case FAULT_EIO: case FAULT_HOLD: return 1;
  case FAULT_ENOSPC: return needs_room;
  case FAULT_SHORT: return operation == OPERATION_WRITE || operation == OPERATION_PWRITE;
  default: return 0;
  }
}

static int is_on(void) { return __atomic_load_n(&control->is_on, __ATOMIC_ACQUIRE) != 0; }

// Counts a call, and says which fault it is to have. One that is to wait has waited.
static enum fault fault_of(enum operation operation, const char *path, int needs_room) {
  const char *name = name_in_folder(path);
  if (!name || !is_on() || (operation == OPERATION_READ && !control->counts_reads)) return FAULT_NONE;
  int64_t number = __atomic_add_fetch(&control->calls, 1, __ATOMIC_ACQ_REL);
  int64_t first = control->first;
  enum fault fault = (enum fault)control->fault;
  int is_due = number >= first && (control->count == 0 || number < first + control->count);
  if (fault == FAULT_SHORT && number > first) fault = FAULT_ENOSPC;
  if (control->every > 1 && (number - first) % control->every != 0) is_due = 0;
  if (!is_due || !applies(fault, operation, needs_room)) fault = FAULT_NONE;
  if (number <= TRACE_LIMIT) {
    struct traced *traced = &control->trace[number - 1];
    snprintf(traced->name, sizeof traced->name, "%s", name);
    traced->operation = (uint8_t)operation;
    traced->is_faulty = fault != FAULT_NONE;
  }
  if (fault == FAULT_NONE) return FAULT_NONE;
  __atomic_add_fetch(&control->faults, 1, __ATOMIC_ACQ_REL);
  if (fault != FAULT_HOLD) return fault;
  __atomic_add_fetch(&control->held, 1, __ATOMIC_ACQ_REL);
  while (is_on()) usleep(1000);
  return FAULT_NONE;
}

static enum fault fault_at(enum operation operation, const char *path, int needs_room) {
  pthread_once(&once, prepare);
  if (!control || !path) return FAULT_NONE;
  int code = errno;
  enum fault fault = fault_of(operation, path, needs_room);
  errno = code;
  return fault;
}

static enum fault fault_on(enum operation operation, int descriptor, int needs_room) {
  pthread_once(&once, prepare);
  if (!control || !is_on()) return FAULT_NONE;
  char link[64], path[PATH_MAX];
  int code = errno;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  enum fault fault = FAULT_NONE;
  if (length > 0) {
    path[length] = 0;
    fault = fault_of(operation, path, needs_room);
  }
  errno = code;
  return fault;
}

// What a call returns that fails with this fault.
static int fail(enum fault fault) {
  errno = fault == FAULT_EIO ? EIO : ENOSPC;
  return -1;
}

#define FAIL_AT(operation, path, needs_room) \
  do { \
    enum fault fault = fault_at(operation, path, needs_room); \
    if (fault != FAULT_NONE) return fail(fault); \
  } while (0)

#define FAIL_ON(operation, descriptor, needs_room) \
  do { \
    enum fault fault = fault_on(operation, descriptor, needs_room); \
    if (fault != FAULT_NONE) return fail(fault); \
  } while (0)

// Files that are opened. A path that is not absolute is no state directory's.

#define MODE_OF(flags) \
  mode_t mode = 0; \
  if ((flags) & (O_CREAT | __O_TMPFILE)) { \
    va_list arguments; \
    va_start(arguments, flags); \
    mode = va_arg(arguments, mode_t); \
    va_end(arguments); \
  }

int open(const char *path, int flags, ...) {
  MODE_OF(flags)
  FAIL_AT(OPERATION_OPEN, path, flags & O_CREAT);
  return NEXT(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE_OF(flags)
  FAIL_AT(OPERATION_OPEN, path, flags & O_CREAT);
  return NEXT(open64)(path, flags, mode);
}

int openat(int at, const char *path, int flags, ...) {
  MODE_OF(flags)
  FAIL_AT(OPERATION_OPEN, path, flags & O_CREAT);
  return NEXT(openat)(at, path, flags, mode);
}

int openat64(int at, const char *path, int flags, ...) {
  MODE_OF(flags)
  FAIL_AT(OPERATION_OPEN, path, flags & O_CREAT);
  return NEXT(openat64)(at, path, flags, mode);
}

// What `open` becomes in code that was compiled with _FORTIFY_SOURCE.
int __open_2(const char *path, int flags) { return open(path, flags); }
int __open64_2(const char *path, int flags) { return open64(path, flags); }
int __openat_2(int at, const char *path, int flags) { return openat(at, path, flags); }
int __openat64_2(int at, const char *path, int flags) { return openat64(at, path, flags); }

int creat(const char *path, mode_t mode) { return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return open64(path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

// A template's last six letters are not its file's, but its folder is.
int mkstemp(char *template) {
  FAIL_AT(OPERATION_OPEN, template, 1);
  return NEXT(mkstemp)(template);
}

int mkostemp(char *template, int flags) {
  FAIL_AT(OPERATION_OPEN, template, 1);
  return NEXT(mkostemp)(template, flags);
}

// Writes. Half of one is done as it was asked for, so that the file is as after a real one.

#define WRITE_OR_FAIL(operation, descriptor, whole, half) \
  do { \
    switch (fault_on(operation, descriptor, 1)) { \
    case FAULT_NONE: case FAULT_HOLD: return whole; \
    case FAULT_SHORT: return half; \
    case FAULT_EIO: return fail(FAULT_EIO); \
    case FAULT_ENOSPC: return fail(FAULT_ENOSPC); \
    } \
    return -1; \
  } while (0)

static size_t half(size_t count) { return count - count / 2; }

ssize_t write(int descriptor, const void *bytes, size_t count) {
  WRITE_OR_FAIL(
    OPERATION_WRITE, descriptor, NEXT(write)(descriptor, bytes, count), NEXT(write)(descriptor, bytes, half(count)));
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  WRITE_OR_FAIL(
    OPERATION_WRITE, descriptor, NEXT(writev)(descriptor, parts, count),
    NEXT(write)(descriptor, parts[0].iov_base, half(parts[0].iov_len)));
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  WRITE_OR_FAIL(
    OPERATION_PWRITE, descriptor, NEXT(pwrite)(descriptor, bytes, count, offset),
    NEXT(pwrite)(descriptor, bytes, half(count), offset));
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  WRITE_OR_FAIL(
    OPERATION_PWRITE, descriptor, NEXT(pwrite64)(descriptor, bytes, count, offset),
    NEXT(pwrite64)(descriptor, bytes, half(count), offset));
}

// Reads.

ssize_t read(int descriptor, void *bytes, size_t count) {
  FAIL_ON(OPERATION_READ, descriptor, 0);
  return NEXT(read)(descriptor, bytes, count);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
  FAIL_ON(OPERATION_READ, descriptor, 0);
  return NEXT(pread)(descriptor, bytes, count, offset);
}

ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t offset) {
  FAIL_ON(OPERATION_READ, descriptor, 0);
  return NEXT(pread64)(descriptor, bytes, count, offset);
}

int fsync(int descriptor) {
  FAIL_ON(OPERATION_FSYNC, descriptor, 1);
  return NEXT(fsync)(descriptor);
}

int fdatasync(int descriptor) {
  FAIL_ON(OPERATION_FDATASYNC, descriptor, 1);
  return NEXT(fdatasync)(descriptor);
}

int ftruncate(int descriptor, off_t size) {
  FAIL_ON(OPERATION_FTRUNCATE, descriptor, 1);
  return NEXT(ftruncate)(descriptor, size);
}

int ftruncate64(int descriptor, off64_t size) {
  FAIL_ON(OPERATION_FTRUNCATE, descriptor, 1);
  return NEXT(ftruncate64)(descriptor, size);
}

// Names. That of the result counts.

int rename(const char *from, const char *to) {
  FAIL_AT(OPERATION_RENAME, to, 1);
  return NEXT(rename)(from, to);
}

int link(const char *from, const char *to) {
  FAIL_AT(OPERATION_LINK, to, 1);
  return NEXT(link)(from, to);
}

int unlink(const char *path) {
  FAIL_AT(OPERATION_UNLINK, path, 0);
  return NEXT(unlink)(path);
}

int mkdir(const char *path, mode_t mode) {
  FAIL_AT(OPERATION_MKDIR, path, 1);
  return NEXT(mkdir)(path, mode);
}
