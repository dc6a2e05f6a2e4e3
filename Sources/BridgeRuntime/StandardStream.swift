import Foundation

/// Standard output or standard error of the process.
///
/// It is written to with the system's own call: `FileHandle.write(_:)` ends the process when nobody reads any more, or a device is full.
public enum StandardStream: Int32, Sendable {
  /// Where a program says what it was asked for.
  case output = 1
  /// Where it says everything else.
  case error = 2

  /// Why something could not be written.
  public struct WriteError: Error {
    /// The system's error number, such as `EPIPE`.
    public let number: Int32
    /// Whether nobody reads the stream any more, and so nobody misses what was not written.
    public var isUnread: Bool { number == EPIPE }
    /// What the system says of it, for people.
    public var reason: String { String(cString: strerror(number)) }
  }

  /// Prepares the process: a stream that nobody reads gives an error instead of a signal, and one that was closed by whoever started the
  /// process stays so. Else the next file to be opened would get its number, and what is printed after it. To be called first of all.
  public static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    // Each opened the way round in which it is of no use, so that using it is an error as before.
    for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
    where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", mode)
    }
  }

  /// Writes the whole text.
  public func write(_ text: String) throws(WriteError) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(rawValue, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var waiting = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, -1)
      } else if errno != EINTR {
        throw WriteError(number: errno)
      }
    }
  }
}
