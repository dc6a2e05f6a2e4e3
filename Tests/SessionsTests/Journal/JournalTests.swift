import BridgeCore
import BridgeRuntime
import Testing

@testable import Footbridge
@testable import Sessions

@BridgeActor
@Suite struct JournalTests {
  private let clock = ManualBridgeClock(now: BridgeInstant(millisecondsSinceEpoch: 1000))
  private let journal: Journal
  private let page = PageName(number: 1)

  init() {
    journal = Journal(clock: clock)
  }

  private func message(
    _ type: BridgeMessageType,
    _ action: String,
    id: String = "1",
    data: [String: JSONValue]? = nil,
    status: BridgeResponseStatus? = nil
  ) -> BridgeMessage {
    BridgeMessage(
      version: "1.0", correlationId: id, type: type, timestamp: 5,
      payload: BridgePayload(action: action, data: data, status: status, error: nil))
  }

  private var texts: [String] { journal.entries(after: 0, limit: 100).entries.map(\.json.jsonText) }

  @Test func `a message is recorded with its time and page`() {
    journal.append(.request, page: page, message(.request, "onside.purchase", data: ["id": "x"]), byteCount: 10)
    #expect(
      texts == [
        #"{"action":"onside.purchase","correlationId":"1","cursor":1,"data":{"id":"x"},"kind":"request","page":"page-1","time":1000}"#
      ])
  }

  @Test func `the first answer of a page has the host's request as cause`() {
    journal.append(.hostRequest, page: page, message(.request, "theme.get"), byteCount: 10)
    journal.append(.pageResponse, page: page, message(.response, "theme.get", status: .success), byteCount: 10)
    journal.append(.pageResponse, page: page, message(.response, "theme.get", status: .success), byteCount: 10)
    #expect(journal.entries(after: 1, limit: 10).entries.map(\.cause) == [1, nil])
  }

  @Test func `an entry of a task has the entry that started the task as cause`() async {
    let cause = journal.append(.control, action: "start")
    await MessageCause.$current.withValue(cause) {
      Task { _ = journal.append(.decision, action: "go") }
    }.value
    #expect(journal.entries(after: cause, limit: 1).entries.first?.cause == cause)
  }

  @Test func `secrets and images are not stored in the journal`() {
    let image = String(repeating: "A", count: 8000)
    journal.append(
      .response, page: page, message(.response, "today.message", data: ["value": ["authorization": "Bearer hush"]]),
      byteCount: 50)
    journal.append(
      .response, page: page, message(.response, "camera.document.capture", data: ["imageBase64": .string(image)]),
      byteCount: 8100)
    journal.append(.sheetAnswered, data: ["fields": ["imageBase64": .string(image), "password": "hush"]])
    var dump = ""
    for entry in journal.entries(after: 0, limit: 10).entries {
      switch entry.content {
      case .text(let text): dump += String(decoding: text, as: UTF8.self)
      case .message(let message): dump += message.payload.data.map { "\($0)" } ?? ""
      case .members(let members): dump += "\(members)"
      case .action(_, let data): dump += "\(data?() ?? [:])"
      }
    }
    #expect(!dump.contains("hush") && !dump.contains("AAAA"))
  }

  @Test func `a long answer of the store is stored whole and counted with all its bytes`() {
    let title = String(repeating: "A", count: 6000)
    let answer = message(.response, "onside.loadProducts", data: ["products": [["localizedTitle": .string(title)]]])
    for _ in 0...(JournalBuffer.byteLimit / 6100) { journal.append(.response, page: page, answer, byteCount: 6100) }
    let entries = journal.entries(after: 0, limit: .max).entries
    #expect(entries.last?.json["data"]?["products"]?.arrayValue?.first?["localizedTitle"] == .string(title))
    #expect(entries.count < JournalBuffer.byteLimit / 6100)
  }

  @Test func `all long parts of a long message are shortened`() throws {
    let long = String(repeating: "a", count: 1 << 20)
    let error = BridgeErrorPayload(code: long, message: long, recoverable: true)
    let answer = BridgeMessage(
      version: "1.0", correlationId: long, type: .response, timestamp: 5,
      payload: BridgePayload(action: long, data: [long: 1], status: .error, error: error))
    journal.append(.pageResponse, page: page, answer, byteCount: 5 << 20)
    let text = try #require(texts.first)
    #expect(text.utf8.count < 1000)
    #expect(text.contains("The data are omitted"))
  }

  @Test func `the data of a page's very long message is not stored`() throws {
    let data: [String: JSONValue] = ["a": .array(Array(repeating: 1, count: 10))]
    journal.append(.request, page: page, message(.request, "x", data: data), byteCount: 2 << 20)
    let text = try #require(texts.first)
    #expect(text.contains(#""action":"x""#) && text.contains("2097152 bytes") && !text.contains(#""data""#))
  }

  @Test func `a journal's limit includes the members of its messages`() {
    let data: [String: JSONValue] = ["a": .string(String(repeating: "1,", count: 4000))]
    for _ in 0..<200 { journal.append(.request, page: page, message(.request, "x", data: data), byteCount: 8010) }
    let entries = journal.entries(after: 0, limit: 1000).entries
    let stored = entries.map { entry -> Int in
      guard case .members(let text) = entry.content else { return 0 }
      return text.count
    }
    #expect(entries.count > 10)
    #expect(stored.allSatisfy { $0 > 4000 * 2 })
    #expect(stored.reduce(0, +) <= JournalBuffer.byteLimit)
  }

  @Test func `an observer gets each entry and the end of the journal`() {
    var heard: [Int?] = []
    let observer = journal.onAppend { heard.append($0?.cursor) }
    journal.append(.control, action: "a")
    journal.append(.control, action: "b")
    journal.end(.deleted)
    #expect(heard == [1, 2, nil])
    observer.cancel()
  }

  @Test func `an observer of an ended journal gets the end at once`() {
    journal.end(.deleted)
    var endCount = 0
    let observer = journal.onAppend { if $0 == nil { endCount += 1 } }
    #expect(endCount == 1)
    observer.cancel()
  }

  @Test(arguments: [Journal.Ending.deleted, .moved])
  func `a wait for an entry ends with the journal and its reason`(_ ending: Journal.Ending) async {
    for endsBefore in [true, false] {
      let journal = Journal(clock: clock)
      if endsBefore { journal.end(ending) }
      let wait = Task { await JournalWait(until: .anyObject).run(journal, after: 0, timeout: .seconds(60)) }
      if !endsBefore {
        #expect(await becomesTrue { journal.isObserved })
        journal.end(ending)
      }
      guard case .ended(ending) = await wait.value else {
        Issue.record("It did not end with the journal.")
        continue
      }
    }
  }

  @Test func `a cancelled observer gets no more entries`() {
    var count = 0
    let observer = journal.onAppend { _ in count += 1 }
    journal.append(.control)
    observer.cancel()
    journal.append(.control)
    #expect(count == 1)
  }
}

extension Journal {
  /// Adds a message whose text has so many bytes at least.
  @discardableResult
  fileprivate func append(_ kind: JournalEntry.Kind, page: PageName, _ message: BridgeMessage, byteCount: Int) -> Int {
    var writer = JSONWriter()
    message.write(to: &writer)
    let owner = BridgeList().makeTable().owners.owner(of: message.payload.action)
    writer.bytes += repeatElement(UInt8(ascii: " "), count: max(byteCount - writer.bytes.count, 0))
    return writer.bytes.withUnsafeBufferPointer { append(kind, page: page, of: owner, text: $0, message: message) }
  }
}
