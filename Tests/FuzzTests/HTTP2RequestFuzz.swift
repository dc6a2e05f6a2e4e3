import CNghttp2
import HTTP1
import HTTPTypes

@testable import WebServer

/// The fields of a request of HTTP/2: each head that is accepted is one that the parser of HTTP/1.1 accepts, too, and reads as the same.
enum HTTP2RequestFuzz {
  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    let lines = input.split(separator: UInt8(ascii: "\n"))
    // A field that nghttp2 refuses does not arrive.
    let fields = lines.compactMap { line -> HTTP2Field? in
      let parts = line.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let (name, value) = (Array(parts[0]), parts.count == 2 ? Array(parts[1]) : [])
      let isPseudo = name.first == UInt8(ascii: ":")
      guard isPseudo || nghttp2_check_header_name(name, name.count) != 0,
        nghttp2_check_header_value(value, value.count) != 0
      else { return nil }
      return HTTP2Field(name: name, value: value)
    }
    for hasBody in [false, true] {
      guard let head = try? HTTP2Request.head(fields, hasBody: hasBody, limits: .default) else { continue }
      guard let encoded = try? HeadEncoder.encode(head.method, head.target, fields: head.fields) else {
        throw FuzzFinding(description: "It cannot be passed on: \(head)")
      }
      var machine = ServerConnectionStateMachine()
      machine.receive(encoded)
      guard case .head(let again) = machine.nextAction() else {
        throw FuzzFinding(description: "HTTP/1.1 refuses it: \(head)")
      }
      try FuzzFinding.unless(again == head, "HTTP/1.1 reads another request: \(head)\n\(again)")
    }
  }
}
