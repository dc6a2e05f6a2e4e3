import BridgeCore
import BridgeRuntime
package import BridgeServer
import Cryptography
package import Sessions

/// `initData` of a Telegram Mini App, as of Bot API 8.0: the hash covers all fields, `signature` too.
package struct TelegramLaunch: Sendable {
  private let botToken: Secret
  private let fields: [String: String]
  private let version: String
  private let platform: String

  /// Reads the token of the bot, and what native says about the user.
  package init(_ node: InputNode) throws(OptionError) {
    let members = try node.section([
      "botToken", "user", "startParam", "chatType", "chatInstance", "queryId", "signature", "version",
      "platform",
    ])
    guard let token = members["botToken"] else { throw node.expected("launch data with botToken") }
    botToken = Secret(try token.text())
    var fields: [String: String] = [:]
    fields["user"] = try members["user"].map { user throws(OptionError) in
      JSONValue.object(try user.jsonMembers()).jsonText
    }
    for (member, field) in [
      ("startParam", "start_param"), ("chatType", "chat_type"), ("chatInstance", "chat_instance"),
      ("queryId", "query_id"), ("signature", "signature"),
    ] {
      if let value = members[member] { fields[field] = try value.text() }
    }
    self.fields = fields
    version = try members["version"]?.text() ?? "8.0"
    platform = try members["platform"]?.text() ?? "ios"
  }

  /// The signed data as a query: `auth_date=…&user=…&hash=…`.
  func initData(at now: BridgeInstant) -> String {
    var fields = fields
    fields["auth_date"] = "\(SignedLaunch.seconds(now))"
    return Self.signed(fields, botToken)
  }

  /// The fields as a query with their `hash`.
  static func signed(_ fields: [String: String], _ botToken: Secret) -> String {
    let sorted = fields.sorted { $0.key < $1.key }
    let checked = sorted.map { "\($0.key)=\($0.value)" }.joined(separator: "\n")
    let key = AuthenticationCode(key: Array("WebAppData".utf8)).code(of: Array(botToken.reveal().utf8))
    let hash = Hexadecimal.text(AuthenticationCode(key: key).code(of: Array(checked.utf8)))
    return (sorted.map { "\($0.key)=\(SignedLaunch.escaped($0.value))" } + ["hash=\(hash)"]).joined(separator: "&")
  }

  /// The fragment with which Telegram opens the page.
  func fragment(at now: BridgeInstant) -> String {
    let parameters = [
      ("tgWebAppData", initData(at: now)), ("tgWebAppVersion", version), ("tgWebAppPlatform", platform),
    ]
    return parameters.map { "\($0.0)=\(SignedLaunch.escaped($0.1))" }.joined(separator: "&")
  }
}
