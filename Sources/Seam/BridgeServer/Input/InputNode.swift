public import BridgeCore
package import BridgeRuntime
package import Essentials
import class Foundation.FileHandle
public import Sessions
package import Yams

/// A value of `footbridge.yaml`, or of a JSON body of the control API, together with its place.
///
/// One reader serves both sources, and every error names the place of the value.
public struct InputNode {
  private let content: InputContent
  private let path: String
  /// The file's path; for a body, its name.
  package let file: String
  /// What is noticed about the file; nil for nobody who wants to know.
  private let remarks: InputRemarks?
  /// Whether the reader knows the tag that the value has.
  private let isTagKnown: Bool
  /// The keys that lead here, and the file: `onside.accounts[0].name in footbridge.yaml`.
  public let place: String

  /// The root of a YAML file.
  package init(_ node: Node, file: String, remarks: InputRemarks? = nil) {
    self.init(.yaml(node), path: "", file: file, remarks)
  }

  /// The root of a JSON text, which errors call `source`, such as `the body`.
  package init(_ json: JSONValue, source: String) {
    self.init(.json(json), path: "", file: source, nil)
  }

  private init(
    _ content: InputContent, path: String, file: String, _ remarks: InputRemarks?, isTagKnown: Bool = false
  ) {
    self.content = content
    self.path = path
    self.file = file
    self.remarks = remarks
    self.isTagKnown = isTagKnown
    place = path.isEmpty ? file : "\(path) in \(file)"
  }

  private func inner(_ content: InputContent, path: String) -> InputNode {
    InputNode(content, path: path, file: file, remarks)
  }

  /// An error about this node: "`place` must be `expectation`. It is `value`." The error leaves out a value that may be a secret. It also
  /// leaves out any text of a file, since other people may read the log.
  public func expected(_ expectation: String) -> OptionError { error(expectation, showsText: !isOfFile) }

  /// An error about this node, which must be one of a few words. It says which one was probably meant.
  public func expected(oneOf words: [String]) -> OptionError {
    expected(public: "one of: \(words.joined(separator: ", "))", among: words)
  }

  /// An error about a value that everybody may read, such as a country. It has the text of a file, too, unless its name is that of a secret.
  package func expected(public expectation: String, among words: [String] = []) -> OptionError {
    let error = error(expectation, showsText: true)
    let meant = content.text.map { Spelling.suggestion(for: $0, in: words) } ?? ""
    return OptionError(error.description + meant)
  }

  /// An error about a value of another type.
  private func expected(type: String) -> OptionError {
    let error = expected(type)
    guard tag == nil, given(showsText: !isOfFile) == nil else { return error }
    return OptionError("\(error.description) It is \(content.kind).")
  }

  private func error(_ expectation: String, showsText: Bool) -> OptionError {
    OptionError("\(place) must be \(expectation).\(given(showsText: showsText).map { " It is \($0)." } ?? "")")
  }

  private static let givenLimit = 80

  /// The value that was given; nil if it is long, or if its name is that of a secret.
  private func given(showsText: Bool) -> String? {
    guard !path.isEmpty, tag == nil, !isMapping, !isList, !isSecret else { return nil }
    let text = content.isText ? content.text.map { JSONValue.string($0).jsonText } : content.writtenScalar
    guard let text, text.count <= Self.givenLimit, showsText || !content.isText else { return nil }
    return text
  }

  /// Whether the name of the value is that of a secret.
  private var isSecret: Bool {
    let name = path.split(separator: ".").last?.prefix { $0 != "[" } ?? ""
    return JournalMarks.isUsualSecret(JournalMarks.plainName(String(name)))
  }

  /// The place of something within this value: `ledger.purchases[0]`, from here.
  package func place(of inner: String) -> String {
    inner.isEmpty ? place : "\(path.isEmpty ? "" : path + ".")\(inner) in \(file)"
  }

  /// Whether this maps names to values.
  public var isMapping: Bool { content.isMapping }

  /// Whether this is a list.
  public var isList: Bool { content.elements != nil }

  /// Whether this is `null`.
  public var isNull: Bool { content.isNull }

  /// Whether this value comes from a file. Otherwise it comes from the body of a request.
  package var isOfFile: Bool { content.isYAML }

  /// The tag that the value has in YAML, such as `!from`; nil for one without.
  package var tag: String? { isTagKnown ? nil : content.tag }

  /// The value without its tag, which the reader knows.
  package func untagged() -> InputNode { InputNode(content, path: path, file: file, remarks, isTagKnown: true) }

  /// The value, about which nothing is noticed: it is read elsewhere, too.
  package func withoutRemarks() -> InputNode { InputNode(content, path: path, file: file, nil, isTagKnown: isTagKnown) }

  private func checkTag() throws(OptionError) {
    if let tag { throw expected("without the tag \(tag)") }
  }

  /// The members of a mapping: those of YAML in the order of the file, those of JSON sorted by name.
  ///
  /// - Parameters:
  ///   - known: The names that the mapping can have; nil for any.
  ///   - keys: The words about these names in an error; nil for a list of them.
  /// - Throws: `OptionError` if this is not a mapping, or has an unknown name.
  public func members(known: [String]? = nil, keys: String? = nil) throws(OptionError) -> [(
    name: String, value: InputNode
  )] {
    try checkTag()
    guard isMapping else { throw expected(type: content.words.mapping) }
    guard let members = content.members else { throw expected("a mapping whose names are text") }
    if content.hasMergeKey {
      throw expected("without <<, which YAML 1.2 does not have. Repeat the members, or write \"<<\" for a name")
    }
    if let known, let unknown = members.first(where: { !known.contains($0.name) }) {
      let meant = Spelling.suggestion(for: unknown.name, in: known)
      let words = keys ?? "Known are: \(known.sorted().joined(separator: ", "))"
      throw OptionError("\(place) has an unknown key, \(unknown.name).\(meant) \(words).")
    }
    return members.map { name, value in
      (name, inner(value, path: path.isEmpty ? name : "\(path).\(name)"))
    }
  }

  /// The members of a mapping that can have only `known` names.
  public func section(_ known: [String]) throws(OptionError) -> [String: InputNode] {
    Dictionary(try members(known: known).map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
  }

  /// The elements of a list.
  public func elements() throws(OptionError) -> [InputNode] {
    try checkTag()
    guard let elements = content.elements else { throw expected(type: content.words.list) }
    return elements.enumerated().map { inner($1, path: "\(path)[\($0)]") }
  }

  /// A text. In YAML, a number is one too, as it is written: `version: 1.10` needs no quotation marks.
  public func text() throws(OptionError) -> String {
    try checkTag()
    let scalar = content.scalar
    switch scalar {
    case .bool: throw expected("\(content.words.text), in quotation marks")
    case .null, .date: throw expected(type: content.words.text)
    case .number, .text, nil: break
    }
    guard let text = content.text, !content.isYAML || scalar != nil else { throw expected(type: content.words.text) }
    return text
  }

  /// Any single value as it is written. JSON must have a string.
  package func writtenText() throws(OptionError) -> String {
    if case .bool = content.scalar, tag == nil, let text = content.text { return text }
    return try text()
  }

  /// The elements of a list, each read by `read`.
  public func list<Value>(_ read: (InputNode) throws(OptionError) -> Value) throws(OptionError) -> [Value] {
    var values: [Value] = []
    for element in try elements() { values.append(try read(element)) }
    return values
  }

  /// Checks that no two values of a list have the same id.
  ///
  /// - Parameters:
  ///   - member: The name of the id, for the error.
  ///   - ids: The ids, with the nodes that have them.
  /// - Throws: `OptionError` with both places.
  package static func checkUnique(_ member: String, _ ids: [(id: String, node: InputNode)]) throws(OptionError) {
    var nodes: [String: InputNode] = [:]
    for (id, node) in ids {
      if let earlier = nodes[id] {
        throw OptionError("\(node.place) has the same \(member) as \(earlier.place). Give each its own.")
      }
      nodes[id] = node
    }
  }

  /// The texts of a list, or a single text alone.
  public func texts() throws(OptionError) -> [String] {
    guard isList else { return [try text()] }
    return try list { node throws(OptionError) in try node.text() }
  }

  /// `true` or `false`.
  public func bool() throws(OptionError) -> Bool {
    try checkTag()
    guard let bool = content.bool else { throw expected(typed: "true or false") }
    return bool
  }

  /// A whole number in a range.
  public func integer(in range: ClosedRange<Int>) throws(OptionError) -> Int {
    try checkTag()
    guard let integer = content.number.flatMap({ Int(exactly: $0) }), range.contains(integer) else {
      throw expected(typed: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    remark()
    return integer
  }

  /// A pattern for objects.
  package func pattern() throws(OptionError) -> JSONPattern {
    let members = try jsonMembers()
    do throws(OptionError) {
      return try JSONPattern(.object(members))
    } catch {
      throw OptionError("\(place): \(error.description).")
    }
  }

  /// The delay of an answer: a whole number of milliseconds, up to one hour.
  package func delay() throws(OptionError) -> Duration { .milliseconds(try integer(in: 0...3_600_000)) }

  /// The least time that a simulated server takes to answer: a whole number of milliseconds, up to one minute.
  package func roundTrip() throws(OptionError) -> Duration { .milliseconds(try integer(in: 0...60_000)) }

  /// One of a few words.
  public func choice<Choice: RawRepresentable<String> & CaseIterable>(_ type: Choice.Type) throws(OptionError) -> Choice
  {
    guard let choice = Choice(rawValue: try text()) else {
      throw expected(oneOf: Choice.allCases.map(\.rawValue))
    }
    return choice
  }

  /// The value as JSON. In YAML, the core schema of YAML 1.2 decides what a value without quotation marks is.
  public func json() throws(OptionError) -> JSONValue {
    if isMapping { return .object(try jsonMembers()) }
    if isList {
      return .array(try list { node throws(OptionError) in try node.json() })
    }
    try checkTag()
    guard let scalar = content.jsonScalar else { throw expected("a number that JSON has") }
    remark()
    return scalar
  }

  /// The members of a mapping as JSON.
  public func jsonMembers() throws(OptionError) -> [String: JSONValue] {
    var json: [String: JSONValue] = [:]
    for (name, value) in try members() { json[name] = try value.json() }
    return json
  }

  /// A number that JSON does not have, such as `.inf`, by its name in JavaScript; nil for any other value.
  package var nameOfNumber: String? {
    guard case .number(let number) = content.scalar, !number.isFinite else { return nil }
    return number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity"
  }
}

/// What YAML 1.1 and YAML 1.2 read differently.
extension InputNode {
  /// The two readings of a value, if they differ.
  private var readings: (text: String, core: YAMLScalar, former: YAMLScalar)? {
    guard let text = content.plainText else { return nil }
    let (core, former) = (YAMLScalar(core: text), YAMLScalar(yaml11: text))
    return core.isSame(as: former) ? nil : (text, core, former)
  }

  /// Adds a remark if other programs may read the value differently.
  private func remark() {
    guard let remarks, let (text, core, former) = readings else { return }
    remarks.add(
      isSecret
        ? "\(place) is \(core.kind) in YAML 1.2, and \(former.kind) in YAML 1.1. Footbridge reads YAML 1.2."
        : "\(place) is \(text): \(core.words(for: text)) in YAML 1.2, and \(former.words(for: text)) in YAML 1.1. "
          + "Footbridge reads YAML 1.2.")
  }

  /// Notes something about this value for the log. `text` continues the sentence "`place` ".
  package func remark(_ text: String) { remarks?.add("\(place) \(text).") }

  /// An error about a value of another type, which says so if it had the right one in YAML 1.1.
  private func expected(typed expectation: String) -> OptionError {
    guard let (_, core, former) = readings else {
      return isMapping || isList ? expected(type: expectation) : expected(public: expectation)
    }
    return OptionError(
      "\(place) must be \(expectation). It is \(core.kind) in YAML 1.2, and was \(former.kind) in YAML 1.1.")
  }
}

/// Values that name a file or a time.
extension InputNode {
  /// The path of a file or folder. A relative path starts at the folder of the YAML file if that file or folder exists, or else at the
  /// working directory.
  package func pathOfFile() throws(OptionError) -> String {
    let path = try text()
    if path.hasPrefix("/") { return path }
    let beside = URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent(path).path
    return FileManager.default.fileExists(atPath: beside) ? beside : path
  }

  /// The content of the file at this path, at most `limit` bytes.
  package func fileContent(limit: Int) throws(OptionError) -> Data {
    guard isOfFile else {
      throw expected(
        "left out, since the control API reads no files: send the content of the file instead, as {\"text\": …}")
    }
    let path = try pathOfFile()
    var data = Data()
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      // An empty file reads as nil.
      data = try handle.read(upToCount: limit + 1) ?? data
    } catch {
      throw OptionError("\(place) is \(path), a file that cannot be read. Check the path.")
    }
    guard data.count <= limit else { throw OptionError("\(place) is \(path), which is larger than \(limit) bytes.") }
    return data
  }

  /// A time of RFC 3339, section 5.6.
  package func instant() throws(OptionError) -> BridgeInstant {
    guard let instant = BridgeInstant(rfc3339: try text()) else {
      throw expected(public: "a time of RFC 3339 from 1970 on, such as 2026-01-31T12:00:00Z")
    }
    return instant
  }
}
