import BridgeRuntime
import Cryptography
import HTTP1
import HTTPTypes
import Sessions

/// The mark on a request that one replica passes on to another. It names the session, and describes the client's connection.
///
/// Replicas of two neighbouring versions understand each other: each reads the marks of its own version and of the former one, and gets
/// no newer ones (``Replica/markVersion``). The present version has named parts, and its readers pass over those that they do not know. So a
/// later version can add parts. It needs another number only if a mark without them would be wrong.
///
/// The mark is a header field with an authentication code. Only the replicas have its key. Without the code, any client could claim to use
/// TLS, or another address. The code also covers the target, and the receiving replica's id, which is valid as long as its lease.
struct ReplicaHop: Sendable, Hashable {
  /// The field.
  static let field = HTTPField.Name.named("Footbridge-Replica")
  /// The field's value in the answer of a replica that does not own the session.
  static let handedBack = "not-here"

  /// The id of the replica that the request is passed to.
  let receiver: String
  /// The key of the session or world; nil if the request asks for the receiver's own list of sessions.
  let session: String?
  /// Whether the client's connection uses TLS.
  let isSecure: Bool
  /// The client's address; nil if it is not known.
  let address: String?
  /// The destination of the request.
  let destination: RequestDestination

  init(receiver: String, session: String?, isSecure: Bool, address: String?, destination: RequestDestination) {
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
    guard let code = Base64URL.decode(values[0][values[0].index(after: end)...]),
      authentication.isCode(code, of: Self.signedText(text, for: head))
    else { return nil }
    let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    switch parts[0] {
    case "\(Replica.presentMarkVersion)": self.init(named: parts.dropFirst())
    case "\(Replica.formerMarkVersion)": self.init(former: parts)
    default: return nil
    }
  }

  /// The field for a request with this head, to a replica that reads marks up to a version.
  func field(
    for head: RequestHead, _ authentication: AuthenticationCode, version: Int = Replica.presentMarkVersion
  ) -> HTTPField {
    let text = version >= Replica.presentMarkVersion ? namedParts : formerParts
    let code = authentication.code(of: Self.signedText(text, for: head))
    return HTTPField(name: Self.field, value: "\(text) \(Base64URL.encode(code))")
  }

  /// The bytes that the code authenticates: the field's text, the method, the target and the host.
  private static func signedText(_ text: String, for head: RequestHead) -> [UInt8] {
    Array("\(text)\n\(head.method.rawValue) \(head.target.rawValue)\n\(head.host ?? "")".utf8)
  }

  /// The name of a world can have any characters, so it is encoded.
  private var encodedSession: String? { session.map { Base64URL.encode(Array($0.utf8)) } }

  private static func decodedSession(_ text: String) -> String? {
    Base64URL.decode(text[...]).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// The present version: `3 to=ID at=own by=https session=KEY for=ADDRESS`.
extension ReplicaHop {
  private var namedParts: String {
    var parts = ["to=\(receiver)", "at=\(destination.rawValue)", "by=\(isSecure ? "https" : "http")"]
    if let encodedSession { parts.append("session=\(encodedSession)") }
    if let address { parts.append("for=\(address)") }
    return "\(Replica.presentMarkVersion) " + parts.joined(separator: " ")
  }

  private init?(named parts: ArraySlice<String>) {
    var values: [Substring: String] = [:]
    for part in parts {
      guard let sign = part.firstIndex(of: "="),
        values.updateValue(String(part[part.index(after: sign)...]), forKey: part[..<sign]) == nil
      else { return nil }
    }
    guard let receiver = values["to"], let scheme = values["by"],
      let destination = values["at"].flatMap({ RequestDestination(rawValue: $0) })
    else { return nil }
    var session: String?
    if let encoded = values["session"] {
      // A mark without a session asks for something else, so a broken one must not become that.
      guard let decoded = Self.decodedSession(encoded) else { return nil }
      session = decoded
    }
    self.init(
      receiver: receiver, session: session, isSecure: scheme == "https", address: values["for"],
      destination: destination)
  }
}

/// The former version: `2 ID KEY https ADDRESS own`, with `-` for a missing part.
extension ReplicaHop {
  /// The placeholder for a missing part.
  private static let nothing = "-"

  private var formerParts: String {
    [
      "\(Replica.formerMarkVersion)", receiver, encodedSession ?? Self.nothing, isSecure ? "https" : "http",
      address ?? Self.nothing, destination.rawValue,
    ].joined(separator: " ")
  }

  private init?(former parts: [String]) {
    guard parts.count == 6, let destination = RequestDestination(rawValue: parts[5]) else { return nil }
    self.init(
      receiver: parts[1], session: parts[2] == Self.nothing ? nil : Self.decodedSession(parts[2]),
      isSecure: parts[3] == "https", address: parts[4] == Self.nothing ? nil : parts[4], destination: destination)
  }
}
