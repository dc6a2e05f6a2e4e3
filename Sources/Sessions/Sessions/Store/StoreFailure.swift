/// The reason why a change of a session could not be stored.
package indirect enum StoreFailure: Error, CustomStringConvertible {
  /// The state directory cannot be written: the disk is full, broken or read-only, or the file is damaged. All sessions are affected.
  case disk(any Error, mayBeDamage: Bool = false)
  /// The database cannot be reached or cannot write. All sessions are affected.
  case database(any Error)
  /// It is unknown whether the change is stored. If the server is restarted before its next write, the store may contain the change.
  case undecided(StoreFailure)
  /// The store has refused this change. This is a bug in Footbridge; it affects one session.
  case refused(any Error)
  /// Another server owns the session. The change is not stored.
  case fenced
  /// The server stops, and has closed its store.
  case closed

  /// Whether only this change is affected. Others can still be stored.
  var isOfOneChange: Bool {
    switch self {
    case .refused, .fenced: true
    case .disk, .database, .undecided, .closed: false
    }
  }

  /// Whether the change may be stored, or may yet become so.
  package var isUndecided: Bool { if case .undecided = self { true } else { false } }

  /// Whether another server owns the session.
  package var isFenced: Bool { if case .fenced = self { true } else { false } }

  /// Whether the server stops.
  var isClosed: Bool { if case .closed = self { true } else { false } }

  /// Whether the file may be damaged, or no store.
  var mayBeDamage: Bool {
    if case .disk(_, mayBeDamage: true) = self { true } else { false }
  }

  /// The reason for pages and the log.
  package var reason: String {
    switch self {
    case .disk: "the server cannot write to its state directory"
    case .database: "the server cannot reach its database"
    case .undecided(let failure): failure.reason
    case .refused: "the server's store has refused the change"
    case .fenced: "the session has moved to another server"
    case .closed: "the server stops"
    }
  }

  /// Returns the message for a page whose call has made the change.
  func message(about call: String) -> String {
    switch self {
    case .disk, .database, .refused, .fenced, .closed: "\(call) had no effect: \(reason). Its log says why."
    case .undecided: "It is unknown whether \(call) took effect: \(reason). Its log says why."
    }
  }

  package var description: String {
    switch self {
    case .disk(let error, _), .database(let error), .refused(let error): "\(reason): \(error)"
    case .undecided(let failure): failure.description
    case .fenced, .closed: reason
    }
  }
}

/// A session of a store that servers share, which this one cannot read. It stays there: a server of another version may have written it.
package struct UnreadableSession: Error, CustomStringConvertible {
  /// The answer to requests of a session whose state cannot be read, for any reason.
  package static let text = "The server cannot read the state of this session. Its log says why."

  /// Why it cannot be read.
  let reason: DecodingError

  package var description: String {
    "This version of Footbridge cannot read it, and leaves it to the servers that have written it. \(reason)"
  }
}

/// Why the state directory, or the database, cannot be used.
public enum StateError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Another server uses the directory at this path.
  case inUse(String)
  /// The directory, a file in it, or the database cannot be used.
  case unusable(_ path: String, reason: String)
  /// A version of Footbridge before 0.1.0 has written the store at this place.
  case outdated(_ place: String, removal: String)
  /// The database at this address cannot be reached. The address contains no password.
  case unreachable(_ address: String, reason: String)
  /// The address of a database is wrong. Its password was removed.
  case wrongAddress(_ address: String, reason: String)
  /// The option `--state-key` is missing: a database needs a key for its secrets.
  case keyMissing(_ address: String)
  /// The key file cannot be used.
  case keyUnusable(_ path: String, reason: String)
  /// libpq, the library for databases such as the one at this address, is not installed or too old.
  case libraryMissing(_ address: String)

  /// A text for people that says what happened, where, and what to do.
  public var description: String {
    switch self {
    case .inUse(let path):
      "\(path) is in use by another server. Stop that server, choose another folder with --state, or keep nothing with --ephemeral."
    case .unusable(let path, let reason):
      "\(path) cannot be used: \(reason) Choose another place with --state, or keep nothing with --ephemeral."
    case .outdated(let place, let removal):
      "\(place) was written by a version of Footbridge before 0.1.0, which this version cannot read. \(removal) to begin without its sessions, choose another place with --state, or keep nothing with --ephemeral."
    case .unreachable(let address, let reason):
      "\(address) cannot be reached: \(reason) Start the database, or mend the address, the password or the certificate in --state."
    case .wrongAddress(let address, let reason):
      "--state is \(address), which is not the address of a PostgreSQL database: \(reason) It must be like postgresql://user@host/database."
    case .keyMissing(let address):
      "\(address) needs a key that seals the secrets in it. Make one with openssl rand -out FILE 32, and name its file with --state-key."
    case .keyUnusable(let path, let reason):
      "The key \(path) cannot be used: \(reason)"
    case .libraryMissing(let address):
      "The state at \(address) needs libpq 14 or later, which is not installed. Install it: apt install libpq5 (Debian, Ubuntu), dnf install libpq (Fedora), brew install libpq (macOS)."
    }
  }
}
