import BridgeRuntime
import Cryptography
import HTTP1
import HTTPTypes
import Sessions

/// The mark on a request that one replica passes on to another. It names the session, and describes the client's connection.
///
/// The mark is a header field with an authentication code. Only the replicas have its key. Without the code, any client could claim to use
/// TLS, or another address. The code also covers the target, and the receiving replica's id, which is valid as long as its lease.
struct ReplicaHop: Sendable, Hashable {
  /// The field.
  static let field = HTTPField.Name.named("Footbridge-Replica")
  /// The field's value in the answer of a replica that does not own the session.
  static let handedBack = "not-here"
  /// The placeholder for a missing part.
  private static let nothing = "-"

  /// The id of the replica that the request is passed to.
  let receiver: String
  /// The key of the session or world; nil if the request asks for the receiver's own list of sessions.
  let session: String?
  /// Whether the client's connection uses TLS.
  let isSecure: Bool
  /// The client's address; nil if it is not known.
  let address: String?
  /// The destination of the request.
  let destination: Destination

  /// The possible destinations of a request.
  enum Destination: String, Sendable, Hashable {
    /// The server itself, or the site that it serves.
    case own
    /// A site under its own origin.
    case site
    /// The control API, for a tab of a dashboard. The replica that passes the request on has checked the tab.
    case dashboard
  }

  init(receiver: String, session: String?, isSecure: Bool, address: String?, destination: Destination) {
    self.receiver = receiver
    self.session = session
    self.isSecure = isSecure
    self.address = address
    self.destination = destination
  }

  /// Reads the mark of a request; nil if it has none, or one that no replica has written for this request.
  init?(_ head: RequestHead, _ authentication: AuthenticationCode) {
    let values = head.fields[values: Self.field]
    guard values.count == 1, let end = values[0].lastIndex(of: " ") else { return nil }
    let text = String(values[0][..<end])
    let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 6, parts[0] == Self.version,
      let code = Base64URL.decode(values[0][values[0].index(after: end)...]),
      authentication.isCode(code, of: Self.bound(text, to: head)), let destination = Destination(rawValue: parts[5])
    else { return nil }
    func part(_ index: Int) -> String? { parts[index] == Self.nothing ? nil : parts[index] }
    let session = part(2).flatMap { Base64URL.decode($0[...]) }.map { String(decoding: $0, as: UTF8.self) }
    self.init(
      receiver: parts[1], session: session, isSecure: parts[3] == "https", address: part(4),
      destination: destination)
  }

  /// The field for a request with this head.
  func field(for head: RequestHead, _ authentication: AuthenticationCode) -> HTTPField {
    let text = [
      // The name of a world can have any characters, so it is encoded.
      Self.version, receiver, session.map { Base64URL.encode(Array($0.utf8)) } ?? Self.nothing,
      isSecure ? "https" : "http", address ?? Self.nothing,
      destination.rawValue,
    ].joined(separator: " ")
    let code = authentication.code(of: Self.bound(text, to: head))
    return HTTPField(name: Self.field, value: "\(text) \(Base64URL.encode(code))")
  }

  private static let version = "2"

  /// The bytes that the code authenticates: the field's text, the method, the target and the host.
  private static func bound(_ text: String, to head: RequestHead) -> [UInt8] {
    Array("\(text)\n\(head.method.rawValue) \(head.target.rawValue)\n\(head.host ?? "")".utf8)
  }
}
