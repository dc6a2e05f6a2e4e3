import BridgeRuntime
import Cryptography
import HTTP1
import HTTPTypes
import Testing

@testable import Cluster
@testable import Footbridge

@Suite struct ReplicaHopTests {
  private let authentication = AuthenticationCode(key: [UInt8](repeating: 1, count: 32))
  private let hop = ReplicaHop(
    receiver: "receiver", session: "world of an \u{C9}cole", isSecure: true, address: "2001:db8::1", destination: .own)

  private func head(_ path: String = "/a", _ method: HTTPRequest.Method = .get, host: String = "shop.example") throws
    -> RequestHead
  {
    try RequestHead(method: method, target: .origin(path: path, query: "b=c"), fields: [.hostField: host])
  }

  private func marked(_ head: RequestHead, _ values: String...) throws -> RequestHead {
    var fields = Array(head.fields)
    fields += values.map { HTTPField(name: ReplicaHop.field, value: $0) }
    return try RequestHead(method: head.method, target: head.target, fields: HTTPFields(inOrder: fields))
  }

  @Test func `a mark contains how the client made its request`() throws {
    let head = try head()
    let value = hop.field(for: head, authentication).value
    #expect(ReplicaHop(try marked(head, value), authentication) == hop)
    let list = ReplicaHop(receiver: "receiver", session: nil, isSecure: false, address: nil, destination: .site)
    #expect(ReplicaHop(try marked(head, list.field(for: head, authentication).value), authentication) == list)
  }

  @Test func `a mark is accepted for its own request only`() throws {
    let value = hop.field(for: try head(), authentication).value
    for other in [try head("/b"), try head("/a", .post), try head(host: "other.example")] {
      #expect(ReplicaHop(try marked(other, value), authentication) == nil)
    }
  }

  /// A field with this text, as a replica that has the key writes it.
  private func value(_ text: String, for head: RequestHead) -> String {
    let signed = "\(text)\n\(head.method.rawValue) \(head.target.rawValue)\n\(head.host ?? "")"
    return "\(text) \(Base64URL.encode(authentication.code(of: Array(signed.utf8))))"
  }

  private static let session = "d29ybGQgb2YgYW4gw4ljb2xl"

  @Test func `marks of the former version are written for it and read`() throws {
    let head = try head()
    let former = value("2 receiver \(Self.session) https 2001:db8::1 own", for: head)
    #expect(hop.field(for: head, authentication, version: 2).value == former)
    #expect(ReplicaHop(try marked(head, former), authentication) == hop)
    let list = ReplicaHop(receiver: "receiver", session: nil, isSecure: false, address: nil, destination: .dashboard)
    let formerList = value("2 receiver - http - dashboard", for: head)
    #expect(list.field(for: head, authentication, version: 2).value == formerList)
    #expect(ReplicaHop(try marked(head, formerList), authentication) == list)
  }

  @Test func `a replica of this or a later version gets a mark of this version`() throws {
    let head = try head()
    let present = value("3 to=receiver at=own by=https session=\(Self.session) for=2001:db8::1", for: head)
    #expect(hop.field(for: head, authentication, version: 3).value == present)
    #expect(hop.field(for: head, authentication, version: 4).value == present)
  }

  @Test func `additional parts of a later version's mark are ignored`() throws {
    let head = try head()
    let later = value(
      "3 to=receiver at=own by=https session=\(Self.session) for=2001:db8::1 trace=a=b", for: head)
    #expect(ReplicaHop(try marked(head, later), authentication) == hop)
    for wrong in [
      "3", "3 to=receiver at=own", "3 to=receiver at=elsewhere by=https", "3 to=receiver to=other at=own by=https",
      "3 to=receiver at=own by=https session=?", "3 to=receiver at=own by=https -", "4 to=receiver at=own by=https",
      "2 receiver - http -", "2 receiver - http - own more",
    ] {
      #expect(ReplicaHop(try marked(head, value(wrong, for: head)), authentication) == nil)
    }
  }

  @Test func `a mark that was made or changed without the key is refused`() throws {
    let head = try head()
    let value = hop.field(for: head, authentication).value
    let foreign = AuthenticationCode(key: [UInt8](repeating: 2, count: 32))
    #expect(ReplicaHop(try marked(head, value), foreign) == nil)
    for forged in [
      "", "1", value.replacing("https", with: "http"), value + "x",
      String(value.dropLast(44)), "2 receiver a2V5 https - own ", "3 to=receiver at=own by=https ",
    ] {
      #expect(ReplicaHop(try marked(head, forged), authentication) == nil)
    }
    #expect(ReplicaHop(try marked(head, value, value), authentication) == nil)
  }
}
