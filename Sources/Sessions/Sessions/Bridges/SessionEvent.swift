public import BridgeCore

/// Something that has happened to a session. Its bridges hear of it: ``SessionBridge/received(_:)``.
public enum SessionEvent: Sendable {
  /// The session is launched, and all its parts exist.
  case launched
  /// The session is launched again. Follows ``launched``.
  case restarted(SessionRestart)
  /// A page has reported its address and its referrer, as they would be in production.
  case pageVisited(url: String, referrer: String)
  /// A page of an earlier run of the server has connected.
  case formerPageConnected
  /// The bridge's part of the profile, or the platform, was changed from outside.
  case profileChanged(from: [String: JSONValue])
  /// The app goes to the background, or comes back.
  case device(DeviceEvent)
  /// The session's clock was set, frozen or continued.
  case clockChanged
  /// Changes could not be stored, and the session was rolled back.
  case stateLost
  /// Some time has passed since changes were lost. The store may work again.
  case storeMayWork
  /// Another device of the same person begins. The bridge shares the person's data with it from now on.
  case otherDeviceBegins
  /// The test or the app ends: mistakes that are known only then are reported, but for those that pages may still correct. Can come several
  /// times.
  case testEnds
  /// The run or the session ends: pages can correct nothing any more. Can come several times.
  case runEnds
  /// The app will be ended and launched again.
  case appWillEnd
  /// Another server on the same database runs the session from now on. ``ended`` follows.
  case movedElsewhere
  /// The launch has ended.
  case ended
  /// The session was deleted. Comes after ``ended``.
  case deleted
}

/// The reason for a restart of a session.
public enum SessionRestart: Sendable, Hashable {
  /// The app was ended and started again. The stored state has stayed.
  case relaunch
  /// The app was deleted and installed again.
  case reset
}
