import Essentials

/// The time of a clock that nobody sets, for measuring how long something takes.
public enum MonotonicTime {
  /// The time since some moment in the past, in nanoseconds.
  public static var nanoseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
  }
}
