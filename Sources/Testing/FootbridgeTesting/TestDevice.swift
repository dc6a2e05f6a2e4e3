public import BridgeCore
public import BridgeRuntime
import Footbridge

/// The phone around the app of a ``TestSession``. Host code and presets notice it, and pages hear of it.
///
///     try server.session.device.set(["colorScheme": "dark"])
///     try server.session.device.background()
@BridgeActor
public struct TestDevice {
  private let session: InProcessSession

  init(_ session: InProcessSession) {
    self.session = session
  }

  /// What the device is now, as in the control API.
  public var members: JSONValue { session.device }

  /// Changes the device. The members are those of `PATCH …/device`: null gives a value back to the browser, and what is left out does not
  /// change.
  ///
  /// - Throws: ``ExpectationError`` if a member is wrong.
  public func set(_ members: [String: JSONValue] = [:]) throws(ExpectationError) {
    do {
      try session.changeDevice(.object(members))
    } catch {
      throw ExpectationError("\(error)")
    }
  }

  /// Puts the app into the background.
  ///
  /// - Parameter isSuspended: Whether its pages stop. If not, they go on running, as in the first seconds on a device.
  public func background(isSuspended: Bool = true) throws(ExpectationError) {
    try set(["state": isSuspended ? "suspended" : "background"])
  }

  /// Brings the app back.
  public func foreground() throws(ExpectationError) { try set(["state": "active"]) }

  /// Has the system end the processes of the pages, since memory is short.
  public func memoryWarning() { session.killPages() }

  /// Opens the app by a link, universal or of its own scheme.
  ///
  /// - Parameters:
  ///   - link: The link.
  ///   - isCold: Whether that launches the app, which ends its pages. If not, it runs already.
  /// - Returns: The path that a launched app loads.
  /// - Throws: ``ExpectationError`` if it is no absolute link.
  @discardableResult
  public func open(link: String, isCold: Bool = true) throws(ExpectationError) -> String {
    try open(["link": .string(link)], isCold)
  }

  /// Opens the app by a tap on a push notification with this data. See ``open(link:isCold:)``.
  @discardableResult
  public func open(push data: [String: JSONValue], isCold: Bool = true) throws(ExpectationError) -> String {
    try open(["push": .object(data)], isCold)
  }

  /// Opens the app by a shortcut of its icon. See ``open(link:isCold:)``.
  @discardableResult
  public func open(shortcut type: String, isCold: Bool = true) throws(ExpectationError) -> String {
    try open(["shortcut": .string(type)], isCold)
  }

  private func open(_ opening: [String: JSONValue], _ isCold: Bool) throws(ExpectationError) -> String {
    do {
      return try session.open(.object(opening.merging(["cold": .bool(isCold)]) { $1 }))
    } catch {
      throw ExpectationError("\(error)")
    }
  }
}
