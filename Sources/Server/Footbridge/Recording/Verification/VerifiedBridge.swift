package import BridgeCore
import DeclaredServer
import Sessions

/// The bridge to which a transcript is played again: one that `footbridge.yaml` declares, or one of Footbridge's own.
package struct VerifiedBridge: Sendable {
  /// Why a transcript cannot be played.
  package struct Problem: Error, CustomStringConvertible {
    package let description: String
  }

  /// A message to send.
  package enum Outgoing: Sendable {
    /// A request of the shim.
    case request(action: String, data: [String: JSONValue])
    /// An envelope that the page makes itself, and the id of its answer.
    case envelope(JSONValue, correlationId: String)
  }

  fileprivate enum Kind {
    case declared(DeclaredConfiguration, naming: [MessageNaming])
    /// Message handlers whose messages are values.
    case values([ShimPart.Channel])
    /// Functions whose parameters are the data.
    case members
    /// Message handlers whose messages are envelopes, and their answers too.
    case envelopes([ShimPart.Channel])
  }

  /// The bridge's name.
  package let name: String
  private let kind: Kind
  private let others: [String]

  /// Chooses the bridge for a transcript: the one that is named, or the only one that knows all its message handlers or actions.
  ///
  /// - Throws: ``Problem`` if there is none, or more than one.
  package init(
    named name: String?, for text: [UInt8], in bridges: BridgeList
  ) throws(Problem) {
    let possible = bridges.all.filter(\.isEnabled)
    let names = possible.map(\.name)
    guard let name = name ?? Self.only(possible, for: text) else {
      throw Problem(
        description:
          "It is not clear to which bridge the transcript belongs. Name one with --bridge: \(names.joined(separator: ", "))."
      )
    }
    guard let definition = possible.first(where: { $0.name == name }) else {
      throw Problem(description: "There is no bridge \(name). There are: \(names.joined(separator: ", ")).")
    }
    self.name = name
    others = names.filter { $0 != name }
    kind = Self.kind(of: definition)
  }

  private static func kind(of bridge: any BridgeDefinition) -> Kind {
    if let declared = bridge as? DeclaredDefinition {
      return .declared(declared.configuration, naming: declared.naming)
    }
    let channels = bridge.shim.channels
    guard bridge.messages.contains(.madeByShim) else { return .envelopes(channels) }
    return bridge.carriesValues ? .values(channels) : .members
  }

  /// The only bridge whose message handlers or actions the transcript has.
  private static func only(_ bridges: [any BridgeDefinition], for text: [UInt8]) -> String? {
    let found = bridges.filter { bridge in
      guard let transcript = try? Transcript(text, bridge: bridge.name) else { return false }
      if transcript.isJournal { return !transcript.exchanges.isEmpty }
      let channels = Set(transcript.exchanges.compactMap(\.channel))
      return !channels.isDisjoint(with: Self.kind(of: bridge).channels)
    }
    return found.count == 1 ? found[0].name : nil
  }

  /// Reads the transcript.
  ///
  /// - Throws: ``TranscriptError`` for a line that cannot be read.
  package func transcript(_ text: [UInt8]) throws(TranscriptError) -> Transcript {
    switch kind {
    case .declared, .values: return try Transcript(text, bridge: name)
    case .members: return try Transcript(text, bridge: name, style: .members)
    case .envelopes:
      var transcript = try Transcript(text, bridge: name, style: .envelopes(besides: others))
      if !transcript.isJournal { transcript.joinDeliveries() }
      return transcript
    }
  }

  /// The message handlers of a recorder's transcript that the bridge does not have, sorted.
  package func unknownChannels(in transcript: Transcript) -> [String] {
    Set(transcript.exchanges.compactMap(\.channel)).subtracting(kind.channels).sorted()
  }

  // MARK: To the host

  /// The name of a message.
  package func name(of exchange: Transcript.Exchange) -> String {
    if case .declared(_, let naming) = kind, exchange.name == nil {
      return naming.name(of: value(of: exchange), onChannel: exchange.channel)
    }
    if case .envelopes = kind, exchange.name == nil {
      return value(of: exchange)["payload"]?["action"]?.stringValue ?? "message"
    }
    return exchange.name ?? "message"
  }

  /// What the page sends for a message. `number` makes its id.
  package func outgoing(_ exchange: Transcript.Exchange, number: Int) -> Outgoing {
    let name = name(of: exchange)
    switch kind {
    case .declared:
      var data: [String: JSONValue] = ["value": value(of: exchange)]
      data["channel"] = exchange.channel.map { .string($0) }
      return .request(action: "\(self.name).\(name)", data: data)
    case .members: return .request(action: "\(self.name).\(name)", data: exchange.body.objectValue ?? [:])
    case .values(let channels):
      let action = channels.first { $0.name == exchange.channel }?.action
      return .request(action: action ?? "\(self.name).\(name)", data: ["value": exchange.body])
    case .envelopes:
      guard exchange.name != nil else {
        let envelope = value(of: exchange)
        return .envelope(envelope, correlationId: envelope["correlationId"]?.stringValue ?? "")
      }
      let id = "verify-\(number)"
      return .envelope(
        [
          "version": "1.0", "correlationId": .string(id), "type": "request", "timestamp": 0,
          "payload": ["action": .string(name), "data": exchange.body],
        ], correlationId: id)
    }
  }

  /// What the shim makes of what the page has posted.
  private func value(of exchange: Transcript.Exchange) -> JSONValue {
    let isText =
      switch kind {
      case .declared(let configuration, _): configuration.channels.first { $0.name == exchange.channel }?.isText == true
      case .envelopes: true
      case .members, .values: false
      }
    return isText ? exchange.body.jsonInside ?? exchange.body : exchange.body
  }

  // MARK: From the host

  /// What the page gets as the answer to a message.
  package func step(answering exchange: Transcript.Exchange, _ payload: JSONValue) -> Transcript.Step {
    let data = payload["data"]
    if case .envelopes = kind {
      let members = ["status": payload["status"], "data": data, "error": payload["error"]]
      return .reply(.object(members.compactMapValues { $0 }))
    }
    if let error = payload["error"] {
      if case .members = kind { return .error(error) }
      return .error(data?["error"] ?? error["message"] ?? "")
    }
    switch kind {
    case .members: return .reply(data)
    case .declared(let configuration, _):
      let channel = configuration.channels.first { $0.name == exchange.channel }
      switch channel?.reply {
      case .none?: return .reply(nil)
      case .json: return .reply(data?["value"].map { .string($0.jsonText) })
      case .value, nil: return .reply(data?["value"])
      }
    case .values(let channels):
      let isReplying = channels.first { $0.name == exchange.channel }?.reply ?? true
      return .reply(isReplying ? data?["value"] : nil)
    case .envelopes: return .reply(nil)
    }
  }

  /// What the page gets as an event or a question of the host; nil for one that it does not notice.
  package func step(_ action: String, _ message: JSONValue) -> Transcript.Step? {
    let data = message["payload"]?["data"]
    if case .envelopes = kind { return others.contains { action.hasPrefix($0 + ".") } ? nil : .delivery(of: message) }
    guard action.hasPrefix(name + ".") else { return nil }
    let event = String(action.dropFirst(name.count + 1))
    if case .members = kind { return .event(event, data) }
    return Transcript.Step(event, data?.objectValue ?? [:])
  }

  /// Whether an answer to an envelope is an event for the page, which its script gets like all others.
  package func deliversAnswers(of transcript: Transcript) -> Bool {
    if case .envelopes = kind { !transcript.isJournal } else { false }
  }
}

extension VerifiedBridge.Kind {
  /// The names of the message handlers.
  fileprivate var channels: Set<String> {
    switch self {
    case .declared(let configuration, _): Set(configuration.channels.map(\.name))
    case .values(let channels), .envelopes(let channels): Set(channels.map(\.name))
    case .members: []
    }
  }
}

extension Transcript.Step {
  /// An envelope for the page, in one form for all ways in which pages get these.
  fileprivate static func delivery(of envelope: JSONValue) -> Transcript.Step {
    guard case .object(var members) = envelope else { return .event("message", envelope) }
    // The shim leaves this out.
    members["sequence"] = nil
    return .event("message", .object(members))
  }

  /// The envelope that a function or an event of the page gets; nil for anything else.
  fileprivate var envelope: JSONValue? {
    let content: JSONValue? =
      switch self {
      case .call(_, let arguments): arguments.arrayValue?.first
      case .event(_, let detail): detail
      case .reply, .error, .dispatch, .set: nil
      }
    let value = content?.jsonInside ?? content
    return value?["correlationId"] != nil && value?["payload"] != nil ? value : nil
  }
}

extension Transcript {
  /// Makes one step of the function and the event that both deliver an envelope.
  fileprivate mutating func joinDeliveries() {
    var delivery = delivery
    func joined(_ steps: [PlacedStep]) -> [PlacedStep] {
      var found: [PlacedStep] = []
      for placed in steps {
        // The promise of a message handler for envelopes says nothing.
        if placed.step == .reply(nil) { continue }
        let step = placed.step.envelope.map { Step.delivery(of: $0) } ?? placed.step
        if step != placed.step { delivery = delivery ?? placed.step }
        if !found.contains(where: { $0.step == step }) { found.append(PlacedStep(step: step, line: placed.line)) }
      }
      return found
    }
    for index in exchanges.indices { exchanges[index].placedSteps = joined(exchanges[index].placedSteps) }
    for index in documents.indices { documents[index].placedSteps = joined(documents[index].placedSteps) }
    self.delivery = delivery
  }
}
