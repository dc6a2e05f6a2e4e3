package import Essentials

/// The small secret files that outlive the server: keys, certificates, tokens. They are in a folder or in a database.
package protocol StateStorage: Sendable {
  /// Returns the path of a file, or its place in the database, for logs and errors.
  func place(of name: String) -> String

  /// Reads a file; nil if it does not exist.
  ///
  /// - Throws: ``StateError``.
  func read(_ name: String) throws -> Data?

  /// Reads a file. If it does not exist, creates it with `content`. If several servers start at the same time with the same storage, all get
  /// the content of the first one.
  ///
  /// - Throws: ``StateError``, or the error of `content`.
  func read(_ name: String, orCreate content: @autoclosure () throws -> [UInt8]) throws -> Data

  /// Writes a file, completely or not at all. Returns when it is durable.
  ///
  /// - Throws: ``StateError``.
  func write(_ data: Data, to name: String) throws

  /// Takes a short lock among servers that share files. Waits until no other server has it. The lock ends when the returned value is
  /// released.
  ///
  /// - Throws: ``StateError``.
  func lock(_ name: String) throws -> any Sendable

  /// Whether other servers use the same files while this one runs.
  var isShared: Bool { get }

  /// Reads a file without blocking the caller's thread; nil if it does not exist.
  ///
  /// - Throws: ``StateError``.
  func readLater(_ name: String) async throws -> Data?

  /// Returns the storage of the certificate authority.
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
