import BridgeCore
import DeclaredServer
import Sessions

/// A transcript beside what native says now, when the page says the same again.
package struct Verification: Sendable {
  /// The kind of a difference.
  package enum Kind: String, Sendable, CaseIterable {
    /// Native does not do this any more.
    case missing
    /// Native does this in addition.
    case extra
    /// Native does the same under another name: another function, another event, an error in place of a reply.
    case name = "other name"
    /// The value has other members, elements or types.
    case shape = "other shape"
    /// The value is another one.
    case value = "other value"
  }

  /// A difference.
  package struct Difference: Sendable, Hashable {
    /// The line of the transcript, or the number of the entry of a journal.
    package let line: Int
    /// The name of the message; `opened` for what native does when a page opens.
    package let name: String
    /// The kind.
    package let kind: Kind
    /// What native does, in words, and the place in its value.
    package let place: String
    /// What was recorded, as text; nil for nothing.
    package let recorded: String?
    /// What native says now, as text; nil for nothing.
    package let played: String?
  }

  /// A place that is not compared: in all answers, or in those of messages of a name.
  package struct Ignored: Sendable, Hashable {
    /// The name of messages; nil for all.
    let name: String?
    /// The place.
    let place: JSONPointer

    /// Reads `/place` or `name/place`; nil if the text is neither.
    package init?(_ text: String) {
      guard let start = text.firstIndex(of: "/"), let place = JSONPointer(String(text[start...])) else { return nil }
      name = start == text.startIndex ? nil : String(text[..<start])
      self.place = place
    }
  }

  /// What is compared: a message, or the opening of a page.
  package struct Case: Sendable {
    /// The name of the message; `opened` for a page.
    package let name: String
    /// The line of the transcript.
    package let line: Int
    /// How native's steps differ.
    package let differences: [Difference]
    /// What the transcript has.
    let recorded: [Transcript.PlacedStep]
    /// What native did now.
    let played: [Transcript.Step]
    /// The number of the message; nil for a page.
    let number: Double?
  }

  /// All messages and pages, in order.
  package let cases: [Case]

  /// The form of envelopes in the transcript; nil for none.
  let delivery: Transcript.Step?

  /// The differences, in order.
  package var differences: [Difference] { cases.flatMap(\.differences) }

  /// Compares a transcript with the same messages, played again.
  ///
  /// - Parameter name: Returns the name of a message.
  package init(
    _ recorded: Transcript, played: Transcript, ignoring ignored: [Ignored], name: (Transcript.Exchange) -> String
  ) {
    var cases: [Case] = []
    for (document, other) in zip(recorded.documents, played.documents) {
      if document.placedSteps.isEmpty, other.placedSteps.isEmpty { continue }
      cases.append(
        Case(
          name: "opened", line: document.line, recorded: document.placedSteps,
          played: other.steps, number: nil, message: .null, ignoring: ignored))
    }
    for (exchange, other) in zip(recorded.exchanges, played.exchanges) {
      cases.append(
        Case(
          name: name(exchange), line: exchange.line, recorded: exchange.placedSteps, played: other.steps,
          number: exchange.number, message: exchange.body, ignoring: ignored))
    }
    self.cases = cases
    delivery = recorded.delivery
  }
}

extension Verification.Case {
  fileprivate init(
    name: String, line: Int, recorded: [Transcript.PlacedStep], played: [Transcript.Step], number: Double?,
    message: JSONValue, ignoring ignored: [Verification.Ignored]
  ) {
    self.name = name
    self.line = line
    self.recorded = recorded
    self.played = played
    self.number = number
    let places = ignored.filter { $0.name == nil || $0.name == name }.map(\.place)
    let comparison = ValueComparison(ignoring: places, message: message)
    differences = Self.differences(recorded, played, comparison).map { step, difference in
      Verification.Difference(
        line: step ?? line, name: name, kind: difference.kind, place: difference.place, recorded: difference.recorded,
        played: difference.played)
    }
  }

  private typealias Found = (
    kind: Verification.Kind, place: String, recorded: String?, played: String?
  )

  /// The differences, each with the line of its recorded step.
  private static func differences(
    _ recorded: [Transcript.PlacedStep], _ played: [Transcript.Step], _ comparison: ValueComparison
  ) -> [(line: Int?, Found)] {
    var found: [(Int?, Found)] = []
    var rest = played
    var unmatched: [Transcript.PlacedStep] = []
    for placed in recorded {
      guard let index = rest.firstIndex(where: { $0.label == placed.step.label }) else {
        unmatched.append(placed)
        continue
      }
      let other = rest.remove(at: index)
      for difference in comparison.differences(placed.step.content, other.content) {
        let place = difference.place.text.visible
        found.append(
          (
            placed.line,
            (
              difference.isShape ? .shape : .value,
              place.isEmpty ? placed.step.label : "\(placed.step.label) at \(place)",
              difference.recorded?.visibleText ?? "undefined", difference.played?.visibleText ?? "undefined"
            )
          ))
      }
    }
    for placed in unmatched {
      // The same kind of step under another name.
      if let index = rest.firstIndex(where: { $0.family == placed.step.family }) {
        let other = rest.remove(at: index)
        found.append((placed.line, (.name, placed.step.family, placed.step.text, other.text)))
      } else {
        found.append((placed.line, (.missing, placed.step.label, placed.step.text, nil)))
      }
    }
    return found + rest.map { (nil, (.extra, $0.label, nil, $0.text)) }
  }
}

extension Transcript.Step {
  /// What native does, without the value.
  var label: String {
    switch self {
    case .reply: "reply"
    case .error: "error"
    case .call(let path, _): "call \(path.joined(separator: ".").visible)"
    case .event(let name, _): "event \(name.visible)"
    case .dispatch(let name, let form, _):
      "event \(name.visible) on \(form.target.joined(separator: ".").visible) (\(form.kind))"
    case .set(let path, _): "set \(path.joined(separator: ".").visible)"
    }
  }

  /// The kind of the step. Steps of one kind can take each other's place.
  var family: String {
    switch self {
    case .reply, .error: "answer"
    case .call: "call"
    case .event, .dispatch: "event"
    case .set: "set"
    }
  }

  /// The value; nil for `undefined`.
  var content: JSONValue? {
    switch self {
    case .reply(let value): value
    case .error(let value): value
    case .call(_, let arguments): arguments
    case .event(_, let detail): detail
    case .dispatch(_, _, let members): members
    case .set(_, let value): value
    }
  }

  /// The step in words.
  var text: String { "\(label) \(content?.visibleText ?? "undefined")" }
}
