import Essentials

/// Files with the memory of a process that has crashed. Those of a server would have its tokens, keys and cookies.
enum CoreDumps {
  #if canImport(Darwin)
    private static let resource = RLIMIT_CORE
  #else
    private static let resource = __rlimit_resource_t(RLIMIT_CORE.rawValue)
  #endif

  /// Switches them off for this process, and for those that it starts, until they switch them on again.
  static func switchOff() {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = 0
    setrlimit(resource, &limit)
  }
}
