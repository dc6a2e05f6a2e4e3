import BridgeCore
import CookieJar
import Essentials
package import Sessions

/// The initial state of a session at Today, or a later change of it.
package struct TodayBeginning: BridgeBeginning {
  /// Whether someone is signed in; nil for the default.
  var isSignedIn: Bool?

  package init(isSignedIn: Bool?) {
    self.isSignedIn = isSignedIn
  }

  package func begin(in bridge: any SessionBridge) throws(OptionError) {
    guard let isSignedIn, let session = bridge as? TodaySession else { return }
    session.setSignedIn(isSignedIn)
  }
}

extension SessionProfile {
  static let signedInMember = "signedIn"
  private static let revokedMember = "revoked"
  package static let cookiesMember = "cookies"

  /// Whether someone is signed in to Today.
  var isSignedInToToday: Bool? {
    get { self["today"][Self.signedInMember]?.boolValue }
    set { self["today"][Self.signedInMember] = newValue.map { .bool($0) } }
  }

  /// Whether a test has revoked the session, and nobody has signed in since.
  var isRevokedAtToday: Bool {
    get { self["today"][Self.revokedMember]?.boolValue ?? false }
    set { self["today"][Self.revokedMember] = newValue ? true : nil }
  }

  /// The cookies that no script sees and that outlive a launch; nil for none. Their values are secrets.
  var cookies: CookieStorageSnapshot? {
    get {
      guard let cookies = self["today"][Self.cookiesMember] else { return nil }
      return try? JSONDecoder().decode(CookieStorageSnapshot.self, from: Data(cookies.jsonText.utf8))
    }
    set {
      let data = newValue.flatMap { try? JSONEncoder().encode($0) }
      self["today"][Self.cookiesMember] = data.flatMap { try? JSONValue(parsing: $0) }
    }
  }
}
