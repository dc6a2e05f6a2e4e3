import Essentials
import Footbridge
import Sessions
import SiteServer
import WebServer

/// The failure of a command: one line for people, and an exit code of `sysexits.h`.
struct Failure: Error {
  let message: String
  let code: Int32

  init(message: String, code: Int32) {
    self.message = message
    self.code = code
  }

  /// A server cannot be created from the options in `sources`.
  init(_ error: FootbridgeError, _ sources: OptionSources) {
    if case .rootMissing(let path) = error {
      message = sources.origin(of: path) + error.description
    } else {
      message = error.description
    }
    code =
      switch error {
      case .rootMissing: EX_NOINPUT
      case .bridgeNameInvalid, .bridgesConflict, .stateServed, .controlTokenMissing, .authorityNotKept, .fileServed:
        EX_USAGE
      case .stopped: EX_SOFTWARE
      }
  }

  /// The site cannot be served with the options in `sources`.
  init(_ error: SiteError, _ sources: OptionSources) {
    message =
      switch error {
      case .certificateUnreadable(let path, _), .certificateInvalid(let path, _):
        sources.origin(of: path) + error.description
      default: sources.placed(error.description)
      }
    code =
      switch error {
      case .certificateUnreadable: EX_NOINPUT
      case .certificateInvalid: EX_DATAERR
      case .fileNotWritable: EX_CANTCREAT
      case .allowedHostInvalid, .trustedProxyInvalid, .upstreamInvalid,
        .proxyHostInvalid, .certificateIncomplete, .excludedPathInvalid, .fieldInvalid, .phoneUnknown:
        message == error.description ? EX_USAGE : EX_CONFIG
      case .incompleteBuild: EX_SOFTWARE
      }
  }

  /// The state directory, or the database, that `sources` name cannot be used.
  init(_ error: StateError, _ sources: OptionSources) {
    switch error {
    case .unusable(let path, _), .outdated(let path, _):
      self.init(message: sources.origin(of: path) + error.description, code: EX_CANTCREAT)
    case .inUse, .unreachable: self.init(message: error.description, code: EX_TEMPFAIL)
    case .wrongAddress, .keyMissing: self.init(message: error.description, code: EX_CONFIG)
    case .libraryMissing: self.init(message: error.description, code: EX_UNAVAILABLE)
    case .keyUnusable(let path, _): self.init(message: sources.origin(of: path) + error.description, code: EX_NOINPUT)
    }
  }

  /// A server cannot listen.
  init(_ error: HTTPServerError) {
    message = error.description
    code =
      switch error {
      case .permissionDenied: EX_NOPERM
      case .noSuchAddress: EX_USAGE
      case .addressInUse, .cannotListen, .cannotWatch, .libevMissing, .loopUnavailable: EX_UNAVAILABLE
      }
  }

  /// A flag, a variable or the file is wrong. The error begins with the name of its source.
  static func option(_ error: OptionError) -> Failure {
    error.description.hasPrefix("--") ? usage(error.description) : configuration(error.description)
  }
  /// An option is wrong.
  static func usage(_ message: String) -> Failure { Failure(message: message, code: EX_USAGE) }
  /// The content of a file is wrong.
  static func data(_ message: String) -> Failure { Failure(message: message, code: EX_DATAERR) }
  /// A file or folder does not exist or cannot be read.
  static func noInput(_ message: String) -> Failure { Failure(message: message, code: EX_NOINPUT) }
  /// The output cannot be written.
  static func output(_ message: String) -> Failure { Failure(message: message, code: EX_IOERR) }
  /// `footbridge.yaml` or a variable is wrong.
  static func configuration(_ message: String) -> Failure { Failure(message: message, code: EX_CONFIG) }
  /// A server cannot be reached, or is not healthy.
  static func unavailable(_ message: String) -> Failure { Failure(message: message, code: EX_UNAVAILABLE) }
  /// The command itself is broken.
  static func software(_ message: String) -> Failure { Failure(message: message, code: EX_SOFTWARE) }
}
