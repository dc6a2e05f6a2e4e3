import BridgeRuntime
import Cryptography
import HTTP1
import HTTPTypes
import Testing

@testable import Cluster
@testable import Footbridge

@Suite struct ReplicaHopTests {
  private let authentication = AuthenticationCode(key: [UInt8](repeating: 1, count: 32))
  private let serial = MarkSerial(sender: "sender", number: 7)

  private func hop(_ serial: MarkSerial?, sealsBody: Bool = true) -> ReplicaHop {
    ReplicaHop(
      receiver: "receiver", session: "world of an \u{C9}cole", isSecure: true, address: "2001:db8::1",
      destination: .own, serial: serial, sealsBody: sealsBody)
  }

  private func head(
    _ path: String = "/a", _ method: HTTPRequest.Method = .get, host: String = "shop.example", cookie: String = "a=1"
  ) throws -> RequestHead {
    try RequestHead(
      method: method, target: .origin(path: path, query: "b=c"), fields: [.hostField: host, .cookie: cookie])
  }

  private func marked(_ head: RequestHead, _ values: String...) throws -> RequestHead {
    var fields = Array(head.fields)
    fields += values.map { HTTPField(name: ReplicaHop.field, value: $0) }
    return try RequestHead(method: head.method, target: head.target, fields: HTTPFields(inOrder: fields))
  }

  @Test func `a mark contains how the client made its request`() throws {
    let head = try head()
    let value = hop(nil).field(for: head, authentication, serial: serial).value
    #expect(ReplicaHop(try marked(head, value), authentication) == hop(serial))
    let list = ReplicaHop(
      receiver: "receiver", session: nil, isSecure: false, address: nil, destination: .site, serial: serial)
    let listValue = list.field(for: head, authentication, serial: serial).value
    #expect(ReplicaHop(try marked(head, listValue), authentication) == list)
  }

  @Test func `a mark is accepted for its own request only`() throws {
    let value = hop(nil).field(for: try head(), authentication, serial: serial).value
    let others = [
      try head("/b"), try head("/a", .post), try head(host: "other.example"), try head(cookie: "a=2"),
      try RequestHead(method: .get, target: .origin(path: "/a", query: "b=c"), fields: [.hostField: "shop.example"]),
    ]
    for other in others { #expect(ReplicaHop(try marked(other, value), authentication) == nil) }
  }

  /// A field with this text, as a replica that has the key writes it.
  private func value(_ text: String, for head: RequestHead) -> String {
    let fields = "\nhost: \(head.host ?? "")\ncookie: a=1"
    let signed = "\(text)\n\(head.method.rawValue) \(head.target.rawValue)\n\(head.host ?? "")\(fields)"
    return "\(text) \(Base64URL.encode(authentication.code(of: Array(signed.utf8))))"
  }

  private static let parts = "to=receiver at=own by=https session=d29ybGQgb2YgYW4gw4ljb2xl for=2001:db8::1"

  @Test func `marks of the former version are written for it and read`() throws {
    let head = try head()
    let former = value("4 \(Self.parts) serial=sender/7", for: head)
    #expect(hop(nil).field(for: head, authentication, serial: serial, version: 4).value == former)
    #expect(ReplicaHop(try marked(head, former), authentication) == hop(serial, sealsBody: false))
  }

  @Test func `a replica of this or a later version gets a mark of this version`() throws {
    let head = try head()
    let present = value("5 \(Self.parts) serial=sender/7", for: head)
    #expect(hop(nil).field(for: head, authentication, serial: serial, version: 5).value == present)
    #expect(hop(nil).field(for: head, authentication, serial: serial, version: 6).value == present)
  }

  @Test func `additional parts of a later version's mark are ignored`() throws {
    let head = try head()
    let later = value("5 \(Self.parts) serial=sender/7 trace=a=b", for: head)
    #expect(ReplicaHop(try marked(head, later), authentication) == hop(serial))
    let serial = "serial=sender/7"
    for wrong in [
      "5", "5 to=receiver at=own \(serial)", "5 to=receiver at=elsewhere by=https \(serial)",
      "5 to=receiver to=other at=own by=https \(serial)", "5 to=receiver at=own by=https session=? \(serial)",
      "5 to=receiver at=own by=https \(serial) -", "6 to=receiver at=own by=https \(serial)",
      "3 to=receiver at=own by=https \(serial)", "2 receiver - http - own",
    ] {
      #expect(ReplicaHop(try marked(head, value(wrong, for: head)), authentication) == nil)
    }
  }

  @Test(arguments: ["", " serial=", " serial=sender", " serial=sender/0", " serial=/1", " serial=a/b/1"])
  func `a mark that could be repeated is refused`(serial: String) throws {
    let head = try head()
    for version in 4...5 {
      let mark = value("\(version) to=receiver at=own by=https\(serial)", for: head)
      #expect(ReplicaHop(try marked(head, mark), authentication) == nil)
    }
  }

  @Test func `a mark that was made or changed without the key is refused`() throws {
    let head = try head()
    let value = hop(nil).field(for: head, authentication, serial: serial).value
    let foreign = AuthenticationCode(key: [UInt8](repeating: 2, count: 32))
    #expect(ReplicaHop(try marked(head, value), foreign) == nil)
    for forged in [
      "", "1", value.replacing("https", with: "http"), value + "x", value.replacing("sender/7", with: "sender/8"),
      String(value.dropLast(44)), "5 to=receiver at=own by=https serial=sender/7 ",
      value.replacing("5 to", with: "4 to"),
    ] {
      #expect(ReplicaHop(try marked(head, forged), authentication) == nil)
    }
    #expect(ReplicaHop(try marked(head, value, value), authentication) == nil)
  }
}

@Suite struct UsedMarksTests {
  /// Notes marks of a sender, and returns which of them count.
  private func use(_ numbers: some Sequence<Int>, of sender: String = "a", _ used: inout UsedMarks) -> [Int] {
    var counting: [Int] = []
    for number in numbers where used.use(MarkSerial(sender: sender, number: number)) { counting.append(number) }
    return counting
  }

  @Test func `a mark counts once, in whatever order marks come`() {
    var used = UsedMarks()
    let first = use([2, 5, 1, 4, 1], &used) + use([2, 1], of: "b", &used)
    #expect(first == [2, 5, 1, 4, 2, 1])
    let second = use([1, 2, 3, 4, 5, 3], &used) + use([1, 2], of: "b", &used)
    #expect(second == [3])
  }

  @Test func `a mark that comes much later than those after it does not count`() {
    var used = UsedMarks()
    let last = UsedMarks.numberLimit + 3
    let many = use(2...last, &used)
    #expect(many.count == last - 1)
    let late = use([1, 2, last / 2, last, last + 1], &used)
    #expect(late == [last + 1])
  }

  @Test func `the senders that are remembered are limited`() {
    var used = UsedMarks()
    for number in 0...UsedMarks.senderLimit { _ = use([1], of: "\(number)", &used) }
    let again = [use([1], of: "1", &used), use([1], of: "0", &used)]
    #expect(again == [[], [1]])
  }
}
