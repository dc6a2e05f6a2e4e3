import Essentials
public import HTTP1

/// A file on disk, open for reading.
public final class OpenFile: FileContent {
  /// The size when the file was opened, in bytes.
  public let byteCount: Int
  /// The `Content-Type`, from the extension of the name.
  public let mediaType: String
  /// A strong entity tag from the file's inode number, size and modification time.
  public let entityTag: EntityTag?
  /// When the file was last modified.
  public let lastModified: HTTPDate?
  /// Encoded copies next to the file, such as `app.js.br`, which a build made.
  public let encodedCopies: [ContentCoding: any FileContent]

  /// The open file; nil once its content is loaded.
  private let descriptor: Int32?
  /// The modification time, with nanoseconds.
  private let changed: timespec
  /// The content of a small file, read when it was opened.
  private let loaded: [UInt8]?

  /// The largest size of a small file, in bytes.
  private static let loadedByteLimit = 32 << 10

  /// Takes over an open descriptor of a regular file. Returns nil, with the descriptor closed, for anything else.
  ///
  /// `copies` are encoded copies of the file. Ignores copies that are older than the file: it was edited after they
  /// were made.
  init?(descriptor: Int32, name: String, copies: [ContentCoding: OpenFile] = [:]) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    byteCount = Int(status.st_size)
    loaded = byteCount > Self.loadedByteLimit ? nil : try? Self.read(descriptor, at: 0, count: byteCount)
    if loaded == nil {
      self.descriptor = descriptor
    } else {
      close(descriptor)
      self.descriptor = nil
    }
    mediaType = MediaType.of(fileName: name)
    let time = modificationTime(of: status)
    changed = time
    encodedCopies = copies.filter { ($1.changed.tv_sec, $1.changed.tv_nsec) >= (time.tv_sec, time.tv_nsec) }
    lastModified = HTTPDate(secondsSinceEpoch: time.tv_sec)
    let parts = [UInt64(status.st_ino), UInt64(truncatingIfNeeded: byteCount), UInt64(bitPattern: Int64(time.tv_sec))]
    entityTag = EntityTag(
      opaqueTag: (parts + [UInt64(time.tv_nsec)]).map { String($0, radix: 36) }.joined(separator: "-")
    )
  }

  deinit {
    if let descriptor { close(descriptor) }
  }

  /// Reads bytes, on another thread unless the file is small.
  nonisolated(nonsending) public func read(at offset: Int, count: Int) async throws -> [UInt8] {
    if let loaded { return Array(loaded.dropFirst(offset).prefix(count)) }
    guard let descriptor else { return [] }
    // `self` keeps the descriptor open.
    return try await FileQueue.run { [self] in
      try withExtendedLifetime(self) { try Self.read(descriptor, at: offset, count: count) }
    }
  }

  private static func read(_ descriptor: Int32, at offset: Int, count: Int) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let read = pread(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(offset + filled))
        if read < 0, errno == EINTR { continue }
        guard read >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        if read == 0 { return }
        filled += read
      }
    }
  }
}

/// The content of a file to serve, from disk or from memory.
public protocol FileContent: Sendable {
  /// The size, in bytes.
  var byteCount: Int { get }
  /// The `Content-Type`.
  var mediaType: String { get }
  /// A strong entity tag (RFC 9110, section 8.8.3), which changes with the content; nil for none.
  var entityTag: EntityTag? { get }
  /// When the content was last modified; nil when that is unknown.
  var lastModified: HTTPDate? { get }
  /// Copies of the content in content codings, each with its own entity tag (RFC 9110, section 8.8.3.3).
  var encodedCopies: [ContentCoding: any FileContent] { get }

  /// Reads bytes. It runs on the caller's executor, so that reading from memory does not suspend.
  ///
  /// - Parameters:
  ///   - offset: The position of the first byte.
  ///   - count: How many bytes to read.
  /// - Returns: The bytes; fewer than `count` at the end, or when the file was truncated in the meantime.
  /// - Throws: The system's error.
  nonisolated(nonsending) func read(at offset: Int, count: Int) async throws -> [UInt8]
}

extension FileContent {
  /// No copies.
  public var encodedCopies: [ContentCoding: any FileContent] { [:] }
}

/// Runs file operations on other threads, since the loop's thread must not wait for a disk.
enum FileQueue {
  private static let queue = DispatchQueue(label: "footbridge.files", attributes: .concurrent)

  /// Runs `body` on another thread, and returns its result to the caller's executor.
  nonisolated(nonsending) static func run<Success: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Success
  ) async throws(Failure) -> Success {
    let result: Result<Success, Failure> = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: Result(catching: body)) }
    }
    return try result.get()
  }
}
