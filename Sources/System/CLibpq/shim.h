// What is used of libpq (https://www.postgresql.org/docs/current/libpq.html), whose binary interface is stable.
//
// The library is loaded when a database is first named. Linked to the program, it and the twenty libraries that it needs would be loaded at
// each start, which takes some milliseconds, and be a part of each package.
#ifndef FOOTBRIDGE_LIBPQ_H
#define FOOTBRIDGE_LIBPQ_H

#include <dlfcn.h>
#include <stddef.h>

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef unsigned int Oid;
typedef void (*PQnoticeProcessor)(void *argument, const char *message);

#define CONNECTION_OK 0
#define PGRES_TUPLES_OK 2
#define PGRES_BAD_RESPONSE 5
#define PGRES_FATAL_ERROR 7
#define PGRES_PIPELINE_SYNC 10

typedef struct {
  char *keyword;
  char *envvar;
  char *compiled;
  char *val;
  char *label;
  char *dispchar;
  int dispsize;
} PQconninfoOption;

static inline void *libpq_library(void) {
  static void *library;
  void *loaded = __atomic_load_n(&library, __ATOMIC_ACQUIRE);
  if (loaded) return loaded;
#ifdef __APPLE__
  loaded = dlopen("libpq.5.dylib", RTLD_NOW | RTLD_LOCAL);
  if (!loaded) loaded = dlopen("/opt/homebrew/opt/libpq/lib/libpq.5.dylib", RTLD_NOW | RTLD_LOCAL);
  if (!loaded) loaded = dlopen("/usr/local/opt/libpq/lib/libpq.5.dylib", RTLD_NOW | RTLD_LOCAL);
#else
  loaded = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
#endif
  // Pipeline mode came with version 14.
  if (loaded && !dlsym(loaded, "PQenterPipelineMode")) loaded = NULL;
  if (loaded) __atomic_store_n(&library, loaded, __ATOMIC_RELEASE);
  return loaded;
}

// Declares `libpq_name`, which calls `PQname`. Only for use once `libpq_library()` has returned something.
#define LIBPQ(result, name, parameters, arguments)                                   \
  static inline result libpq_##name parameters {                                     \
    static void *known;                                                              \
    void *function = __atomic_load_n(&known, __ATOMIC_RELAXED);                      \
    if (!function) {                                                                 \
      function = dlsym(libpq_library(), "PQ" #name);                                 \
      __atomic_store_n(&known, function, __ATOMIC_RELAXED);                          \
    }                                                                                \
    return ((result(*) parameters)function)arguments;                                \
  }

LIBPQ(PQconninfoOption *, conninfoParse, (const char *text, char **message), (text, message))
LIBPQ(void, conninfoFree, (PQconninfoOption * options), (options))
LIBPQ(void, freemem, (void *memory), (memory))
LIBPQ(PGconn *, connectdbParams, (const char *const *names, const char *const *values, int expand),
      (names, values, expand))
LIBPQ(void, finish, (PGconn * connection), (connection))
LIBPQ(int, status, (const PGconn *connection), (connection))
LIBPQ(char *, errorMessage, (const PGconn *connection), (connection))
LIBPQ(int, socket, (const PGconn *connection), (connection))
LIBPQ(PQnoticeProcessor, setNoticeProcessor, (PGconn * connection, PQnoticeProcessor processor, void *argument),
      (connection, processor, argument))
LIBPQ(int, setnonblocking, (PGconn * connection, int isNonblocking), (connection, isNonblocking))
LIBPQ(int, enterPipelineMode, (PGconn * connection), (connection))
LIBPQ(int, pipelineSync, (PGconn * connection), (connection))
LIBPQ(int, consumeInput, (PGconn * connection), (connection))
LIBPQ(int, isBusy, (PGconn * connection), (connection))
LIBPQ(int, flush, (PGconn * connection), (connection))
LIBPQ(int, sendPrepare, (PGconn * connection, const char *name, const char *sql, int count, const Oid *types),
      (connection, name, sql, count, types))
LIBPQ(int, sendQueryParams,
      (PGconn * connection, const char *sql, int count, const Oid *types, const char *const *values,
       const int *lengths, const int *formats, int format),
      (connection, sql, count, types, values, lengths, formats, format))
LIBPQ(int, sendQueryPrepared,
      (PGconn * connection, const char *name, int count, const char *const *values, const int *lengths,
       const int *formats, int format),
      (connection, name, count, values, lengths, formats, format))
LIBPQ(PGresult *, getResult, (PGconn * connection), (connection))
LIBPQ(void, clear, (PGresult * result), (result))
LIBPQ(int, resultStatus, (const PGresult *result), (result))
LIBPQ(char *, resultErrorField, (const PGresult *result, int field), (result, field))
LIBPQ(char *, resultErrorMessage, (const PGresult *result), (result))
LIBPQ(int, ntuples, (const PGresult *result), (result))
LIBPQ(int, nfields, (const PGresult *result), (result))
LIBPQ(Oid, ftype, (const PGresult *result, int column), (result, column))
LIBPQ(int, getisnull, (const PGresult *result, int row, int column), (result, row, column))
LIBPQ(int, getlength, (const PGresult *result, int row, int column), (result, row, column))
LIBPQ(char *, getvalue, (const PGresult *result, int row, int column), (result, row, column))

#undef LIBPQ
#endif
