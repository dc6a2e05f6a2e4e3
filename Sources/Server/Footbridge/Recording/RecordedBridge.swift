import BridgeCore
import BridgeServer
import DeclaredServer
import Sessions

/// A bridge declaration, created from a recorded transcript.
package struct RecordedBridge: Sendable {
  /// A message handler.
  struct Channel: Sendable {
    var reply: DeclaredConfiguration.Channel.Reply
    var isText: Bool
  }

  /// The bridge's name.
  let name: String
  /// The message handlers, by their names.
  private(set) var channels: [String: Channel] = [:]
  /// The ways to name a message.
  private(set) var naming: [MessageNaming] = []
  /// The native app's reactions, by the names of messages. `opened` is the opening of the page.
  private(set) var answers: [String: RecordedAnswer] = [:]
  /// The names in the order of their first messages.
  private(set) var names: [String] = []
  /// What the transcript could not tell, as sentences.
  private(set) var warnings: [String] = []

  /// The name of the reaction to the opening of a page.
  static let opened = "opened"

  private static let mostNames = 500

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
    if transcript.isIncomplete { warnings.append("The transcript is not whole: the recorder has left out messages.") }
    if !exchanges.isEmpty { naming = RecordedNaming(exchanges).ways }
    addOpening(transcript.documents.map(\.placedSteps))
    var groups: [String: [Transcript.Exchange]] = [:]
    var hasMessageNamedOpened = false
    for exchange in exchanges {
      let name = naming.name(of: exchange)
      if name == Self.opened {
        hasMessageNamedOpened = true
        continue
      }
      if groups[name] == nil {
        guard names.count < Self.mostNames else {
          if names.count == Self.mostNames {
            warnings.append("There are more than \(Self.mostNames) names: the rest is left out.")
          }
          break
        }
        names.append(name)
      }
      groups[name, default: []].append(exchange)
    }
    if hasMessageNamedOpened {
      warnings.append(
        "\(Self.opened): a message has this name. In answers it is for pages that open, so the message is left out.")
    }
    for name in names {
      guard let group = groups[name] else { continue }
      let answer = RecordedAnswer.byCondition(group)
      answers[name] = answer
      note(answer, of: name)
    }
  }

  /// What pages get when they open, without a message.
  private mutating func addOpening(_ openings: [[Transcript.PlacedStep]]) {
    guard let first = openings.first(where: { !$0.isEmpty }) else { return }
    names.append(Self.opened)
    answers[Self.opened] = RecordedAnswer([
      Transcript.Exchange(channel: nil, name: nil, body: .null, placedSteps: first)
    ])
    if openings.contains(where: { $0.map(\.step) != first.map(\.step) }) {
      warnings.append(
        "\(Self.opened): native did different things when pages opened. The section has what it did first.")
    }
  }

  /// Notes what the transcript does not tell about an answer.
  private mutating func note(_ answer: RecordedAnswer, of name: String) {
    if answer.unexplainedCount > 0 {
      warnings.append("\(name): \(Self.doubt(answer))")
    }
    let hasMark = answer.variants.contains { variant in
      variant.steps.contains { $0.json.jsonText.contains(JournalMarks.secret) }
    }
    if hasMark {
      warnings.append("\(name): the recording has left out a secret of the answer. Write one in its place.")
    }
  }

  /// What is said about an answer that the messages do not decide.
  static func doubt(_ answer: RecordedAnswer) -> String {
    "native did different things in \(answer.count) cases, and the message does not tell which. This is the first."
  }

  // MARK: Messages

  private static func channel(_ exchanges: [Transcript.Exchange]) -> Channel {
    let bodies = exchanges.map(\.body)
    let isText = bodies.allSatisfy { $0.jsonInside != nil }
    let steps = exchanges.flatMap(\.steps)
    let replies = steps.compactMap { step -> JSONValue? in if case .reply(let value) = step { value } else { nil } }
    let hasErrors = steps.contains { if case .error = $0 { true } else { false } }
    if !replies.isEmpty, replies.allSatisfy({ $0.jsonInside != nil }) { return Channel(reply: .json, isText: isText) }
    return Channel(reply: replies.isEmpty && !hasErrors ? .none : .value, isText: isText)
  }

  private static func read(_ exchange: Transcript.Exchange, _ channel: Channel) -> Transcript.Exchange {
    var read = exchange
    if channel.isText { read.body = exchange.body.jsonInside ?? exchange.body }
    read.placedSteps = exchange.placedSteps.compactMap { placed in
      guard case .reply(let value) = placed.step else { return placed }
      // Without replies, promises resolve with undefined by themselves.
      if channel.reply == .none { return nil }
      let reply = channel.reply == .json ? value?.jsonInside ?? value : value
      return Transcript.PlacedStep(step: .reply(reply), line: placed.line)
    }
    return read
  }
}

extension DeclaredAnswer.Step {
  /// The step as an answer in the section, in the form of JSON.
  var json: JSONValue {
    switch self {
    case .reply(let value): ["reply": value.tagged]
    case .fail(let value): ["error": value.tagged]
    case .call(let path, let arguments): ["call": .array(path.map(\.tagged)), "args": arguments.tagged]
    case .event(let name, let detail):
      detail.map { ["event": name.tagged, "detail": $0.tagged] } ?? ["event": name.tagged]
    case .dispatch(let name, let form, let members):
      [
        "event": name.tagged, "on": .string(form.target.joined(separator: ".")), "kind": .string(form.kind),
        "init": members.tagged,
      ]
    case .set(let path, let value): ["set": .array(path.map(\.tagged)), "value": value.tagged]
    case .store(let operation, let members, let reply):
      .object(
        (members.tagged.objectValue ?? [:]).merging(["store": .string(operation)]) { $1 }
          .merging(reply.map { ["reply": $0.tagged] } ?? [:]) { $1 })
    }
  }
}

extension JSONTemplate {
  /// The template as an answer in the form of JSON, which has objects in place of tags.
  var tagged: JSONValue {
    switch self {
    case .constant(let value): value.hasTag ? [TemplateTag.value.rawValue: value] : value
    case .undefined: [TemplateTag.undefined.rawValue: true]
    case .from(let pointer): [TemplateTag.from.rawValue: .string(pointer.text)]
    case .text(let inside): [TemplateTag.json.rawValue: inside.tagged]
    case .array(let elements): .array(elements.map(\.tagged))
    case .object(let members): .object(members.mapValues(\.tagged))
    }
  }
}

extension JSONValue {
  /// Whether a part of the value looks like a tag.
  fileprivate var hasTag: Bool {
    switch self {
    case .object(let members):
      members.count == 1 && members.keys.contains { TemplateTag(rawValue: $0) != nil || $0 == "$from" }
        || members.values.contains(where: \.hasTag)
    case .array(let elements): elements.contains(where: \.hasTag)
    case .string, .number, .bool, .null: false
    }
  }
}
