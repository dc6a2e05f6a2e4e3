import BridgeCore
import Onside
import Today
import WebServer

/// The scripts that pages load: the files of a folder of `web/` joined in alphabetical order, with the server's configuration in them.
enum ShimScript {
  /// The shim for pages of sessions with this contract and platform.
  static func shim(_ options: FootbridgeOptions, _ contract: OnsideContract, _ platform: Platform) -> EmbeddedFile? {
    var configuration: [String: JSONValue] = [
      "onsideContract": .string(contract.rawValue),
      "platform": .string(platform.rawValue),
      "messageBytes": .number(Double(options.limits.web.webSocketMessageBytes)),
    ]
    var handlers: [JSONValue] = [["name": "todayWebViewBridge", "action": .string(TodayBridge.action), "reply": true]]
    if options.gbg.isEnabled {
      handlers.append(["name": .string(BridgeWebViewConfigurator.channel), "envelope": true, "reply": false])
      configuration["gbg"] = .object(members(of: options.gbg.delivery))
    }
    configuration["handlers"] = .array(handlers)
    let bootstrapScript = options.gbg.isEnabled ? options.gbg.delivery.bootstrapScript : nil
    guard
      let source = source(of: "shim")
        .replacing("/*footbridge:configuration*/ {}", with: JSONValue.object(configuration).jsonText)?
        .replacing("/*footbridge:bootstrap*/ undefined", with: bootstrapScript == nil ? "undefined" : "bootstrapScript")
    else { return nil }
    guard let bootstrapScript else { return script("shim.js", source) }
    // Handed in from outside of the strict function: the developer's script is no strict code unless it says so.
    return script("shim.js", source, parameter: "bootstrapScript", "function (footbridge) {\n\(bootstrapScript)\n}")
  }

  /// The sheets, which the shim loads when the first one is to be shown.
  static func sheets() -> EmbeddedFile? {
    let source = source(of: "sheets")
    return source.isEmpty ? nil : script("sheets.js", source)
  }

  /// The attributes of the script element that a document is served with. `nonce` is what its policy asks for.
  static func attributes(_ admitted: AdmittedDocument, nonce: String? = nil) -> String {
    let query = admitted.isFrame ? "?frame=\(admitted.frameKey)" : ""
    let nonce = nonce.map { " nonce=\"\($0)\"" } ?? ""
    let marks = "data-footbridge-ticket=\"\(admitted.ticket)\" data-footbridge-frame=\"\(admitted.frameKey)\""
    return "src=\"\(path)\(query)\" \(marks)\(nonce)"
  }

  /// Where the shim is.
  static let path = "/__footbridge/shim.js"

  /// The files of a folder, joined.
  static func source(of folder: String) -> String {
    let paths = EmbeddedFile.all.keys.filter { $0.hasPrefix(folder + "/") && $0.hasSuffix(".js") }.sorted()
    return paths.compactMap { EmbeddedFile.all[$0] }.map { String(decoding: $0.bytes, as: UTF8.self) + "\n" }.joined()
  }

  private static func members(of delivery: GBGDelivery) -> [String: JSONValue] {
    var members: [String: JSONValue] = ["as": delivery.asText ? "string" : "object"]
    members["function"] = delivery.function.map { .string($0) }
    members["event"] = delivery.event.map { .string($0) }
    return members
  }

  private static func script(
    _ name: String,
    _ source: String,
    parameter: String = "",
    _ argument: String = ""
  ) -> EmbeddedFile {
    let body = ScriptComments.removed(from: source)
    return EmbeddedFile(
      path: name,
      bytes: Array("((\(parameter)) => {\n\"use strict\";\n\(body)})(\(argument));\n".utf8)
    )
  }
}

extension String {
  /// The text with the one occurrence of `placeholder` replaced; nil when there is none.
  fileprivate func replacing(_ placeholder: String, with text: String) -> String? {
    guard let range = firstRange(of: placeholder) else { return nil }
    var result = self
    result.replaceSubrange(range, with: text)
    return result
  }
}
