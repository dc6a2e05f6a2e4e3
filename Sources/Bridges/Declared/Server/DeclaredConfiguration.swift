package import InAppPurchases
package import BridgeCore
import Sessions

/// A bridge that a file declares: its pages, message handlers and answers. Its part of the shim is a ``ShimPart``.
package struct DeclaredConfiguration: Sendable {
  /// A handler of `webkit.messageHandlers`.
  package struct Channel: Sendable, Hashable {
    /// How the promise that `postMessage` returns is settled.
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
    /// How the promise is settled.
    package var reply = Reply.none
    /// Whether messages are JSON texts, which must be parsed.
    package var isText = false

    /// How its messages are read; nil for the bridge's way.
    package var decode: [DeclaredCoding]?
    /// How its replies are written; nil for the bridge's way.
    package var encode: [DeclaredCoding]?

    /// Creates a channel without replies.
    package init(_ name: String) { self.name = name }
  }

  /// The bridge's name.
  package let name: String
  /// The pages that have the bridge.
  package var pages = [PagePattern.all]
  /// Whether only main frames have it.
  package var isMainFrameOnly = true
  /// Its message handlers.
  package var channels: [Channel] = []
  /// How messages are read, in order; nil for values as they are.
  package var decode: [DeclaredCoding]?
  /// How replies, arguments of calls, details of events and variables are written, in order.
  package var encode: [DeclaredCoding]?
  /// The objects that native puts into `window`.
  package var objects: [DeclaredObject] = []
  /// What answers requests for resources of the app, by schemes and by the beginnings of paths.
  package var resources: [String: DeclaredResource] = [:]
  /// The answers when a page opens.
  package var opened: [DeclaredAnswer] = []
  /// The answers to messages, by the messages' names.
  package var answers: [String: [DeclaredAnswer]] = [:]

  /// What pages are told of notices of the store, by the kinds of these.
  package var notices: [InAppNotice.Kind: [DeclaredAnswer]] = [:]

  /// Creates the native side of a preset in each session; nil for none.
  var presetHost: PresetHostMaker?

  /// What the preset's native tells pages when the app goes to the background; nil for nothing.
  var lifecycle: PresetLifecycle?

  /// Whether a script of the developer translates another wire.
  var hasAdapter = false

  /// The names of members that the journal leaves out, in the form of ``JournalMarks/secretMembers``.
  package var secretMembers: Set<String> = []

  /// Creates a bridge without answers, for all pages.
  package init(name: String) { self.name = name }

  /// The schemes of its resources, sorted.
  var schemes: [String] { resources.keys.filter { !$0.hasPrefix("/") }.sorted() }

  /// Whether a form of texts is declared.
  var hasCodings: Bool {
    decode != nil || encode != nil || channels.contains { $0.decode != nil || $0.encode != nil }
  }

  /// Whether the value of a member of this name is secret.
  func isSecret(_ name: String) -> Bool { secretMembers.contains(JournalMarks.plainName(name)) }

  /// The data of answers that are always the same and have no delay, as JSON texts, by the actions of their messages. Such a message need not
  /// be parsed.
  package var readyAnswers: ActionTable<[UInt8]> {
    var ready = ActionTable<[UInt8]>()
    guard channels.allSatisfy({ $0.reply != .none }) else { return ready }
    for (message, answers) in answers {
      guard answers.count == 1, let answer = answers.first, answer.delay == .zero, answer.condition == nil,
        case .reply(.constant(let value)) = answer.step
      else { continue }
      ready["\(name).\(message)"] = Array(JSONValue.object(["value": value]).jsonText.utf8)
    }
    return ready
  }

  /// The replies that need no host, as templates by the names of messages: for calls that must be answered at once.
  var repliesAhead: [String: JSONValue] {
    var replies: [String: JSONValue] = [:]
    for (name, answers) in answers {
      // The page knows no conditions.
      for case .reply(let template) in answers.prefix(while: { $0.condition == nil }).map(\.step) {
        replies[name] = template.json
      }
    }
    return replies
  }

  /// Whether a message on this channel waits for an answer that settles its promise. Messages without a channel do.
  func waitsForReply(onChannel name: String?) -> Bool {
    guard let name, let channel = channels.first(where: { $0.name == name }) else { return true }
    return channel.reply != .none
  }
}
