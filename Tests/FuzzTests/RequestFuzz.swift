import HTTP1
import HTTPTypes

/// Requests: how they are cut changes nothing, and what is accepted is the same request for the next reader.
enum RequestFuzz {
  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    let (actions, heads) = read([input[...]])
    var random = SeededMutator(seed: UInt64(input.count))
    let inPieces = read(random.pieces(of: input)).actions
    try FuzzFinding.unless(actions == inPieces, "In pieces: \(inPieces)\nWhole: \(actions)")
    for head in heads {
      try FuzzFinding.unless(
        head.fields[values: .contentLength].isEmpty || head.bodyFraming != .chunked, "Two framings: \(head)")
      // One without a Host, as HTTP/1.0 has it, would not be accepted as HTTP/1.1.
      guard head.authority != nil, head.version >= .http11 else { continue }
      guard let text = try? HeadEncoder.encode(head.method, head.target, fields: head.fields) else {
        throw FuzzFinding(description: "Accepted, but not to be written: \(head)")
      }
      let again = read([text[...]]).heads
      try FuzzFinding.unless(
        again.count == 1 && again[0].fields == head.fields && again[0].target == head.target
          && again[0].bodyFraming == head.bodyFraming,
        "Passed on it is another request: \(head)\n\(again)")
    }
  }

  private static func read(_ pieces: [ArraySlice<UInt8>]) -> (actions: [String], heads: [RequestHead]) {
    var machine = ServerConnectionStateMachine()
    var actions: [String] = []
    var heads: [RequestHead] = []
    var body: [UInt8] = []
    for (number, piece) in pieces.enumerated() {
      machine.receive(piece)
      if number == pieces.count - 1 { machine.receiveEnd() }
      reading: while true {
        switch machine.nextAction() {
        case .needsMoreBytes: break reading
        case .awaitsResponse: machine.responseSent()
        case .body(let bytes): body += bytes
        case .head(let head):
          heads.append(head)
          actions.append("\(head)")
        case .end(let trailers):
          actions.append("\(body) \(trailers)")
          body = []
        case .refuse(let error): actions.append("\(error)")
        case .closed: return (actions, heads)
        }
      }
    }
    return (actions, heads)
  }
}
