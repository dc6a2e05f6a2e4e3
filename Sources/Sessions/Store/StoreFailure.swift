import GRDB

/// Why a change of a session could not be stored.
enum StoreFailure: Error, CustomStringConvertible {
  /// The state directory cannot be written: the disk is full, broken or read-only. This affects all sessions.
  case disk(any Error)
  /// The same, but the change may still be found in the store if the server is restarted before it writes anything else.
  case undecided(any Error)
  /// The store has refused this change. This is a fault of ours, and affects one session.
  case refused(any Error)
  /// Another server has the session. Nothing of the change is stored.
  case fenced

  init(_ error: any Error) {
    let isTheDisks = (error as? DatabaseError).map { Self.codesOfTheDisk.contains($0.resultCode) } ?? false
    self = isTheDisks ? .disk(error) : .refused(error)
  }

  /// The codes of SQLite for errors that are not caused by the change.
  private static let codesOfTheDisk: [ResultCode] = [
    .SQLITE_BUSY, .SQLITE_CANTOPEN, .SQLITE_CORRUPT, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_LOCKED, .SQLITE_NOMEM,
    .SQLITE_NOTADB, .SQLITE_PERM, .SQLITE_READONLY,
  ]

  /// Whether another server has the session.
  var isFenced: Bool { if case .fenced = self { true } else { false } }

  /// Whether the file is damaged or is not a store.
  var isDamage: Bool {
    switch self {
    case .disk(let error), .undecided(let error), .refused(let error):
      (error as? DatabaseError).map { [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains($0.resultCode) } ?? false
    case .fenced: false
    }
  }

  /// The reason for pages and the log.
  var reason: String {
    switch self {
    case .disk, .undecided: "the server cannot write to its state directory"
    case .refused: "the server's store has refused the change"
    case .fenced: "the session has moved to another server"
    }
  }

  /// The message to a page whose call is lost with the change.
  func message(about call: String) -> String {
    switch self {
    case .disk, .refused, .fenced: "\(call) had no effect: \(reason). Its log says why."
    case .undecided: "It is unknown whether \(call) took effect: \(reason). Its log says why."
    }
  }

  var description: String {
    switch self {
    case .disk(let error), .undecided(let error), .refused(let error): "\(reason): \(error)"
    case .fenced: reason
    }
  }
}

/// Why the state directory cannot be used.
public enum StateError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Another server uses the directory at this path.
  case inUse(String)
  /// The directory, or a file in it, cannot be used.
  case unusable(_ path: String, reason: String)

  /// Sentences for people: what happened, where, and what to do.
  public var description: String {
    switch self {
    case .inUse(let path):
      "\(path) is in use by another server. Stop that server, choose another folder with --state, or keep nothing with --ephemeral."
    case .unusable(let path, let reason):
      "\(path) cannot be used: \(reason) Choose another folder with --state, or keep nothing with --ephemeral."
    }
  }
}
