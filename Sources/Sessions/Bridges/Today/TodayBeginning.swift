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
