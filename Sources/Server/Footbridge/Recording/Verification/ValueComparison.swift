import BridgeCore
import DeclaredServer
import Sessions

/// Compares a recorded value with the one that native gives now.
struct ValueComparison {
  /// A place where the two differ.
  struct Difference: Hashable {
    /// The place in the value.
    let place: JSONPointer
    /// Whether a member, an element or the type differs; otherwise only the value.
    let isShape: Bool
    /// The recorded value there; nil for none.
    let recorded: JSONValue?
    /// The value that native gives now; nil for none.
    let played: JSONValue?
  }

  /// The places that are not compared.
  let ignored: [JSONPointer]
  /// Single values of the message. A copy of one must be the same, also if it is an id.
  private let given: Set<JSONValue>

  /// Compares values that answer a message.
  init(ignoring ignored: [JSONPointer], message: JSONValue) {
    self.ignored = ignored
    given = Set(message.leaves.map(\.value).filter { $0.stringValue != nil || $0.numberValue != nil })
  }

  /// The differences, in the order of places.
  func differences(_ recorded: JSONValue?, _ played: JSONValue?) -> [Difference] { differences(recorded, played, []) }

  private func differences(_ recorded: JSONValue?, _ played: JSONValue?, _ place: [String]) -> [Difference] {
    if ignored.contains(where: { $0.tokens == place }) { return [] }
    func differ(isShape: Bool) -> [Difference] {
      [Difference(place: JSONPointer(tokens: place), isShape: isShape, recorded: recorded, played: played)]
    }
    guard let recorded, let played else { return recorded == played ? [] : differ(isShape: true) }
    switch (recorded, played) {
    case (.object(let members), .object(let others)):
      return Set(members.keys).union(others.keys).sorted().flatMap {
        differences(members[$0], others[$0], place + [$0])
      }
    case (.array(let elements), .array(let others)):
      let count = max(elements.count, others.count)
      return (0..<count).flatMap { index in
        differences(
          index < elements.count ? elements[index] : nil, index < others.count ? others[index] : nil,
          place + ["\(index)"])
      }
    case (.string(let text), _) where text == JournalMarks.secret: return played == .null ? differ(isShape: true) : []
    case (.string(let text), .string) where text.isMarkOfBytes: return []
    case (.string, .string), (.number, .number):
      if recorded == played { return [] }
      if let inside = recorded.jsonInside, let other = played.jsonInside { return differences(inside, other, place) }
      return isSameForm(recorded, played, named: place.last ?? "") ? [] : differ(isShape: false)
    case (.bool, .bool): return recorded == played ? [] : differ(isShape: false)
    case (.null, .null): return []
    default: return differ(isShape: true)
    }
  }

  private func isSameForm(_ recorded: JSONValue, _ played: JSONValue, named name: String) -> Bool {
    guard !given.contains(recorded), let form = ValueForm(recorded, named: name) else { return false }
    return form == ValueForm(played, named: name)
  }
}

extension String {
  /// Whether a journal has this in place of a long text or an image.
  fileprivate var isMarkOfBytes: Bool { hasPrefix("‹") && hasSuffix(" bytes›") }
}
