import BridgeCore
import DeclaredServer
import Sessions

/// Finds how messages are named, so that messages of one name get the same answer.
struct RecordedNaming {
  /// The ways to name a message, for the section.
  let ways: [MessageNaming]

  /// The places of names in the messages of known bridges, which have two of them.
  private static let pairs = [
    ["/pluginId", "/methodName"], ["/component", "/event"], ["/service", "/action"], ["/featureName", "/method"],
  ].map { $0.compactMap { JSONPointer($0) } }
  /// The usual places of names.
  private static let singles = [
    "/type", "/name", "/action", "/method", "/event", "/command", "/cmd", "/handlerName",
  ].compactMap { JSONPointer($0) }
  private static let whole = MessageNaming.parts([.place(JSONPointer(tokens: []))])
  /// What ends a name at the beginning of a text.
  private static let separators = [":", "?", "|", "#", "/", ";", ",", " "]
  private static let longestName = 60
  private static let mostCompared = 500

  /// Chooses the ways with which the fewest answers differ for messages of one name.
  init(_ exchanges: [Transcript.Exchange]) {
    let some = exchanges.prefix(Self.mostCompared)
    let candidates = Self.candidates(Array(some))
    var best = (ways: candidates[0], differences: Self.differences(candidates[0], some))
    for ways in candidates.dropFirst() where best.differences > 0 {
      let differences = Self.differences(ways, some)
      if differences < best.differences { best = (ways, differences) }
    }
    ways = best.ways
  }

  /// How many messages get another answer than messages of their name.
  private static func differences(_ ways: [MessageNaming], _ exchanges: ArraySlice<Transcript.Exchange>) -> Int {
    Dictionary(grouping: exchanges) { ways.name(of: $0) }.values
      .reduce(0) { $0 + RecordedAnswer($1).unexplainedCount }
  }

  /// What is possible, the usual first.
  private static func candidates(_ exchanges: [Transcript.Exchange]) -> [[MessageNaming]] {
    func namesAllTexts(_ way: MessageNaming) -> Bool {
      exchanges.allSatisfy { $0.body.stringValue == nil || way.name(of: $0.body, onChannel: nil) != nil }
    }
    func fits(_ way: MessageNaming) -> Bool {
      exchanges.contains { isName(way.name(of: $0.body, onChannel: $0.channel)) }
    }
    let pairs = pairs.map { MessageNaming.parts($0.map { .place($0) }) }.filter(fits)
    let places = (singles + otherPlaces(exchanges)).map { MessageNaming.Part.place($0) }.filter { fits(.parts([$0])) }
    let usual = pairs + singles.map { .parts([.place($0)]) }.filter(fits)
    let whole = [whole].filter(fits)
    let prefixes = prefixes(exchanges)
    guard Set(exchanges.map(\.channel)).count > 1 else {
      let word = MessageNaming.word("message")
      let first = usual.isEmpty ? prefixes.map { [$0] + (namesAllTexts($0) ? [] : whole) + [word] } : []
      return first + [usual + whole + [word]] + places.map { [.parts([$0])] + whole + [word] }
        + prefixes.map { [$0] + whole + [word] }
    }
    return [pairs + [.channel]] + places.map { pairs + [.parts([.channel, $0]), .channel] }
      + [usual + whole + [.channel]] + prefixes.map { pairs + [$0, .channel] }
  }

  /// The separators that end a word at the beginning of two texts or more.
  private static func prefixes(_ exchanges: [Transcript.Exchange]) -> [MessageNaming] {
    separators.map { MessageNaming.before(separator: $0, JSONPointer(tokens: [])) }.filter { way in
      let names = exchanges.compactMap { way.name(of: $0.body, onChannel: $0.channel) }
      return Set(names).count > 1 && names.allSatisfy { $0.wholeMatch(of: /[A-Za-z][A-Za-z0-9_.\-]*/) != nil }
    }
  }

  /// The places of other texts that can be names.
  private static func otherPlaces(_ exchanges: [Transcript.Exchange]) -> [JSONPointer] {
    var values: [JSONPointer: Set<String>] = [:]
    for exchange in exchanges {
      for (name, value) in exchange.body.objectValue ?? [:] where isName(value.stringValue) {
        values[JSONPointer(tokens: [name]), default: []].insert(value.stringValue ?? "")
      }
    }
    return values.filter {
      !singles.contains($0.key) && !$0.key.isID && !$0.key.isNumberOfCall && $0.value.count <= 100
    }
    .sorted { ($0.value.count, $0.key.text) < ($1.value.count, $1.key.text) }.prefix(12).map(\.key)
  }

  private static func isName(_ text: String?) -> Bool {
    guard let text, (1...longestName).contains(text.utf8.count) else { return false }
    return !text.unicodeScalars.contains { $0.isHidden || $0 == "{" }
  }
}

extension [MessageNaming] {
  /// The name that a recorded message has in the section.
  func name(of exchange: Transcript.Exchange) -> String {
    // A message without a channel comes from an adapter, which names it.
    if exchange.channel == nil, let name = exchange.name { return name }
    return name(of: exchange.body, onChannel: exchange.channel)
  }
}
