import DeclaredServer
import BridgeServer
import BridgeCore
import Sessions

/// A bridge declaration, created from a recorded transcript.
package struct RecordedBridge: Sendable {
  /// A message handler.
  struct Channel: Sendable {
    var reply: DeclaredConfiguration.Channel.Reply
    var isText: Bool
  }

  /// The native app's reaction to messages of one name.
  struct Answer: Sendable {
    var steps: [DeclaredAnswer.Step]
    /// The number of times that the message was recorded.
    var count: Int
    /// Whether the app did the same each time, except for values from the message.
    var isAlwaysSame: Bool
  }

  /// The bridge's name.
  let name: String
  /// The message handlers, by their names.
  private(set) var channels: [String: Channel] = [:]
  /// The ways to name a message.
  private(set) var naming: [MessageNaming] = []
  /// The native app's reactions, by the names of messages.
  private(set) var answers: [String: Answer] = [:]
  /// Whether the reaction of the name `opened` is that to the opening of the page, not to a message.
  private(set) var answersOpening = false
  /// The names in the order of their first messages.
  private(set) var names: [String] = []

  private static let mostNames = 500
  /// The places of names in messages, the usual ones first.
  private static let places = [
    ["/pluginId", "/methodName"], ["/component", "/event"], ["/service", "/action"], ["/featureName", "/method"],
    ["/type"], ["/name"], ["/action"], ["/method"], ["/event"], ["/command"], ["/cmd"], ["/handlerName"], [""],
  ].map { $0.compactMap { JSONPointer($0) } }

  /// Creates a bridge from a transcript.
  package init(_ name: String, _ transcript: Transcript) {
    self.name = name
    var exchanges = transcript.exchanges
    for channel in Set(exchanges.compactMap(\.channel)).sorted() {
      let own = exchanges.filter { $0.channel == channel }
      let found = Self.channel(own)
      channels[channel] = found
      for index in exchanges.indices where exchanges[index].channel == channel {
        exchanges[index] = Self.read(exchanges[index], found)
      }
    }
    let places = Self.places.filter { place in exchanges.contains { Self.name(of: $0.body, place) != nil } }
    naming = places.map { .parts($0.map { .place($0) }) } + [.word("message")]
    var groups: [String: [Transcript.Exchange]] = [:]
    for exchange in exchanges {
      let name = exchange.name ?? places.lazy.compactMap { Self.name(of: exchange.body, $0) }.first ?? "message"
      if groups[name] == nil {
        guard names.count < Self.mostNames else { continue }
        names.append(name)
      }
      groups[name, default: []].append(exchange)
    }
    for (name, group) in groups { answers[name] = Self.answer(group) }
    if !transcript.opened.isEmpty {
      let page = Transcript.Exchange(channel: nil, name: nil, body: .null, steps: transcript.opened)
      // A message of this name is left out: a section has one name for both.
      names.removeAll { $0 == "opened" }
      names.insert("opened", at: 0)
      answers["opened"] = Self.answer([page])
      answersOpening = true
    }
  }

  // MARK: Messages

  private static func channel(_ exchanges: [Transcript.Exchange]) -> Channel {
    let bodies = exchanges.map(\.body)
    let isText = bodies.allSatisfy { $0.jsonInside != nil }
    let replies = exchanges.flatMap(\.steps).compactMap { step -> JSONValue? in
      if case .reply(let value) = step { value } else { nil }
    }
    let hasErrors = exchanges.flatMap(\.steps).contains { if case .error = $0 { true } else { false } }
    if !replies.isEmpty, replies.allSatisfy({ $0.jsonInside != nil }) { return Channel(reply: .json, isText: isText) }
    return Channel(reply: replies.isEmpty && !hasErrors ? .none : .value, isText: isText)
  }

  private static func read(_ exchange: Transcript.Exchange, _ channel: Channel) -> Transcript.Exchange {
    let body = channel.isText ? exchange.body.jsonInside ?? exchange.body : exchange.body
    let steps = exchange.steps.compactMap { step -> Transcript.Step? in
      guard case .reply(let value) = step else { return step }
      // A missing reply needs no step.
      if channel.reply == .none || value == nil { return nil }
      return .reply(channel.reply == .json ? value?.jsonInside ?? value : value)
    }
    return Transcript.Exchange(channel: exchange.channel, name: exchange.name, body: body, steps: steps)
  }

  private static func name(of body: JSONValue, _ place: [JSONPointer]) -> String? {
    var parts: [String] = []
    for pointer in place {
      guard let part = pointer.value(in: body)?.stringValue, (1...60).contains(part.utf8.count),
        !part.contains(where: { $0.isNewline || $0 == "{" })
      else { return nil }
      parts.append(part)
    }
    return parts.joined(separator: ".")
  }

  // MARK: Answers

  private static func answer(_ group: [Transcript.Exchange]) -> Answer {
    guard let first = group.first(where: { !$0.steps.isEmpty }) else {
      return Answer(steps: [], count: group.count, isAlwaysSame: true)
    }
    let alike = group.filter { exchange in
      exchange.steps.count == first.steps.count
        && zip(exchange.steps, first.steps).allSatisfy { $0.0.shape == $0.1.shape }
    }
    let bodies = alike.map(\.body)
    var steps: [DeclaredAnswer.Step] = []
    for index in first.steps.indices {
      let values = alike.map { $0.steps[index].value }
      let template = Generalization(bodies).template(of: values)
      switch first.steps[index] {
      case .reply: steps.append(.reply(template))
      case .error: steps.append(.fail(template))
      case .call(let path, _): steps.append(.call(path: path.map { .constant(.string($0)) }, arguments: template))
      case .event(let name, let detail):
        steps.append(.event(name: .constant(.string(name)), detail: detail == nil ? nil : template))
      }
    }
    let isSame = zip(bodies, alike).allSatisfy { body, exchange in
      zip(steps, exchange.steps).allSatisfy { $0.value(for: body) == $1.value }
    }
    return Answer(steps: steps, count: group.count, isAlwaysSame: isSame && alike.count == group.count)
  }
}

/// Finds the values that the native app has copied from the messages.
private struct Generalization {
  private let bodies: [JSONValue]
  private let places: [(pointer: JSONPointer, value: JSONValue)]

  init(_ bodies: [JSONValue]) {
    self.bodies = bodies
    places = bodies.first?.leaves ?? []
  }

  /// The template that gives these values for the messages. Where they have nothing in common, it is the first value.
  func template(of values: [JSONValue]) -> JSONTemplate {
    guard let first = values.first else { return .constant(.null) }
    switch first {
    case .object(let members):
      guard values.allSatisfy({ $0.objectValue?.keys == members.keys }) else { return .constant(first) }
      return .of(
        Dictionary(
          uniqueKeysWithValues: members.keys.map { name in
            (name, template(of: values.map { $0[name] ?? .null }, named: name))
          }))
    case .array(let elements):
      guard values.allSatisfy({ $0.arrayValue?.count == elements.count }) else { return .constant(first) }
      return .of(elements.indices.map { index in template(of: values.compactMap { $0.arrayValue?[index] }) })
    case .string, .number: return template(of: values, named: "")
    case .bool, .null: return .constant(first)
    }
  }

  private func template(of values: [JSONValue], named name: String) -> JSONTemplate {
    let first = values[0]
    switch first {
    case .object, .array: return template(of: values)
    case .bool, .null: return .constant(first)
    case .string, .number: break
    }
    let differ = Set(values).count > 1
    let found = places.first { place in
      place.value == first && (differ || place.pointer.isID || name.lowercased().hasSuffix("id"))
        && zip(bodies, values).allSatisfy { place.pointer.value(in: $0) == $1 }
    }
    if let found { return .from(found.pointer) }
    // A text may be JSON that contains values of the message.
    let inside = values.compactMap(\.jsonInside)
    if inside.count == values.count, case let template = template(of: inside), !template.isConstant {
      return .text(template)
    }
    return .constant(first)
  }
}

extension JSONPointer {
  fileprivate var isID: Bool { tokens.last?.lowercased().hasSuffix("id") ?? false }
}

extension JSONTemplate {
  fileprivate var isConstant: Bool { if case .constant = self { true } else { false } }
}

extension Transcript.Step {
  /// The kind of the step, without its values.
  fileprivate var shape: String {
    switch self {
    case .reply: "reply"
    case .error: "error"
    case .call(let path, _): "call \(path)"
    case .event(let name, let detail): "event \(name) \(detail == nil)"
    }
  }

  /// Its value.
  fileprivate var value: JSONValue {
    switch self {
    case .reply(let value): value ?? .null
    case .error(let text): .string(text)
    case .call(_, let arguments): arguments
    case .event(_, let detail): detail ?? .null
    }
  }
}

extension DeclaredAnswer.Step {
  fileprivate func value(for body: JSONValue) -> JSONValue {
    switch self {
    case .reply(let template), .fail(let template), .call(_, let template): template.filled(from: body)
    case .event(_, let detail): detail?.filled(from: body) ?? .null
    }
  }
}

extension JSONValue {
  /// The object or the array whose JSON text this is.
  fileprivate var jsonInside: JSONValue? {
    guard let text = stringValue, text.hasPrefix("{") || text.hasPrefix("[") else { return nil }
    return try? JSONValue(parsing: text.utf8)
  }

  /// The texts and numbers inside, with their places; at most a thousand.
  fileprivate var leaves: [(pointer: JSONPointer, value: JSONValue)] {
    var leaves: [(JSONPointer, JSONValue)] = []
    func add(_ value: JSONValue, _ place: [String]) {
      guard leaves.count < 1000 else { return }
      switch value {
      case .string, .number: leaves.append((JSONPointer(tokens: place), value))
      case .object(let members):
        for (name, member) in members.sorted(by: { $0.key < $1.key }) { add(member, place + [name]) }
      case .array(let elements): for (index, element) in elements.enumerated() { add(element, place + ["\(index)"]) }
      case .bool, .null: break
      }
    }
    add(self, [])
    return leaves
  }
}
