import BridgeCore
import CookieJar
import OnsideKit

/// What is set about one session besides the store's settings, where it differs from what the server's options say. It outlives launches.
struct SessionProfile: Sendable, Hashable, Codable {
  /// What whoever drives the session calls it.
  var name: String?
  /// The platform that pages are told.
  var platform: Platform?
  /// The contract of `window.onside`.
  var onsideContract: OnsideContract?
  /// The scenario that the session has begun.
  var scenario: String?
  /// Who answers sheets.
  var present: PresentationMode?
  /// What the ids of the session follow from, when the server has a seed.
  var stream: SessionStream?
  /// What the session's clock shows.
  var time = SessionTime.servers
  /// Whether someone is signed in to Today.
  var isSignedInToToday: Bool?
  /// The cookies that no script sees and that outlive a launch; nil for none. Their values are secrets.
  var cookies: CookieJarSnapshot?

  /// Whether something is set here that was not in `new`. The stream is no setting: each launch takes the next one.
  func isLasting(since new: SessionProfile) -> Bool {
    var own = self
    own.stream = new.stream
    return own != new
  }
}
