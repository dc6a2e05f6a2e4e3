import BridgeCore
import Foundation
import Yams

/// A node of the YAML file that knows where it stands, so that an error can say so.
struct YAMLNode {
  /// The file and the keys that lead here, such as `onside.accounts[0].name in footbridge.yaml`.
  let place: String
  private let node: Node
  private let path: String
  /// The file's path.
  let file: String

  /// The root of a file.
  init(_ node: Node, file: String) {
    self.init(node, path: "", file: file)
  }

  private init(_ node: Node, path: String, file: String) {
    self.node = node
    self.path = path
    self.file = file
    place = path.isEmpty ? file : "\(path) in \(file)"
  }

  /// An error about this node: "`place` must be `expectation`."
  func expected(_ expectation: String) -> OptionError {
    OptionError("\(place) must be \(expectation).")
  }

  /// Whether this is a mapping of names to values.
  var isMapping: Bool { node.mapping != nil }

  /// Whether this is a list.
  var isList: Bool { node.sequence != nil }

  /// What kind of value this is written as.
  var tag: Tag.Name { Tag.Name(rawValue: node.tag.description) }

  /// A number; nil when this is something else.
  var double: Double? { node.float ?? node.int.map(Double.init) }

  /// The members of a mapping by name, in the file's order. With `known`, another name is an error that lists them.
  func members(known: [String]? = nil) throws(OptionError) -> [(name: String, value: YAMLNode)] {
    guard let mapping = node.mapping else { throw expected("a mapping of names to values") }
    var members: [(name: String, value: YAMLNode)] = []
    for (key, value) in mapping {
      guard let name = key.string else { throw expected("a mapping whose names are text") }
      if let known, !known.contains(name) {
        throw OptionError("\(place) has an unknown key, \(name). Known are: \(known.sorted().joined(separator: ", ")).")
      }
      members.append((name, YAMLNode(value, path: path.isEmpty ? name : "\(path).\(name)", file: file)))
    }
    return members
  }

  /// The members of a mapping whose names are fixed, by name.
  func section(_ known: [String]) throws(OptionError) -> [String: YAMLNode] {
    Dictionary(try members(known: known).map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
  }

  /// The elements of a list.
  func elements() throws(OptionError) -> [YAMLNode] {
    guard let sequence = node.sequence else { throw expected("a list") }
    return sequence.enumerated().map { YAMLNode($1, path: "\(path)[\($0)]", file: file) }
  }

  /// A single value as it is written.
  func text() throws(OptionError) -> String {
    guard let text = node.scalar?.string else { throw expected("a single value") }
    return text
  }

  /// The values of a list of single values, or a single one alone.
  func texts() throws(OptionError) -> [String] {
    guard isList else { return [try text()] }
    var texts: [String] = []
    for element in try elements() { texts.append(try element.text()) }
    return texts
  }

  /// `true` or `false`.
  func bool() throws(OptionError) -> Bool {
    guard let bool = node.bool else { throw expected("true or false") }
    return bool
  }

  /// A whole number in a range.
  func integer(in range: ClosedRange<Int>) throws(OptionError) -> Int {
    guard let integer = node.int, range.contains(integer) else {
      throw expected("a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return integer
  }

  /// Whether this is `null`.
  var isNull: Bool { node.null != nil }

  /// One of a few words.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(_ type: Choice.Type) throws(OptionError) -> Choice {
    guard let choice = Choice(rawValue: try text()) else {
      throw expected("one of: \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return choice
  }
}
