import Essentials

/// The two ends of a pipe. Child processes do not inherit them.
struct Pipe {
  let read: Int32
  let write: Int32

  /// Creates a pipe; nil if there are too many open files.
  init?() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (read, write) = (ends[0], ends[1])
  }
}
