import BridgeCore
import DeclaredServer
import Sessions

/// The native app's reaction to messages of one name.
struct RecordedAnswer: Sendable {
  /// What a message must have for a reaction.
  struct Condition: Sendable, Hashable {
    /// A place in the message.
    let place: JSONPointer
    /// The value there; nil if there is none.
    let value: JSONValue?
  }

  /// One reaction.
  struct Variant: Sendable {
    /// The messages that it is for; nil for all.
    var condition: Condition?
    /// The steps; empty if the app did nothing and the promise stayed pending.
    let steps: [DeclaredAnswer.Step]
  }

  /// The reactions, in the order in which they were recorded.
  private(set) var variants: [Variant]
  /// The number of messages.
  let count: Int
  /// How many of the messages got something else than the first reaction, although the messages do not tell why.
  let unexplainedCount: Int

  private static let mostVariants = 20

  /// Finds what the app did for all of these messages. Without such a thing, it is what the app did first.
  init(_ exchanges: [Transcript.Exchange]) {
    count = exchanges.count
    let model = exchanges.first { !$0.placedSteps.isEmpty } ?? exchanges[0]
    let alike = exchanges.filter { $0.shape == model.shape }
    let steps = model.steps.indices.map { index in
      let template = Generalization(alike.map(\.body)).template(
        of: alike.map { $0.placedSteps[index].step.content ?? .null })
      return model.steps[index].declared(template)
    }
    variants = [Variant(steps: steps)]
    unexplainedCount = exchanges.count { !$0.isAnswered(by: steps) }
  }

  /// Finds what the app did for these messages, by a value of the messages where that decides.
  static func byCondition(_ exchanges: [Transcript.Exchange]) -> RecordedAnswer {
    let usual = RecordedAnswer(exchanges)
    if usual.unexplainedCount == 0 { return usual }
    var best: RecordedAnswer?
    for place in places(of: exchanges) {
      guard let answer = RecordedAnswer(exchanges, decidedAt: place) else { continue }
      if best.map({ answer.variants.count < $0.variants.count }) ?? true { best = answer }
      // No place decides with fewer.
      if answer.variants.count == 2 { break }
    }
    return best ?? usual
  }

  /// Nil if the value at a place does not decide what the app did.
  private init?(_ exchanges: [Transcript.Exchange], decidedAt place: JSONPointer) {
    var order: [JSONValue?] = []
    var groups: [JSONValue?: [Transcript.Exchange]] = [:]
    for exchange in exchanges {
      let value = place.value(in: exchange.body)
      if groups[value] == nil { order.append(value) }
      groups[value, default: []].append(exchange)
    }
    guard 2...Self.mostVariants ~= order.count else { return nil }
    // Each message has another value here: that says nothing about the next one.
    if order.count == exchanges.count, place.isNumberOfCall { return nil }
    variants = []
    for value in order {
      guard value?.objectValue == nil, value?.arrayValue == nil else { return nil }
      let answer = RecordedAnswer(groups[value] ?? [])
      guard answer.unexplainedCount == 0 else { return nil }
      for variant in answer.variants {
        variants.append(Variant(condition: Condition(place: place, value: value), steps: variant.steps))
      }
    }
    count = exchanges.count
    unexplainedCount = 0
  }

  /// The places of single values in messages, those first that are less deep and less like an id.
  private static func places(of exchanges: [Transcript.Exchange]) -> [JSONPointer] {
    var places: Set<JSONPointer> = []
    for exchange in exchanges.prefix(50) {
      // A condition names members. It has no way to name an element of a list.
      for leaf in exchange.body.leaves.prefix(200) where leaf.pointer.leadsThroughMembers(of: exchange.body) {
        places.insert(leaf.pointer)
      }
    }
    return places.sorted { one, two in
      (one.isID ? 1 : 0, one.tokens.count, one.text) < (two.isID ? 1 : 0, two.tokens.count, two.text)
    }
  }
}

extension RecordedAnswer.Condition {
  /// The condition as `where` in the section.
  var pattern: JSONValue {
    let own: JSONValue =
      switch value {
      case nil: ["$absent": true]
      case let value?: value
      }
    return place.tokens.reversed().reduce(own) { .object([$1: $0]) }
  }
}

extension JSONPointer {
  /// Whether a value here may be new with each message, to find its answer.
  var isNumberOfCall: Bool {
    let name = tokens.last?.lowercased() ?? ""
    return ["callbackid", "callback", "requestid", "messageid", "correlationid", "callid", "uuid", "seq", "sequence"]
      .contains(name) || name.hasSuffix("timestamp")
  }

  fileprivate func leadsThroughMembers(of value: JSONValue) -> Bool {
    var value = value
    for token in tokens {
      // An object with one member of such a name would be an operator, or a tag.
      guard let member = value[token], !token.hasPrefix("$"), !token.hasPrefix("!") else { return false }
      value = member
    }
    return true
  }
}

extension Transcript.Exchange {
  /// The kinds of the steps, without their values.
  fileprivate var shape: [String] { steps.map(\.shape) }

  /// Whether these steps are what the app did.
  fileprivate func isAnswered(by declared: [DeclaredAnswer.Step]) -> Bool {
    steps.map(\.shape) == declared.map(\.shape)
      && zip(declared, steps).allSatisfy { $0.value(for: body).isSame(as: $1.content ?? .null) }
  }
}

extension Transcript.Step {
  /// The kind of the step, without its values.
  fileprivate var shape: String {
    switch self {
    case .reply(nil): "undefined"
    case .reply: "reply"
    case .error: "error"
    case .call(let path, _): "call \(path)"
    case .event(let name, let detail): "event \(name) \(detail == nil)"
    case .dispatch(let name, let form, _): "event \(name) on \(form.target.joined(separator: ".")) \(form.kind)"
    case .set(let path, _): "set \(path)"
    }
  }

  /// The step with this template in place of its value.
  fileprivate func declared(_ template: JSONTemplate) -> DeclaredAnswer.Step {
    switch self {
    case .reply(let value): .reply(value == nil ? .undefined : template)
    case .error: .fail(template)
    case .call(let path, _): .call(path: path.map { .constant(.string($0)) }, arguments: template)
    case .event(let name, let detail):
      .event(name: .constant(.string(name)), detail: detail == nil ? nil : template)
    case .dispatch(let name, let form, _): .dispatch(name: .constant(.string(name)), form, template)
    case .set(let path, let value):
      .set(path: path.map { .constant(.string($0)) }, value == nil ? .undefined : template)
    }
  }
}

extension DeclaredAnswer.Step {
  fileprivate var shape: String {
    switch self {
    case .reply(.undefined): "undefined"
    case .reply: "reply"
    case .fail: "error"
    case .call(let path, _): "call \(path.map { $0.filled(from: .null).stringValue ?? "" })"
    case .event(let name, let detail): "event \(name.filled(from: .null).stringValue ?? "") \(detail == nil)"
    case .dispatch(let name, let form, _):
      "event \(name.filled(from: .null).stringValue ?? "") on \(form.target.joined(separator: ".")) \(form.kind)"
    case .set(let path, _): "set \(path.map { $0.filled(from: .null).stringValue ?? "" })"
    case .store(let operation, _, _): "store \(operation)"
    }
  }

  fileprivate func value(for body: JSONValue) -> JSONValue {
    switch self {
    case .reply(let template), .fail(let template), .call(_, let template): template.filled(from: body)
    case .event(_, let detail): detail?.filled(from: body) ?? .null
    case .dispatch(_, _, let template), .set(_, let template): template.filled(from: body)
    case .store(_, let members, _): members.filled(from: body)
    }
  }
}
