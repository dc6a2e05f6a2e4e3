import BridgeRuntime
import Cryptography
import HTTP1
import HTTPTypes
import Sessions

/// The mark on a request that one replica passes on to another. It names the session, and describes the client's connection.
///
/// Replicas of two neighbouring versions understand each other: each reads the marks of its own version and of the former one, and gets
/// no newer ones (``Replica/markVersion``). A mark has named parts, and its readers pass over those that they do not know. So a later version
/// can add parts. It needs another number only if a mark without them would be wrong.
///
/// The mark is a header field with an authentication code. Only the replicas have its key. Without the code, any client could claim to use
/// TLS, or another address. The code covers the whole head of the request, and the receiving replica's id, which is valid as long as its
/// lease. A mark counts once (``UsedMarks``): whoever has read a request on the network cannot send it again, nor another one with its mark.
/// A body is bound to its mark, too (``BodySeal``); the former version has no seal.
struct ReplicaHop: Sendable, Hashable {
  /// The field.
  static let field = HTTPField.Name.named("Footbridge-Replica")
  /// The field's value in the answer of a replica that does not own the session.
  static let handedBack = "not-here"
  /// The field's value in the answer to a mark that has come before.
  static let repeated = "repeated"

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
  /// Which of all marks it is; nil before it is sent.
  private(set) var serial: MarkSerial?
  /// Whether a body of the request ends with its seal.
  let sealsBody: Bool

  init(
    receiver: String, session: String?, isSecure: Bool, address: String?, destination: RequestDestination,
    serial: MarkSerial? = nil, sealsBody: Bool = true
  ) {
    self.serial = serial
    self.sealsBody = sealsBody
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
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard let version = parts.first.flatMap({ Int($0) }), Self.versions.contains(version),
      let code = Base64URL.decode(values[0][values[0].index(after: end)...]),
      authentication.isCode(code, of: Self.signedText(text, for: head))
    else { return nil }
    self.init(parts: parts.dropFirst(), sealsBody: Self.sealsBody(version))
    // Such a mark could be repeated.
    if serial == nil { return nil }
  }

  /// Whether a replica that reads marks up to a version expects the seals of bodies.
  static func sealsBody(_ version: Int) -> Bool { version >= Replica.presentMarkVersion }

  private static let versions = Replica.formerMarkVersion...Replica.presentMarkVersion

  /// The field for a request with this head, to a replica that reads marks up to a version.
  func field(
    for head: RequestHead, _ authentication: AuthenticationCode, serial: MarkSerial,
    version: Int = Replica.presentMarkVersion
  ) -> HTTPField {
    let version = min(version, Replica.presentMarkVersion)
    let text = (["\(version)"] + parts + ["serial=\(serial)"]).joined(separator: " ")
    let code = authentication.code(of: Self.signedText(text, for: head))
    return HTTPField(name: Self.field, value: "\(text) \(Base64URL.encode(code))")
  }

  /// The bytes that the code authenticates: the field's text, the method, the target, and the other fields.
  private static func signedText(_ text: String, for head: RequestHead) -> [UInt8] {
    var bytes = Array("\(text)\n\(head.method.rawValue) \(head.target.rawValue)\n\(head.host ?? "")".utf8)
    for field in head.fields where field.name != Self.field {
      bytes += Array("\n\(field.name.canonicalName): ".utf8) + field.valueBytes
    }
    return bytes
  }

  /// The name of a world can have any characters, so it is encoded.
  private var encodedSession: String? { session.map { Base64URL.encode(Array($0.utf8)) } }

  private static func decodedSession(_ text: String) -> String? {
    Base64URL.decode(text[...]).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// The parts: `5 to=ID at=own by=https session=KEY for=ADDRESS serial=SENDER/NUMBER`.
extension ReplicaHop {
  private var parts: [String] {
    var parts = ["to=\(receiver)", "at=\(destination.rawValue)", "by=\(isSecure ? "https" : "http")"]
    if let encodedSession { parts.append("session=\(encodedSession)") }
    if let address { parts.append("for=\(address)") }
    return parts
  }

  private init?(parts: ArraySlice<Substring>, sealsBody: Bool) {
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
      destination: destination, serial: values["serial"].flatMap { MarkSerial($0) }, sealsBody: sealsBody)
  }
}
