import HTTP1
import HTTPTypes

/// Responses of other servers: how they are cut changes nothing, and what is passed on is the same response for the browser.
enum ResponseFuzz {
  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    for method in [HTTPRequest.Method.get, .head, .connect] {
      let (actions, heads) = read([input[...]], method)
      var random = SeededMutator(seed: UInt64(input.count))
      let inPieces = read(random.pieces(of: input), method).actions
      try FuzzFinding.unless(actions == inPieces, "In pieces: \(inPieces)\nWhole: \(actions)")
      for head in heads where head.version >= .http11 {
        let text = HeadEncoder.encode(head.status, fields: head.fields)
        let again = read([text[...]], method).heads
        try FuzzFinding.unless(
          again.count == 1 && again[0].status == head.status && again[0].fields == head.fields
            && again[0].bodyFraming == head.bodyFraming,
          "Passed on it is another response: \(head)\n\(again)")
      }
    }
  }

  private static func read(
    _ pieces: [ArraySlice<UInt8>], _ method: HTTPRequest.Method
  ) -> (actions: [String], heads: [ResponseHead]) {
    var machine = ClientConnectionStateMachine()
    machine.beginRequest(method: method, offersUpgrade: true)
    var actions: [String] = []
    var heads: [ResponseHead] = []
    var body: [UInt8] = []
    for (number, piece) in pieces.enumerated() {
      machine.receive(piece)
      if number == pieces.count - 1 { machine.receiveEnd() }
      reading: while true {
        switch machine.nextAction() {
        case .needsMoreBytes: break reading
        case .body(let bytes): body += bytes
        case .informational(let head), .head(let head):
          heads.append(head)
          actions.append("\(head)")
        case .end(let trailers):
          actions.append("\(body) \(trailers)")
          body = []
        case .fail(let defect): actions.append("\(defect)")
        case .idle: return (actions, heads)
        case .closed: return (actions, heads)
        }
      }
    }
    return (actions, heads)
  }
}
