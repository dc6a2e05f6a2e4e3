package import BridgeCore
package import BridgeServer
import Sessions
import WebServer

/// A script that a bridge puts into pages, as native code does with a `WKUserScript`.
package struct BridgeScript: Sendable {
  /// The time when it runs.
  package enum Time: String, CaseIterable {
    /// Before the document's own scripts.
    case start
    /// When the document has been parsed.
    case end
    /// When the window has loaded.
    case load
  }

  /// The file that pages load.
  package let file: EmbeddedFile
  /// The time when it runs.
  let time: Time

  /// Creates a script of a bridge. `name` is the name of its file. The number distinguishes two scripts with the same name.
  package init(_ bytes: [UInt8], name: String, number: Int, of bridge: String, at time: Time) {
    let safeName = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "_" })
    file = EmbeddedFile(path: "bridges/\(bridge)/\(number)-\(safeName)", bytes: bytes, isCompressed: true)
    self.time = time
  }

  /// The script in the shim's configuration.
  package var json: JSONValue {
    let version = file.entityTag?.opaqueTag ?? ""
    return ["path": .string("\(file.path)?v=\(version)"), "at": .string(time.rawValue)]
  }
}

/// A bridge whose pages load its own scripts, each a file below `/__footbridge/`.
package protocol ScriptServingBridge: ConfigurableBridge {
  /// The scripts. Their paths are relative to `/__footbridge/`.
  var scriptFiles: [EmbeddedFile] { get }
}

extension BridgeTable {
  /// The scripts of all bridges, by their paths below `/__footbridge/`.
  package var scriptFiles: [String: EmbeddedFile] {
    let files = definitions.compactMap { $0 as? any ScriptServingBridge }.flatMap(\.scriptFiles)
    return Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
