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
  /// Host to page: take a sheet away.
  static let dismissSheet = "footbridge.sheet.dismiss"
  /// Host to page: the site has changed; load the document again.
  static let reload = "footbridge.reload"

  /// Whether an action is of Footbridge's own and of no contract.
  static func isFootbridges(_ action: String) -> Bool { begins(action, "footbridge.") }

  /// Whether what is said under an action tells of the durable state of the session, so that it is wrong when that could not be kept.
  static func tellsOfState(_ action: String) -> Bool { begins(action, "onside.") }

  /// Whether an action is the shim's: one of ours, or of a contract whose messages it makes. All others are GBG's, and come as the page
  /// made them, with correlation ids of its own.
  static func isOwn(_ action: String) -> Bool { tellsOfState(action) || isTodays(action) || isFootbridges(action) }

  /// Whether an action is of the Today bridge, whose messages hold secrets.
  static func isTodays(_ action: String) -> Bool { begins(action, "today.") }

  private static func begins(_ action: String, _ prefix: StaticString) -> Bool {
    let prefix = UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount)
    return action.utf8.withContiguousStorageIfAvailable { $0.prefix(prefix.count).elementsEqual(prefix) }
      ?? action.utf8.starts(with: prefix)
  }
}
