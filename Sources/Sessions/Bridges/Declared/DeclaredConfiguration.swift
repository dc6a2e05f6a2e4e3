package import BridgeCore

/// A bridge that a file declares: what it answers, and where. What its shim does stands in the bridge's ``ShimPart``.
package struct DeclaredConfiguration: Sendable {
  /// A handler of `webkit.messageHandlers`.
  package struct Channel: Sendable, Hashable {
    /// What becomes of the promise that `postMessage` returns.
    package enum Reply: String, Sendable, CaseIterable {
      /// It resolves with the answer.
      case value = "true"
      /// It resolves with `undefined`, at once.
      case none = "false"
      /// It resolves with the JSON text of the answer.
      case json
    }

    /// The name.
    package let name: String
    /// What becomes of the promise.
    package var reply = Reply.none
    /// Whether messages are JSON texts, which are read.
    package var isText = false

    /// Creates a channel without replies.
    package init(_ name: String) { self.name = name }
  }

  /// The bridge's name.
  package let name: String
  /// Where it is.
  package var pages = [PagePattern.all]
  /// Whether only main frames have it.
  package var isMainFrameOnly = true
  /// Its message handlers.
  package var channels: [Channel] = []
  /// What it does when a page is there.
  package var opened: [DeclaredAnswer] = []
  /// What it does when a message has come, by the message's name.
  package var answers: [String: [DeclaredAnswer]] = [:]

  /// The names of members that the journal leaves out, as ``BridgeDefinition/secretMembers`` has them.
  package var secretMembers: Set<String> = []

  /// A bridge without answers, in all pages.
  package init(name: String) { self.name = name }

  /// A name as ``BridgeDefinition/secretMembers`` has it.
  package static func plain(_ name: String) -> String { name.lowercased().filter { $0 != "-" && $0 != "_" } }

  /// Whether the value of a member of this name is secret.
  func isSecret(_ name: String) -> Bool { secretMembers.contains(Self.plain(name)) }

  /// The data of answers that are always the same and go out at once, as JSON texts, by the actions of their messages. They need nothing of
  /// the message, which is then not even read.
  package var readyAnswers: ActionTable<[UInt8]> {
    var ready = ActionTable<[UInt8]>()
    guard channels.allSatisfy({ $0.reply != .none }) else { return ready }
    for (message, answers) in answers {
      guard answers.count == 1, let answer = answers.first, answer.delay == .zero,
        case .reply(.constant(let value)) = answer.step
      else { continue }
      ready["\(name).\(message)"] = Array(JSONValue.object(["value": value]).jsonText.utf8)
    }
    return ready
  }

  /// Whether the channel of a message has its promise settled by an answer. Messages that came on no channel wait for one.
  func waitsForReply(onChannel name: String?) -> Bool {
    guard let name, let channel = channels.first(where: { $0.name == name }) else { return true }
    return channel.reply != .none
  }
}
