import BridgeRuntime
import Essentials

/// A file that grows piece by piece. Another thread creates and writes the pieces, since the loop's thread must not wait for a disk.
@BridgeActor
final class BackgroundFile {
  /// The way to open and continue the file.
  enum Mode {
    /// New pieces are appended. A file that was moved away is created again.
    case append
    /// The file is new, and readable for its owner only. It begins with a head, and ends with a tail after each piece.
    case replace(head: [UInt8], tail: [UInt8])
  }

  /// The path for standard error.
  nonisolated static let standardError = "-"

  /// The maximum size of the waiting pieces, in bytes. Further pieces are lost.
  nonisolated static let waitingByteLimit = 32 << 20

  private let writer: FileWriter
  private var waiting: [(byteCount: Int, make: @Sendable () -> [UInt8])] = []
  private var waitingByteCount = 0
  private var writing: Task<Void, Never>?
  /// Called once, with the reason, when pieces are lost.
  private var onLoss: ((String) -> Void)?

  /// Opens the file.
  ///
  /// - Throws: ``SiteError/fileNotWritable(_:path:reason:)``, with `option`.
  init(_ path: String, _ mode: Mode, option: String, onLoss: @escaping (String) -> Void) throws(SiteError) {
    self.onLoss = onLoss
    do throws(StandardStream.WriteError) {
      writer = try FileWriter(path, mode)
    } catch {
      throw .fileNotWritable(option, path: path, reason: error.reason)
    }
  }

  /// Adds a piece. `make` creates it on another thread, from about `byteCount` bytes of memory.
  func add(byteCount: Int, _ make: @escaping @Sendable () -> [UInt8]) {
    guard waitingByteCount + byteCount <= Self.waitingByteLimit else {
      return lose("The disk is too slow")
    }
    waiting.append((byteCount, make))
    waitingByteCount += byteCount
    guard writing == nil else { return }
    writing = BridgeActor.begin { await self.writeAll() }
  }

  /// Returns when everything is written.
  func finish() async {
    await writing?.value
  }

  private func writeAll() async {
    while !waiting.isEmpty {
      let taken = waiting
      (waiting, waitingByteCount) = ([], 0)
      let failure = await withCheckedContinuation { continuation in
        Self.queue.async { [writer] in continuation.resume(returning: writer.write(taken.map { $0.make() })) }
      }
      if let failure { lose(failure) }
    }
    writing = nil
  }

  private func lose(_ reason: String) {
    onLoss?(reason)
    onLoss = nil
  }

  private static let queue = DispatchQueue(label: "footbridge.traffic")
}

/// The file itself. Only one thread at a time uses it.
private final class FileWriter: @unchecked Sendable {
  private let path: String
  private let tail: [UInt8]
  private let isAppended: Bool
  private var descriptor: Int32
  /// The position of the next piece in a file with a tail.
  private var end: Int
  private var hasPiece = false

  init(_ path: String, _ mode: BackgroundFile.Mode) throws(StandardStream.WriteError) {
    self.path = path
    switch mode {
    case .append:
      (tail, end, isAppended) = ([], 0, true)
      descriptor = path == BackgroundFile.standardError ? STDERR_FILENO : try Self.open(path, O_APPEND, 0o644)
    case .replace(let head, let tail):
      (self.tail, end, isAppended) = (tail, head.count, false)
      descriptor = try Self.open(path, 0, 0o600)
      try Self.makeOwn(descriptor)
      if let failure = put(head + tail, at: 0) { throw failure }
    }
  }

  deinit {
    if descriptor != STDERR_FILENO { close(descriptor) }
  }

  /// Writes pieces. Returns the reason if it cannot.
  func write(_ pieces: [[UInt8]]) -> String? {
    if isAppended {
      if path != BackgroundFile.standardError { reopenIfMoved() }
      return put(Array(pieces.joined()), at: nil)?.reason
    }
    var bytes = Array(pieces.joined(separator: [UInt8(ascii: ",")]))
    if hasPiece { bytes.insert(UInt8(ascii: ","), at: 0) }
    // One call writes the pieces and the tail, so that the file is complete even if the process ends now.
    if let failure = put(bytes + tail, at: end) { return failure.reason }
    (end, hasPiece) = (end + bytes.count, true)
    return nil
  }

  private func reopenIfMoved() {
    var (named, open) = (stat(), stat())
    guard fstat(descriptor, &open) == 0 else { return }
    if stat(path, &named) == 0, named.st_ino == open.st_ino, named.st_dev == open.st_dev { return }
    guard let newDescriptor = try? Self.open(path, O_APPEND, 0o644) else { return }
    close(descriptor)
    descriptor = newDescriptor
  }

  /// Writes bytes at a position, or at the end without one.
  private func put(_ bytes: [UInt8], at position: Int?) -> StandardStream.WriteError? {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
        return position.map { pwrite(descriptor, rest.baseAddress, rest.count, off_t($0 + done)) }
          ?? Essentials.write(descriptor, rest.baseAddress, rest.count)
      }
      if count >= 0 {
        done += count
      } else if errno == EAGAIN {
        var full = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&full, 1, -1)
      } else if errno != EINTR {
        return StandardStream.WriteError(number: errno)
      }
    }
    return nil
  }

  /// Empties a file that may have existed, and makes it unreadable for others before there is something to read.
  private static func makeOwn(_ descriptor: Int32) throws(StandardStream.WriteError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    guard ftruncate(descriptor, 0) == 0, status.st_mode & 0o077 == 0 || fchmod(descriptor, 0o600) == 0 else {
      let error = StandardStream.WriteError(number: errno)
      close(descriptor)
      throw error
    }
  }

  private static func open(
    _ path: String, _ mode: Int32, _ permissions: mode_t
  ) throws(StandardStream.WriteError) -> Int32 {
    let descriptor = Essentials.open(path, O_WRONLY | O_CREAT | O_CLOEXEC | mode, permissions)
    guard descriptor >= 0 else { throw StandardStream.WriteError(number: errno) }
    return descriptor
  }
}
