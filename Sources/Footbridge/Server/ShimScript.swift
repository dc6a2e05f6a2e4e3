import BridgeCore
import OnsideKit
import Today
import WebServer

/// The scripts that pages load: the files of a folder of `web/` joined in alphabetical order into one function.
enum ShimScript {
  /// The shim for pages of sessions with this contract and platform. The server's configuration is what its function is called with.
  static func shim(_ options: FootbridgeOptions, _ contract: OnsideContract, _ platform: Platform) -> EmbeddedFile {
    var configuration: [String: JSONValue] = [
      "onsideContract": .string(contract.rawValue),
      "platform": .string(platform.rawValue),
      "messageBytes": .number(Double(options.limits.web.webSocketMessageBytes)),
      "callBytes": .number(Double(min(options.limits.callBytes, options.limits.web.webSocketMessageBytes))),
    ]
    if options.gbg.isEnabled { configuration["gbg"] = .object(members(of: options.gbg.delivery)) }
    configuration["handlers"] = .array(handlers(options))
    var arguments = JSONValue.object(configuration).jsonText
    if options.gbg.isEnabled, let script = options.gbg.delivery.bootstrapScript {
      // Handed in from outside of the strict function: the developer's script is no strict code unless it says so.
      arguments += ", function (footbridge) {\n\(script)\n}"
    }
    return script("shim.js", body: body, parameters: "configuration, bootstrap", arguments: arguments)
  }

  /// The channels of `window.webkit.messageHandlers`, as the shim is told of them.
  static func handlers(_ options: FootbridgeOptions) -> [JSONValue] {
    var handlers: [JSONValue] = [["name": "todayWebViewBridge", "action": .string(TodayBridge.action), "reply": true]]
    if options.gbg.isEnabled {
      handlers.append(["name": .string(BridgeWebViewConfigurator.channel), "envelope": true, "reply": false])
    }
    return handlers
  }

  /// The sheets, which the shim loads when the first one is to be shown.
  static let sheets = script("sheets.js", body: ScriptComments.removed(from: source(of: "sheets")))

  /// The attributes of the script element that a document is served with. `nonce` is what its policy asks for.
  static func attributes(_ admitted: AdmittedDocument, nonce: String? = nil) -> String {
    var text = ""
    // Grown piece by piece it would be copied as often.
    text.reserveCapacity(256 + admitted.ticket.utf8.count)
    text += "src=\""
    text += path
    if let version = admitted.shimVersion {
      text += "?v="
      text += version
    }
    if admitted.isFrame {
      text += admitted.shimVersion == nil ? "?frame=" : "&amp;frame="
      text += admitted.frameKey
    }
    text += "\" data-footbridge-ticket=\""
    text += admitted.ticket
    text += "\" data-footbridge-frame=\""
    text += admitted.frameKey
    text += "\""
    if let nonce { text += " nonce=\"\(nonce)\"" }
    return text
  }

  /// Where the shim is.
  static let path = "/__footbridge/shim.js"

  /// The files of a folder, joined.
  static func source(of folder: String) -> [UInt8] {
    let paths = EmbeddedFile.all.keys.filter { $0.hasPrefix(folder + "/") && $0.hasSuffix(".js") }.sorted()
    return Array(paths.compactMap { EmbeddedFile.all[$0]?.bytes }.joined(separator: [UInt8(ascii: "\n")]))
  }

  private static let body = ScriptComments.removed(from: source(of: "shim"))

  private static func members(of delivery: GBGDelivery) -> [String: JSONValue] {
    var members: [String: JSONValue] = ["as": delivery.asText ? "string" : "object"]
    members["function"] = delivery.function.map { .string($0) }
    members["event"] = delivery.event.map { .string($0) }
    return members
  }

  private static func script(
    _ name: String,
    body: [UInt8],
    parameters: String = "",
    arguments: String = ""
  ) -> EmbeddedFile {
    let begin = Array("((\(parameters)) => {\n\"use strict\";\n".utf8)
    return EmbeddedFile(path: name, bytes: begin + body + Array("})(\(arguments));\n".utf8), isCompressed: true)
  }
}
