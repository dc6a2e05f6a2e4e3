import BridgeCore
import Sessions

@testable import Footbridge

/// A part of a sample footbridge.yaml, whose values can be replaced by wrong ones.
indirect enum SampleNode {
  /// A value that is neither a mapping nor a list, as YAML.
  case value(String)
  case mapping([(name: String, SampleNode)])
  case list([SampleNode])

  /// Reads a sample.
  init(_ node: InputNode) throws(OptionError) {
    if node.isMapping {
      var members: [(name: String, SampleNode)] = []
      for (name, value) in try node.members() { members.append((name, try SampleNode(value))) }
      self = .mapping(members)
    } else if node.isList {
      self = .list(try node.list { element throws(OptionError) in try SampleNode(element) })
    } else {
      self = .value(try node.json().jsonText)
    }
  }

  /// The sample as YAML.
  var yaml: String {
    switch self {
    case .value(let text): text
    case .list(let elements): "[\(elements.map(\.yaml).joined(separator: ", "))]"
    case .mapping(let members):
      "{\(members.map { "\(JSONValue.string($0.name).jsonText): \($0.1.yaml)" }.joined(separator: ", "))}"
    }
  }

  /// The place of a value: names of members, and `[]` for elements.
  struct Place: Hashable {
    var steps: [String] = []
    var numbers: [Int] = []

    /// The place for people, with `[]` for each number of an element.
    var text: String { steps.joined(separator: ".").replacing(".[]", with: "[]") }
    /// The name of the innermost member.
    var name: String { steps.last { $0 != "[]" } ?? "" }

    fileprivate func member(_ name: String, _ number: Int) -> Place {
      Place(steps: steps + [name], numbers: numbers + [number])
    }
  }

  /// All values inside, with their places, outermost first.
  func all(at place: Place = Place()) -> [(place: Place, node: SampleNode)] {
    var found = [(place, self)]
    switch self {
    case .value: break
    case .list(let elements):
      for (number, element) in elements.enumerated() { found += element.all(at: place.member("[]", number)) }
    case .mapping(let members):
      for (number, member) in members.enumerated() { found += member.1.all(at: place.member(member.name, number)) }
    }
    return found
  }

  /// Returns the sample with another value at a place.
  func replacing(_ place: Place, with node: SampleNode) -> SampleNode { replacing(place.numbers[...], node) }

  private func replacing(_ numbers: ArraySlice<Int>, _ node: SampleNode) -> SampleNode {
    guard let first = numbers.first else { return node }
    switch self {
    case .value: return self
    case .list(var elements):
      elements[first] = elements[first].replacing(numbers.dropFirst(), node)
      return .list(elements)
    case .mapping(var members):
      members[first].1 = members[first].1.replacing(numbers.dropFirst(), node)
      return .mapping(members)
    }
  }
}
