import BridgeCore
import WebServer

/// A script that a declared bridge puts into pages, as native code does with a `WKUserScript`.
struct DeclaredScript: Sendable {
  /// When it runs.
  enum Time: String, CaseIterable {
    /// Before the document's own scripts.
    case start
    /// When the document has been read.
    case end
    /// When the window has loaded.
    case load
  }

  /// The file that pages load.
  let file: EmbeddedFile
  /// When it runs.
  let time: Time

  /// A script of a bridge. `name` is its file's; the number keeps two of one name apart.
  init(_ bytes: [UInt8], name: String, number: Int, of bridge: String, at time: Time) {
    let safeName = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "_" })
    file = EmbeddedFile(path: "bridges/\(bridge)/\(number)-\(safeName)", bytes: bytes, isCompressed: true)
    self.time = time
  }

  /// The script as the shim is told of it.
  var json: JSONValue {
    let version = file.entityTag?.opaqueTag ?? ""
    return ["path": .string("\(file.path)?v=\(version)"), "at": .string(time.rawValue)]
  }
}

/// What native puts into the first document of a tab, before its scripts run.
struct DeclaredLaunch: Sendable {
  /// The fragment of its address, without the `#`.
  var hash: String?
  /// What is in `localStorage`, where the page has nothing of that name.
  var localStorage: [String: String] = [:]
  /// What is in `sessionStorage`, likewise.
  var sessionStorage: [String: String] = [:]

  /// The members for the shim; nil when there is nothing.
  var json: JSONValue? {
    var members: [String: JSONValue] = [:]
    members["hash"] = hash.map { .string($0) }
    if !localStorage.isEmpty { members["localStorage"] = .object(localStorage.mapValues { .string($0) }) }
    if !sessionStorage.isEmpty { members["sessionStorage"] = .object(sessionStorage.mapValues { .string($0) }) }
    return members.isEmpty ? nil : .object(members)
  }
}

/// One way to name a message: by what it has at some places, or by a word.
enum MessageNaming: Sendable, Hashable {
  /// What the message has at these places, joined with dots. It fits when all of them are there.
  case places([JSONPointer])
  /// A word, which always fits.
  case word(String)

  /// The naming as the shim is told of it.
  var json: JSONValue {
    switch self {
    case .word(let word): .string(word)
    case .places(let pointers): .array(pointers.map { .array($0.tokens.map { .string($0) }) })
    }
  }
}

/// A bridge whose pages load scripts of its own, each a file of its own below `/__footbridge/`.
protocol ScriptServingBridge: ConfigurableBridge {
  /// The scripts. A path is what follows `/__footbridge/`.
  var scriptFiles: [EmbeddedFile] { get }
}

extension BridgeTable {
  /// The scripts of all bridges, by their paths below `/__footbridge/`.
  var scriptFiles: [String: EmbeddedFile] {
    let files = definitions.compactMap { $0 as? any ScriptServingBridge }.flatMap(\.scriptFiles)
    return Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
