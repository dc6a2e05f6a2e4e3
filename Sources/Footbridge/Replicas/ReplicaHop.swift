import BridgeRuntime
import Cryptography
import HTTP1
import HTTPTypes
import Sessions

/// The mark of a request that one replica passes on to another: for which session, and how the client has made it.
///
/// It is a field with an authentication code under a key that only the replicas have. Without the code, anybody could pretend to come over
/// TLS, or from another address. The code covers the replica that the request is for, whose id lasts as long as its lease, and the target.
struct ReplicaHop: Sendable, Hashable {
  /// The field.
  static let field = HTTPField.Name.named("Footbridge-Replica")
  /// The field's value in the answer of a replica that does not own the session.
  static let handedBack = "not-here"
  /// What stands for a part that is not there.
  private static let nothing = "-"

  /// The id of the replica that the request is passed to.
  let receiver: String
  /// The key of the session or world; nil for a list of what the receiver has.
  let session: String?
  /// Whether the client's connection uses TLS.
  let isSecure: Bool
  /// The client's address; nil if it is not known.
  let address: String?
  /// What the request is for.
  let destination: Destination

  /// What a request that is passed on is for.
  enum Destination: String, Sendable, Hashable {
    /// The server itself, or the site that it serves.
    case own
    /// A site under its own origin.
    case site
    /// The control API, from a dashboard: the replica that passes it on has let the tab in.
    case dashboard
  }

  init(receiver: String, session: String?, isSecure: Bool, address: String?, destination: Destination) {
    self.receiver = receiver
    self.session = session
    self.isSecure = isSecure
    self.address = address
    self.destination = destination
  }

  /// Reads the field of a request; nil if there is none that a replica has written for this request.
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
      // A world has any name.
      Self.version, receiver, session.map { Base64URL.encode(Array($0.utf8)) } ?? Self.nothing,
      isSecure ? "https" : "http", address ?? Self.nothing,
      destination.rawValue,
    ].joined(separator: " ")
    let code = authentication.code(of: Self.bound(text, to: head))
    return HTTPField(name: Self.field, value: "\(text) \(Base64URL.encode(code))")
  }

  private static let version = "2"

  /// What the code is over: the field's text, and what the request is for.
  private static func bound(_ text: String, to head: RequestHead) -> [UInt8] {
    Array("\(text)\n\(head.method.rawValue) \(head.target.rawValue)\n\(head.host ?? "")".utf8)
  }
}
