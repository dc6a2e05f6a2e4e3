package import Essentials

/// How a child process starts: with no signal blocked or ignored, whatever this process does with signals.
package struct SpawnAttributes: ~Copyable {
  #if canImport(Darwin)
    /// What `posix_spawn` takes.
    package var value: posix_spawnattr_t?
  #else
    /// What `posix_spawn` takes.
    package var value = posix_spawnattr_t()
  #endif

  /// Creates the attributes.
  ///
  /// - Parameter leadsGroup: Whether the child leads a process group of its own. Signals of the terminal do not reach it then, and it can be
  ///   ended together with its children.
  package init(leadsGroup: Bool = false) {
    posix_spawnattr_init(&value)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&value, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&value, &signals)
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    if leadsGroup {
      posix_spawnattr_setpgroup(&value, 0)
      flags |= POSIX_SPAWN_SETPGROUP
    }
    posix_spawnattr_setflags(&value, Int16(flags))
  }

  deinit {
    var value = value
    posix_spawnattr_destroy(&value)
  }
}
