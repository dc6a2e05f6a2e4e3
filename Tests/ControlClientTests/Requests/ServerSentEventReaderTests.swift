import ControlClient
import Testing

@Suite struct ServerSentEventReaderTests {
  private static let stream = ": footbridge\n\nevent: journal\nid: 1\ndata: {\"a\":1}\n\n:\n\ndata: x\r\ndata:y\r\n\r\n"

  @Test func `events are read from a stream in chunks of any size`() throws {
    let bytes = Array(Self.stream.utf8)
    let wanted = [
      ServerSentEvent(name: "journal", id: "1", data: #"{"a":1}"#), ServerSentEvent(id: "1", data: "x\ny"),
    ]
    for size in 1...bytes.count {
      var reader = ServerSentEventReader()
      var events: [ServerSentEvent] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        events += try reader.read(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      #expect(events == wanted, "\(size)")
    }
  }

  @Test func `an event is returned when its empty line has arrived`() throws {
    var reader = ServerSentEventReader()
    #expect(try reader.read(Array("data: x\n".utf8)) == [])
    #expect(try reader.read(Array("\n".utf8)).map(\.data) == ["x"])
  }
}
