package import BridgeCore
package import DeclaredServer

/// The messages between pages and their app: the lines of the recorder, or the journal of a session.
///
/// The input is not trusted: it comes from a device, in a file.
package struct Transcript: Sendable {
  /// The native app's step after a message.
  package enum Step: Sendable, Hashable {
    /// It replied; nil is `undefined`.
    case reply(JSONValue?)
    /// It refused with this text, or with this value.
    case error(JSONValue)
    /// It called a function of the page.
    case call([String], JSONValue)
    /// It dispatched a `CustomEvent` on `window`.
    case event(String, JSONValue?)
    /// It dispatched an event of another kind, or on another object, with these members.
    case dispatch(String, DeclaredEventForm, JSONValue)
    /// It set a variable of the page; nil is `undefined`.
    case set([String], JSONValue?)
  }

  /// A step, with its place in the transcript.
  package struct PlacedStep: Sendable, Hashable {
    /// The step.
    package let step: Step
    /// The line, or the number of the entry; 0 if it has none.
    package let line: Int
  }

  /// A message of the page, and the native app's steps after it.
  package struct Exchange: Sendable {
    /// The message handler that got it; nil if it came in another way, or if that is unknown.
    package let channel: String?
    /// The name that a journal has for it; nil in a recorder's transcript.
    package let name: String?
    /// What the page has said.
    package var body: JSONValue
    /// What the app did.
    var placedSteps: [PlacedStep] = []
    /// The number of the document.
    package var document = 0
    /// The number of the message in the recorder's transcript.
    package var number = 0.0
    /// The line, or the number of the entry.
    package var line = 0

    /// What the app did.
    package var steps: [Step] { placedSteps.map(\.step) }
  }

  /// A document that has sent messages.
  package struct Document: Sendable {
    /// Its address; nil if it is unknown.
    package var url: String?
    /// The line, or the number of the entry; 0 if it has none.
    package var line = 0
    /// What the app did before its first message.
    var placedSteps: [PlacedStep] = []

    /// What the app did before its first message.
    package var steps: [Step] { placedSteps.map(\.step) }
  }

  /// How a journal has the messages of a bridge.
  enum Style: Sendable {
    /// The value of a message is a member of its data: declared bridges, and Today.
    case values
    /// The data is the message: `window.onside`.
    case members
    /// Pages make the messages themselves, with any action but those of these bridges.
    case envelopes(besides: [String])
  }

  /// The messages, in order.
  package internal(set) var exchanges: [Exchange] = []
  /// The documents, in order.
  package internal(set) var documents: [Document] = []
  /// A step by which a page gets an envelope, if its bridge has envelopes: their form in the transcript.
  var delivery: Step?
  /// Whether the recorder has left out something.
  private(set) var isIncomplete = false
  /// The bridges of a journal whose messages have values: those of `footbridge.yaml`, and Today. Empty for lines of the recorder.
  package private(set) var bridges: Set<String> = []
  /// Whether it has entries of a journal.
  package private(set) var hasEntries = false
  /// Whether this is a journal, and not lines of the recorder.
  package let isJournal: Bool
  private var open: [String: Int] = [:]
  /// The numbers of the documents of a journal, by the ids of their pages.
  private var pages: [String: Int] = [:]
  private let bridge: String
  private let style: Style
  private let marks: JournalMarks

  /// The largest message, and what surrounds it.
  private static let longestLine = (16 << 20) + (64 << 10)
  private static let mostExchanges = 10_000
  private static let mostBridges = 20

  /// Reads a transcript.
  ///
  /// - Parameters:
  ///   - text: JSON Lines, or one JSON object whose `entries` are a journal, or a session that was exported with its transcript.
  ///   - bridge: The bridge to take from a journal.
  ///   - secrets: The names of members to leave out, besides those that look like secrets.
  /// - Throws: ``TranscriptError`` with the line.
  package init(_ text: [UInt8], bridge: String, secrets: [String] = []) throws(TranscriptError) {
    try self.init(text, bridge: bridge, style: .values, secrets: secrets)
  }

  init(_ text: [UInt8], bridge: String, style: Style, secrets: [String] = []) throws(TranscriptError) {
    self.bridge = bridge
    self.style = style
    marks = JournalMarks(secrets: secrets)
    if let whole = try? JSONValue(parsing: text), let entries = (whole["entries"] ?? whole["transcript"])?.arrayValue {
      isJournal = true
      for (index, entry) in entries.enumerated() { try read(entry, line: index + 1) }
      return
    }
    isJournal = false
    for (index, line) in text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      let number = index + 1
      guard line.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) else { continue }
      guard line.count <= Self.longestLine else {
        throw TranscriptError(number, "a line may have \(Self.longestLine) bytes")
      }
      try read(try Self.value(of: line, number), line: number)
    }
  }

  /// A transcript with the documents of another one, and without messages.
  init(playing other: Transcript) {
    bridge = other.bridge
    style = other.style
    isJournal = other.isJournal
    documents = other.documents.map { Document(url: $0.url, line: $0.line) }
    marks = JournalMarks(secrets: [])
  }

  private static func value(of line: some Sequence<UInt8>, _ number: Int) throws(TranscriptError) -> JSONValue {
    do {
      return try JSONValue(parsing: line)
    } catch {
      throw TranscriptError(number, "this is not JSON: \(error)")
    }
  }

  private mutating func read(_ line: JSONValue, line number: Int) throws(TranscriptError) {
    guard let members = line.objectValue else { throw TranscriptError(number, "a line must be a JSON object") }
    // Secrets are removed first.
    let safe = marks.withMarkedSecrets(members)
    if let kind = members["kind"]?.stringValue, members["cursor"] != nil {
      hasEntries = true
      return try read(entry: safe, kind, number)
    }
    switch safe {
    case _ where safe["channel"] != nil:
      guard let channel = safe["channel"]?.stringValue, let id = safe["message"]?.numberValue else {
        throw TranscriptError(number, "a message must have its number as message, and the name of its channel")
      }
      if safe["lost"] != nil { isIncomplete = true }
      let exchange = Exchange(
        channel: channel, name: nil, body: safe["body"] ?? .null, document: documents.count - 1, number: id,
        line: number)
      try begin(exchange, id: "\(id)")
    case _ where safe["message"] != nil:
      guard let id = safe["message"]?.numberValue else {
        throw TranscriptError(number, "message must be a number")
      }
      if safe["lost"] != nil { isIncomplete = true }
      end(id: "\(id)", safe["error"].map { .error($0) } ?? .reply(safe["reply"]), line: number)
    case _ where safe["call"] != nil:
      guard let path = Step.path(safe["call"]) else {
        throw TranscriptError(number, "call must be the path of a function, such as app.onEvent")
      }
      add(.call(path, safe["args"] ?? []), in: documents.count - 1, line: number)
    case _ where safe["event"] != nil:
      guard let name = safe["event"]?.stringValue else { throw TranscriptError(number, "event must be a name") }
      guard let step = Step.event(name, safe) else {
        throw TranscriptError(number, "on, kind, data, origin and init must be what an event of this kind has")
      }
      add(step, in: documents.count - 1, line: number)
    case _ where safe["set"] != nil:
      guard let path = Step.path(safe["set"]) else {
        throw TranscriptError(number, "set must be the path of a variable, such as app.user")
      }
      add(.set(path, safe["value"]), in: documents.count - 1, line: number)
    case _ where safe["lost"] != nil: isIncomplete = true
    case _ where safe["page"] != nil:
      open = [:]
      documents.append(Document(url: safe["page"]?.stringValue, line: number))
    default:
      throw TranscriptError(
        number, "expected a line of the recorder (message, call, event, set, page), or an entry of a journal")
    }
  }

  private mutating func read(
    entry: [String: JSONValue], _ kind: String, _ number: Int
  ) throws(TranscriptError) {
    guard let action = entry["action"]?.stringValue else { return }
    let page = entry["page"]?.stringValue ?? ""
    let data = entry["data"]?.objectValue
    if kind == JournalEntryKind.page.rawValue, action == "opened" {
      pages[page] = documents.count
      return documents.append(Document(url: data?["url"]?.stringValue, line: number))
    }
    if isValue { note(kind, action, data) }
    guard let name = name(of: action) else { return }
    if pages[page] == nil {
      pages[page] = documents.count
      documents.append(Document())
    }
    let document = pages[page] ?? 0
    let call = "\(page) \(entry["correlationId"]?.stringValue ?? "")"
    switch JournalEntryKind(rawValue: kind) {
    case .request:
      let exchange = Exchange(
        channel: isValue ? data?["channel"]?.stringValue : nil, name: name, body: body(data), document: document,
        line: number)
      try begin(exchange, id: call)
    case .response: end(id: call, answer(entry, data), line: number)
    case .event, .hostRequest:
      if let step = step(name, data) { add(step, in: document, line: number) }
    default: break
    }
  }

  /// Notes the bridge of an entry.
  private mutating func note(_ kind: String, _ action: String, _ data: [String: JSONValue]?) {
    let isMessage = kind == JournalEntryKind.request.rawValue && (data?["channel"] ?? data?["value"]) != nil
    guard isMessage, bridges.count < Self.mostBridges, let dot = action.firstIndex(of: ".") else { return }
    bridges.insert(String(action[..<dot]))
  }

  private var isValue: Bool { if case .values = style { true } else { false } }

  /// The name of an action of the bridge; nil for another action.
  private func name(of action: String) -> String? {
    if case .envelopes(let others) = style {
      return (others + ["footbridge"]).contains { action.hasPrefix($0 + ".") } ? nil : action
    }
    return action.hasPrefix(bridge + ".") ? String(action.dropFirst(bridge.count + 1)) : nil
  }

  private func body(_ data: [String: JSONValue]?) -> JSONValue {
    isValue ? data?["value"] ?? .null : .object(data ?? [:])
  }

  private func answer(_ entry: [String: JSONValue], _ data: [String: JSONValue]?) -> Step {
    switch style {
    case .values:
      guard let error = entry["error"] else { return .reply(data?["value"]) }
      return .error(data?["error"] ?? error["message"] ?? "")
    case .members: return entry["error"].map { .error($0) } ?? .reply(data.map { .object($0) })
    case .envelopes:
      return .reply(
        .object(
          ["status": entry["status"], "data": data.map { .object($0) }, "error": entry["error"]].compactMapValues { $0 }
        ))
    }
  }

  /// What native has done by an event; nil for another event.
  private func step(_ name: String, _ data: [String: JSONValue]?) -> Step? {
    isValue ? Step(name, data ?? [:]) : .event(name, data.map { .object($0) })
  }

  private mutating func begin(_ exchange: Exchange, id: String) throws(TranscriptError) {
    guard exchanges.count < Self.mostExchanges else {
      throw TranscriptError(exchange.line, "a transcript may have \(Self.mostExchanges) messages: cut it")
    }
    if documents.isEmpty { documents.append(Document()) }
    open[id] = exchanges.count
    exchanges.append(exchange)
    exchanges[exchanges.count - 1].document = max(exchange.document, 0)
  }

  private mutating func end(id: String, _ step: Step, line: Int) {
    guard let index = open.removeValue(forKey: id) else { return }
    exchanges[index].placedSteps.append(PlacedStep(step: step, line: line))
  }

  /// The native app did something in a document without being asked. The step belongs to the message whose id it contains, or else to the
  /// latest message of the document.
  private mutating func add(_ step: Step, in document: Int, line: Int) {
    let placed = PlacedStep(step: step, line: line)
    let ids = step.ids
    let recent = exchanges.indices.suffix(50).reversed().filter { exchanges[$0].document == document }
    let named = ids.isEmpty ? nil : recent.first { !ids.isDisjoint(with: exchanges[$0].body.ids) }
    if let index = named ?? recent.first {
      return exchanges[index].placedSteps.append(placed)
    }
    if documents.isEmpty { documents.append(Document()) }
    documents[max(document, 0)].placedSteps.append(placed)
  }
}

extension Transcript {
  /// Whether a file has entries of a journal: as JSON Lines, as an answer of the control API, or as a session with its transcript. Lines that
  /// are no entries may be between them.
  package static func hasEntries(_ text: [UInt8]) -> Bool {
    if let whole = try? JSONValue(parsing: text) {
      let entries = whole["entries"]?.arrayValue ?? whole["transcript"]?.arrayValue ?? [whole]
      return entries.contains(where: isEntry)
    }
    return text.split(separator: 0x0A).contains { line in
      line.count <= longestLine && (try? JSONValue(parsing: line)).map(isEntry) ?? false
    }
  }

  private static func isEntry(_ value: JSONValue) -> Bool {
    value["cursor"]?.numberValue.flatMap { Int(exactly: $0) } != nil && value["kind"]?.stringValue != nil
  }
}

/// What is played again is noted in the same way.
extension Transcript {
  /// A transcript with the same documents, and without messages.
  package var withoutMessages: Transcript { Transcript(playing: self) }

  /// Adds a message that is sent again, and returns its index.
  package mutating func begin(again exchange: Exchange) -> Int {
    var exchange = exchange
    exchange.placedSteps = []
    open["\(exchanges.count)"] = exchanges.count
    exchanges.append(exchange)
    return exchanges.count - 1
  }

  /// The message with this index was answered.
  package mutating func end(_ index: Int, _ step: Step) { end(id: "\(index)", step, line: 0) }

  /// The native app did something in a document without being asked.
  package mutating func add(_ step: Step, in document: Int) { add(step, in: document, line: 0) }
}

/// An error in a transcript.
package struct TranscriptError: Error, CustomStringConvertible {
  /// The line, from 1; of a journal, the number of the entry.
  package let line: Int
  private let reason: String

  init(_ line: Int, _ reason: String) { (self.line, self.reason) = (line, reason) }

  /// The reason, as a sentence.
  package var description: String { "\(reason)." }
}

extension Transcript.Step {
  /// What native does by an event of a declared bridge, as the shim gets it; nil for an event of another kind.
  init?(_ kind: String, _ data: [String: JSONValue]) {
    switch (kind, data["name"]?.stringValue, Self.path(data["path"])) {
    case ("call", _, let path?): self = .call(path, data["args"] ?? [])
    case ("event", let name?, _): self = .event(name, data["detail"])
    case ("set", _, let path?): self = .set(path, data["value"])
    case ("dispatch", let name?, _):
      var members = data
      members["on"] = Self.path(data["on"]).map { .string($0.joined(separator: ".")) }
      guard let step = Self.event(name, members) else { return nil }
      self = step
    default: return nil
    }
  }

  /// The dispatch of an event with the members of a line; nil if they do not fit. A `CustomEvent` on `window` with nothing but a detail is the
  /// same in either form.
  fileprivate static func event(_ name: String, _ members: [String: JSONValue]) -> Transcript.Step? {
    guard let (form, values) = DeclaredEventForm.read(members) else { return nil }
    let isUsual = form.target == ["window"] && form.kind == "CustomEvent" && values.keys.allSatisfy { $0 == "detail" }
    return isUsual ? .event(name, values["detail"]) : .dispatch(name, form, .object(values))
  }

  /// The names in a path; nil if it is none.
  fileprivate static func path(_ value: JSONValue?) -> [String]? {
    if let text = value?.stringValue { return text.isEmpty ? nil : text.split(separator: ".").map(String.init) }
    let names = value?.arrayValue?.compactMap(name) ?? []
    return names.isEmpty || names.count != value?.arrayValue?.count ? nil : names
  }

  /// The name of a member, or the index of an element.
  private static func name(_ value: JSONValue) -> String? {
    value.stringValue ?? value.numberValue.flatMap { Int(exactly: $0) }.map(String.init)
  }

  fileprivate var ids: Set<JSONValue> {
    switch self {
    case .call(_, let arguments): arguments.ids
    case .event(_, let detail): detail?.ids ?? []
    case .dispatch(_, _, let members): members.ids
    case .set(_, let value): value?.ids ?? []
    case .reply, .error: []
    }
  }
}

extension JSONValue {
  /// The values of all members whose names end with `id`, at any depth, also in texts that are JSON.
  fileprivate var ids: Set<JSONValue> {
    switch self {
    case .object(let members):
      members.reduce(into: []) { ids, member in
        switch member.value {
        case .string, .number: if member.key.lowercased().hasSuffix("id") { ids.insert(member.value) }
        default: break
        }
        ids.formUnion(member.value.ids)
      }
    case .array(let elements): elements.reduce(into: []) { $0.formUnion($1.ids) }
    case .string(let text): text.hasPrefix("{") ? (try? JSONValue(parsing: text.utf8))?.ids ?? [] : []
    case .number, .bool, .null: []
    }
  }
}
