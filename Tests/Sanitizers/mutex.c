// Loaded before programs with ThreadSanitizer, which does not see into Swift's own libraries: of Swift's Mutex it sees what is compiled into
// our code, the lock that is free at once, and not what lies in the library, the lock that has to be waited for. This tells it of that.

#include <dlfcn.h>
#include <stdint.h>

// Swift's own functions, and how they take their arguments: the mutex where a method has `self`.
#define LOCK_SLOWLY "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOWLY "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

typedef SWIFT void LockSlowly(uint32_t thread, SELF mutex);
typedef SWIFT void UnlockSlowly(SELF mutex);

// Missing in programs without ThreadSanitizer.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

SWIFT void lock_slowly(uint32_t thread, SELF mutex) __asm__(LOCK_SLOWLY);
SWIFT void unlock_slowly(SELF mutex) __asm__(UNLOCK_SLOWLY);

SWIFT void lock_slowly(uint32_t thread, SELF mutex) {
  ((LockSlowly *)dlsym(RTLD_NEXT, LOCK_SLOWLY))(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock_slowly(SELF mutex) {
  if (__tsan_release) __tsan_release(mutex);
  ((UnlockSlowly *)dlsym(RTLD_NEXT, UNLOCK_SLOWLY))(mutex);
}
