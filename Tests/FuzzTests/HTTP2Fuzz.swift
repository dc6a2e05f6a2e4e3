import BridgeRuntime
import HTTP1
import HTTPTypes

@testable import WebServer

/// The frames of a server of HTTP/2: how they are cut changes nothing, and what is passed on is a response that HTTP/1.1 has, too.
enum HTTP2Fuzz {
  @BridgeActor
  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    let whole = try Exchange([input[...]])
    var random = SeededMutator(seed: UInt64(input.count))
    let inPieces = try Exchange(random.pieces(of: input))
    try FuzzFinding.unless(whole.log == inPieces.log, "In pieces: \(inPieces.log)\nWhole: \(whole.log)")
    for head in whole.heads {
      var machine = ClientConnectionStateMachine()
      machine.beginRequest(method: .get)
      machine.receive(HeadEncoder.encode(head.status, fields: head.fields))
      switch machine.nextAction() {
      case .head(let again), .informational(let again):
        try FuzzFinding.unless(again.fields == head.fields, "Passed on it is another response: \(head)\n\(again)")
      case let other: throw FuzzFinding(description: "Passed on it is no response: \(head)\n\(other)")
      }
    }
  }

  /// One request, and what a server sends.
  @BridgeActor
  private final class Exchange: HTTP2SessionDelegate {
    private(set) var log: [String] = []
    private(set) var heads: [ResponseHead] = []
    private var response = HTTP2ResponseStateMachine(method: .get, limits: .default)
    private var body: [UInt8] = []
    private let session: HTTP2Session

    init(_ pieces: [ArraySlice<UInt8>]) throws(FuzzFinding) {
      guard let session = try? HTTP2Session(.client, fieldBytes: 65_536, fieldCount: 200) else {
        throw FuzzFinding(description: "There is no memory")
      }
      self.session = session
      session.delegate = self
      let head = RequestTarget("/", method: .get).flatMap {
        try? RequestHead(
          method: .get, target: $0, fields: HTTPFields(inOrder: [HTTPField(name: .hostField, value: "a")]))
      }
      if let fields = head.flatMap(HTTP2FieldSection.init) { _ = session.request(fields, hasBody: false) }
      while session.nextOutput() != nil {}
      for piece in pieces { _ = piece.withUnsafeBytes { session.receive($0) } }
      while session.nextOutput() != nil {}
      log.append("\(body)")
    }

    func received(_ fields: [HTTP2Field], on stream: Int32, endsStream: Bool) {
      perform(response.received(fields, endsStream: endsStream), stream)
    }

    func received(_ bytes: UnsafeRawBufferPointer, on stream: Int32) {
      session.consumed(bytes.count, of: stream)
      body += bytes
    }

    func receivedEnd(on stream: Int32) { perform(response.receivedEnd(), stream) }

    func closed(_ stream: Int32, _ end: HTTP2StreamEnd) {
      log.append("\(stream) \(end) \(response.closed(end).map { "\($0)" } ?? "complete")")
    }

    func nextBytes(of stream: Int32, into buffer: UnsafeMutableRawBufferPointer) -> HTTP2Session.Body { .end(0) }

    private func perform(_ actions: [HTTP2ResponseStateMachine.Action], _ stream: Int32) {
      log += actions.map { "\(stream) \($0)" }
      for action in actions {
        switch action {
        case .informational(let head), .head(let head): heads.append(head)
        case .end, .refuse: break
        }
      }
    }
  }
}
