// Lets the n-th call of a function fail: of the C library for sockets and files, of SQLite, and of the memory of C libraries. It is preloaded
// into the program under test (LD_PRELOAD), on Linux. Tests/Faults/faults.c does more for the files of one folder.
//
// FOOTBRIDGE_CALLS_CONTROL is a file of at least sizeof(struct control) bytes that the test has mapped too: it says there what is to fail, at
// any time, and reads there what was called. Tests/EndToEnd/call_faults.py is its other half.

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

// The functions, in the order of call_faults.py. Some stand for several that do the same.
enum function {
  FUNCTION_READ, FUNCTION_WRITE, FUNCTION_SEND, FUNCTION_RECV, FUNCTION_FSYNC, FUNCTION_OPEN, FUNCTION_RENAME, FUNCTION_MMAP, FUNCTION_MALLOC,
  FUNCTION_ACCEPT, FUNCTION_EPOLL_WAIT, FUNCTION_SOCKET, FUNCTION_SQLITE_PREPARE, FUNCTION_SQLITE_STEP, FUNCTION_COUNT
};

// What the test and this library tell each other. The test writes `function`, `first`, `count` and `code` while `is_on` is 0.
struct control {
  int64_t is_on;
  // The function whose calls fail; -1 for none.
  int64_t function;
  // The first call that fails: 1 is the first one after the faults were switched on. And how many do.
  int64_t first, count;
  // The error number, or SQLite's code.
  int64_t code;
  // How many calls have failed.
  int64_t failed;
  // How many calls there were, of each function.
  int64_t calls[FUNCTION_COUNT];
  // What the last call that failed was about: a path, the text of a statement, or the function that has asked for memory.
  char subject[200];
};

static struct control *control;

// The next library's function of this name.
#define NEXT(name) ({ \
  static __typeof__(&name) next; \
  if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
  next; \
})

__attribute__((constructor)) static void prepare(void) {
  const char *path = getenv("FOOTBRIDGE_CALLS_CONTROL");
  int descriptor = path ? NEXT(open)(path, O_RDWR | O_CLOEXEC) : -1;
  if (descriptor < 0) return;
  void *memory = NEXT(mmap)(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close(descriptor);
  if (memory != MAP_FAILED) control = memory;
}

// Counts a call, and says with which code it is to fail; 0 if it is not.
static int failure(enum function function) {
  if (!control || !__atomic_load_n(&control->is_on, __ATOMIC_ACQUIRE)) return 0;
  int64_t number = __atomic_add_fetch(&control->calls[function], 1, __ATOMIC_ACQ_REL);
  if (function != control->function || number < control->first || number >= control->first + control->count) return 0;
  __atomic_add_fetch(&control->failed, 1, __ATOMIC_ACQ_REL);
  return (int)control->code;
}

static void note(const char *subject) {
  if (subject) snprintf(control->subject, sizeof control->subject, "%s", subject);
}

#define FAIL(function, result) \
  do { \
    int code = failure(function); \
    if (code) { \
      errno = code; \
      return result; \
    } \
  } while (0)

// Files and sockets. Pipes and event descriptors, by which threads wake each other, do not fail.
static mode_t kind(int descriptor) {
  struct stat status;
  int code = errno;
  mode_t mode = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0;
  errno = code;
  return mode;
}

// A connection that was reset has no peer any more.
#define FAIL_ON_SOCKET(descriptor, function) \
  do { \
    int code = failure(function); \
    if (code == ECONNRESET) shutdown(descriptor, SHUT_RDWR); \
    if (code) { \
      errno = code; \
      return -1; \
    } \
  } while (0)

#define FAIL_ON(descriptor, of_file, of_socket) \
  do { \
    if (control && control->is_on) { \
      mode_t mode = kind(descriptor); \
      if (mode == S_IFREG) FAIL(of_file, -1); \
      if (mode == S_IFSOCK) FAIL_ON_SOCKET(descriptor, of_socket); \
    } \
  } while (0)

ssize_t read(int descriptor, void *bytes, size_t count) {
  FAIL_ON(descriptor, FUNCTION_READ, FUNCTION_RECV);
  return NEXT(read)(descriptor, bytes, count);
}

ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t offset) {
  FAIL_ON(descriptor, FUNCTION_READ, FUNCTION_RECV);
  return NEXT(pread64)(descriptor, bytes, count, offset);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
  FAIL_ON(descriptor, FUNCTION_READ, FUNCTION_RECV);
  return NEXT(pread)(descriptor, bytes, count, offset);
}

ssize_t recv(int descriptor, void *bytes, size_t count, int flags) {
  FAIL_ON(descriptor, FUNCTION_READ, FUNCTION_RECV);
  return NEXT(recv)(descriptor, bytes, count, flags);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  FAIL_ON(descriptor, FUNCTION_WRITE, FUNCTION_SEND);
  return NEXT(write)(descriptor, bytes, count);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  FAIL_ON(descriptor, FUNCTION_WRITE, FUNCTION_SEND);
  return NEXT(writev)(descriptor, parts, count);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  FAIL_ON(descriptor, FUNCTION_WRITE, FUNCTION_SEND);
  return NEXT(pwrite)(descriptor, bytes, count, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  FAIL_ON(descriptor, FUNCTION_WRITE, FUNCTION_SEND);
  return NEXT(pwrite64)(descriptor, bytes, count, offset);
}

ssize_t send(int descriptor, const void *bytes, size_t count, int flags) {
  FAIL_ON(descriptor, FUNCTION_WRITE, FUNCTION_SEND);
  return NEXT(send)(descriptor, bytes, count, flags);
}

ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags) {
  FAIL_ON(descriptor, FUNCTION_WRITE, FUNCTION_SEND);
  return NEXT(sendmsg)(descriptor, message, flags);
}

int fsync(int descriptor) {
  FAIL(FUNCTION_FSYNC, -1);
  return NEXT(fsync)(descriptor);
}

int fdatasync(int descriptor) {
  FAIL(FUNCTION_FSYNC, -1);
  return NEXT(fdatasync)(descriptor);
}

#define FAIL_AT(path) \
  do { \
    int code = failure(FUNCTION_OPEN); \
    if (code) { \
      note(path); \
      errno = code; \
      return -1; \
    } \
  } while (0)

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
  FAIL_AT(path);
  return NEXT(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE_OF(flags)
  FAIL_AT(path);
  return NEXT(open64)(path, flags, mode);
}

int openat(int at, const char *path, int flags, ...) {
  MODE_OF(flags)
  FAIL_AT(path);
  return NEXT(openat)(at, path, flags, mode);
}

int openat64(int at, const char *path, int flags, ...) {
  MODE_OF(flags)
  FAIL_AT(path);
  return NEXT(openat64)(at, path, flags, mode);
}

int rename(const char *from, const char *to) {
  FAIL(FUNCTION_RENAME, -1);
  return NEXT(rename)(from, to);
}

// Connections.

int socket(int domain, int type, int protocol) {
  FAIL(FUNCTION_SOCKET, -1);
  return NEXT(socket)(domain, type, protocol);
}

int accept(int descriptor, struct sockaddr *address, socklen_t *length) {
  FAIL(FUNCTION_ACCEPT, -1);
  return NEXT(accept)(descriptor, address, length);
}

int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags) {
  FAIL(FUNCTION_ACCEPT, -1);
  return NEXT(accept4)(descriptor, address, length, flags);
}

int epoll_wait(int descriptor, struct epoll_event *events, int count, int timeout) {
  FAIL(FUNCTION_EPOLL_WAIT, -1);
  return NEXT(epoll_wait)(descriptor, events, count, timeout);
}

// Whether code is in a library.
static int is_in(const void *code, const char *library) {
  Dl_info info;
  return dladdr(code, &info) && info.dli_fname && strstr(info.dli_fname, library);
}

// Memory. Swift code ends the program without it, by design, so only that of C libraries fails.

// Notes the function that asks for memory, as far as its library names it.
static void note_function(const void *caller) {
  Dl_info info;
  if (!control || !dladdr(caller, &info)) return;
  snprintf(control->subject, sizeof control->subject, "%s in %s", info.dli_sname ? info.dli_sname : "a function", info.dli_fname);
}

static int is_for_c_library(const void *caller) {
  static const char *const names[] = {"libsqlite3", "libwebsockets", "libssl", "libcrypto", "libnghttp2", "libz.", "libzstd", "libbrotli", "libpq"};
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
    if (is_in(caller, names[index])) return 1;
  }
  return 0;
}

void *malloc(size_t size) {
  if (size >= 1024 && control && control->is_on && is_for_c_library(__builtin_return_address(0))) {
    int code = failure(FUNCTION_MALLOC);
    if (code) {
      note_function(__builtin_return_address(0));
      errno = code;
      return NULL;
    }
  }
  return NEXT(malloc)(size);
}

void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
  if (descriptor >= 0) FAIL(FUNCTION_MMAP, MAP_FAILED);
  return NEXT(mmap)(address, length, protection, flags, descriptor, offset);
}

void *mmap64(void *address, size_t length, int protection, int flags, int descriptor, off64_t offset) {
  if (descriptor >= 0) FAIL(FUNCTION_MMAP, MAP_FAILED);
  return NEXT(mmap64)(address, length, protection, flags, descriptor, offset);
}

// SQLite. What it calls itself, such as to read the schema, does not fail here: it takes such results for granted.
#define FAILURE_OF_SQLITE(function) (is_in(__builtin_return_address(0), "libsqlite3") ? 0 : failure(function))

int sqlite3_prepare_v3(void *database, const char *text, int length, unsigned flags, void **statement, const char **tail) {
  int code = FAILURE_OF_SQLITE(FUNCTION_SQLITE_PREPARE);
  if (code) {
    note(text);
    *statement = NULL;
    return code;
  }
  int (*next)(void *, const char *, int, unsigned, void **, const char **) = dlsym(RTLD_NEXT, "sqlite3_prepare_v3");
  return next(database, text, length, flags, statement, tail);
}

int sqlite3_step(void *statement) {
  int code = FAILURE_OF_SQLITE(FUNCTION_SQLITE_STEP);
  if (code) {
    const char *(*text)(void *) = dlsym(RTLD_NEXT, "sqlite3_sql");
    note(text(statement));
    return code;
  }
  int (*next)(void *) = dlsym(RTLD_NEXT, "sqlite3_step");
  return next(statement);
}
