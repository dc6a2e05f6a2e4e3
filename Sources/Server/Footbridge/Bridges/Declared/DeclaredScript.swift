import BridgeCore
import WebServer

/// A script that a declared bridge puts into pages, as native code does with a `WKUserScript`.
struct DeclaredScript: Sendable {
  /// The time when it runs.
  enum Time: String, CaseIterable {
    /// Before the document's own scripts.
    case start
    /// When the document has been parsed.
    case end
    /// When the window has loaded.
    case load
  }

  /// The file that pages load.
  let file: EmbeddedFile
  /// The time when it runs.
  let time: Time

  /// Creates a script of a bridge. `name` is the name of its file. The number distinguishes two scripts with the same name.
  init(_ bytes: [UInt8], name: String, number: Int, of bridge: String, at time: Time) {
    let safeName = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "_" })
    file = EmbeddedFile(path: "bridges/\(bridge)/\(number)-\(safeName)", bytes: bytes, isCompressed: true)
    self.time = time
  }

  /// The script in the shim's configuration.
  var json: JSONValue {
    let version = file.entityTag?.opaqueTag ?? ""
    return ["path": .string("\(file.path)?v=\(version)"), "at": .string(time.rawValue)]
  }
}

/// The native app's values for the first document of a tab. They are set before its scripts run.
struct DeclaredLaunch: Sendable {
  /// The fragment of its address, without the `#`.
  var hash: String?
  /// Values for `localStorage`. They do not replace values of the page.
  var localStorage: [String: String] = [:]
  /// Values for `sessionStorage`. They do not replace values of the page.
  var sessionStorage: [String: String] = [:]

  /// The members for the shim; nil if there are none.
  var json: JSONValue? {
    var members: [String: JSONValue] = [:]
    members["hash"] = hash.map { .string($0) }
    if !localStorage.isEmpty { members["localStorage"] = .object(localStorage.mapValues { .string($0) }) }
    if !sessionStorage.isEmpty { members["sessionStorage"] = .object(sessionStorage.mapValues { .string($0) }) }
    return members.isEmpty ? nil : .object(members)
  }
}

/// A way to name a message: by its values at some places, or by a word.
enum MessageNaming: Sendable, Hashable {
  /// The message's values at these places, joined with dots. It fits if all of them exist.
  case places([JSONPointer])
  /// A word, which always fits.
  case word(String)

  /// The naming in the shim's configuration.
  var json: JSONValue {
    switch self {
    case .word(let word): .string(word)
    case .places(let pointers): .array(pointers.map { .array($0.tokens.map { .string($0) }) })
    }
  }
}

/// A bridge whose pages load its own scripts, each a file below `/__footbridge/`.
protocol ScriptServingBridge: ConfigurableBridge {
  /// The scripts. Their paths are relative to `/__footbridge/`.
  var scriptFiles: [EmbeddedFile] { get }
}

extension BridgeTable {
  /// The scripts of all bridges, by their paths below `/__footbridge/`.
  var scriptFiles: [String: EmbeddedFile] {
    let files = definitions.compactMap { $0 as? any ScriptServingBridge }.flatMap(\.scriptFiles)
    return Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
