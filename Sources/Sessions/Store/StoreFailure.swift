import GRDB

/// Why a change of a session could not be kept.
enum StoreFailure: Error, CustomStringConvertible {
  /// The state directory cannot be written to: the disk is full, broken or read-only. It concerns all sessions.
  case disk(any Error)
  /// The same, but the change may be found in the store when the server is started again before it has written anything else.
  case undecided(any Error)
  /// The store has refused this one change. That is a fault of ours, and concerns one session.
  case refused(any Error)

  init(_ error: any Error) {
    let isTheDisks = (error as? DatabaseError).map { Self.codesOfTheDisk.contains($0.resultCode) } ?? false
    self = isTheDisks ? .disk(error) : .refused(error)
  }

  /// What SQLite says when it is not the change that is wrong.
  private static let codesOfTheDisk: [ResultCode] = [
    .SQLITE_BUSY, .SQLITE_CANTOPEN, .SQLITE_CORRUPT, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_LOCKED, .SQLITE_NOMEM,
    .SQLITE_NOTADB, .SQLITE_PERM, .SQLITE_READONLY,
  ]

  /// Whether the store's file is damaged, or is no store at all.
  var isDamage: Bool {
    switch self {
    case .disk(let error), .undecided(let error), .refused(let error):
      (error as? DatabaseError).map { [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains($0.resultCode) } ?? false
    }
  }

  /// What pages are told, and what the log says before the error itself.
  var reason: String {
    switch self {
    case .disk, .undecided: "the server cannot write to its state directory"
    case .refused: "the server's store has refused the change"
    }
  }

  /// What a page is told whose call is lost with the change.
  func message(about call: String) -> String {
    switch self {
    case .disk, .refused: "\(call) had no effect: \(reason). Its log says why."
    case .undecided: "It is not known whether \(call) has had an effect: \(reason). Its log says why."
    }
  }

  var description: String {
    switch self {
    case .disk(let error), .undecided(let error), .refused(let error): "\(reason): \(error)"
    }
  }
}
