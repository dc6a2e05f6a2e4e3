import Essentials

/// Standard output or standard error of the process.
///
/// It writes with the system call `write`, since `FileHandle.write(_:)` ends the process when the reader has gone or
/// the device is full.
public enum StandardStream: Int32, Sendable {
  /// Standard output, for the program's results.
  case output = 1
  /// Standard error, for everything else.
  case error = 2

  /// Why a write failed.
  public struct WriteError: Error {
    /// The system's error number, such as `EPIPE`.
    public let number: Int32
    /// Whether the reader has closed the stream, so that nobody misses the text.
    public var isUnread: Bool { number == EPIPE }
    /// The system's message for the error.
    public var reason: String { String(cString: strerror(number)) }

    /// Creates an error from the system's error number.
    public init(number: Int32) {
      self.number = number
    }
  }

  /// Prepares the process; call it first in `main`. From then on, a write to a stream without a reader fails with an
  /// error instead of a signal. A standard stream that was closed when the process started stays unusable; otherwise
  /// the next opened file would get its number, and everything that the program prints.
  public static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    // Opened in the wrong direction on purpose: using the stream stays an error.
    for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
    where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", mode)
    }
  }

  /// Writes the whole text as UTF-8, and waits while the stream is full.
  ///
  /// - Throws: ``WriteError``.
  public func write(_ text: String) throws(WriteError) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Essentials.write(rawValue, $0.baseAddress, $0.count) }
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
