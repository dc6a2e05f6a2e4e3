package import Essentials

/// Small files that outlive the server and that only it may read: keys, certificates, tokens. Their names are fixed, the folder or database
/// is not.
package protocol StateStorage: Sendable {
  /// Where a file is, for people.
  func place(of name: String) -> String

  /// The content of a file; nil if there is none.
  ///
  /// - Throws: ``StateError``.
  func read(_ name: String) throws -> Data?

  /// The content of a file. If there is none, this creates it with `content`. If several servers start at once with the same storage, all
  /// get the content of the first one.
  ///
  /// - Throws: ``StateError``, and what `content` throws.
  func read(_ name: String, orCreate content: @autoclosure () throws -> [UInt8]) throws -> Data

  /// Writes a file, either completely or not at all. Returns when it is durable.
  ///
  /// - Throws: ``StateError``.
  func write(_ data: Data, to name: String) throws

  /// Locks what several servers share for a moment, until the returned value is gone. Waits for others that have this lock.
  ///
  /// - Throws: ``StateError``.
  func lock(_ name: String) throws -> any Sendable

  /// Whether other servers use and change the same files while this one runs.
  var isShared: Bool { get }

  /// The content of a file as it is now; nil if there is none. Blocks no thread of the caller's.
  ///
  /// - Throws: ``StateError``.
  func readLater(_ name: String) async throws -> Data?

  /// Where the authority is that people trust.
  ///
  /// - Throws: ``StateError``.
  func authorityStorage() throws -> any StateStorage
}

extension StateStorage {
  /// They are this server's own.
  package var isShared: Bool { false }

  package func readLater(_ name: String) async throws -> Data? {
    try await withTaskExecutorPreference(globalConcurrentExecutor) { try read(name) }
  }
}
