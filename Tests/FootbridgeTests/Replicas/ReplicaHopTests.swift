import Cryptography
import HTTP1
import HTTPTypes
import Testing

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

  @Test func `a mark says how the client has made its request`() throws {
    let head = try head()
    let value = hop.field(for: head, authentication).value
    #expect(ReplicaHop(try marked(head, value), authentication) == hop)
    let list = ReplicaHop(receiver: "receiver", session: nil, isSecure: false, address: nil, destination: .site)
    #expect(ReplicaHop(try marked(head, list.field(for: head, authentication).value), authentication) == list)
  }

  @Test func `a mark is good for its own request only`() throws {
    let value = hop.field(for: try head(), authentication).value
    for other in [try head("/b"), try head("/a", .post), try head(host: "other.example")] {
      #expect(ReplicaHop(try marked(other, value), authentication) == nil)
    }
  }

  @Test func `nobody without the key can make or change a mark`() throws {
    let head = try head()
    let value = hop.field(for: head, authentication).value
    let foreign = AuthenticationCode(key: [UInt8](repeating: 2, count: 32))
    #expect(ReplicaHop(try marked(head, value), foreign) == nil)
    for forged in [
      "", "1", value.replacing("https", with: "http"), value + "x",
      String(value.dropLast(44)), "2 receiver a2V5 https - own ",
    ] {
      #expect(ReplicaHop(try marked(head, forged), authentication) == nil)
    }
    #expect(ReplicaHop(try marked(head, value, value), authentication) == nil)
  }
}
