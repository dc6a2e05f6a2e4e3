import BridgeCore
import Foundation

/// The actions of Footbridge's own on the wire; all others are the contracts'.
///
/// Prefixes are compared as bytes: those of strings are compared with care for Unicode, and take their time.
enum FootbridgeAction {
  /// The shim's first request on each connection: who it is and what it has received.
  static let hello = "footbridge.hello"
  /// Page to host: whether the browser has a camera, and whether the page may use it.
  static let camera = "footbridge.camera"
  /// Page to host: what the person answered to a sheet.
  static let answerSheet = "footbridge.sheet.answer"
  /// Host to page: show a sheet.
  static let presentSheet = "footbridge.sheet.present"
  /// Host to page: a sheet waits that is not shown there, since a page of another origin is around it.
  static let withholdSheet = "footbridge.sheet.withheld"
  /// Host to page: take a sheet away.
  static let dismissSheet = "footbridge.sheet.dismiss"
  /// Host to page: the site has changed; load the document again.
  static let reload = "footbridge.reload"
  /// Host to page: go to another address.
  static let load = "footbridge.load"

  /// Whose an action is: who makes its messages, and what they hold.
  enum Owner {
    /// Footbridge's own, of no contract.
    case footbridge
    /// The store's, whose messages the shim makes: they tell of the durable state of the session.
    case onside
    /// The Today bridge's, whose messages the shim makes: they hold secrets.
    case today
    /// GBG's: the message is as the page made it, with a correlation id of the page's own.
    case page

    /// Whether the shim makes the messages.
    var isOwn: Bool { self != .page }
  }

  /// Whose an action is.
  static func owner(of action: String) -> Owner {
    var action = action
    return action.withUTF8(owner)
  }

  /// Whose the action of a message is.
  static func owner(of message: BridgeMessage) -> Owner { message.withAction(owner) }

  private static func owner(of action: UnsafeBufferPointer<UInt8>) -> Owner {
    if begins(action, "onside.") { return .onside }
    if begins(action, "today.") { return .today }
    return begins(action, "footbridge.") ? .footbridge : .page
  }

  /// Whether an action is of Footbridge's own and of no contract.
  static func isFootbridges(_ action: String) -> Bool { owner(of: action) == .footbridge }

  /// Whether what is said under an action tells of the durable state of the session, so that it is wrong when that could not be kept.
  static func tellsOfState(_ action: String) -> Bool { owner(of: action) == .onside }

  private static func begins(_ action: UnsafeBufferPointer<UInt8>, _ prefix: StaticString) -> Bool {
    let count = prefix.utf8CodeUnitCount
    guard action.count >= count, let start = action.baseAddress else { return false }
    return memcmp(start, prefix.utf8Start, count) == 0
  }
}
