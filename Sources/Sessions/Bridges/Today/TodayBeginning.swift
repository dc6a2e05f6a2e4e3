/// What a session begins with at Today, or what is changed about it later.
package struct TodayBeginning: BridgeBeginning {
  /// Whether someone is signed in; nil for the usual.
  var isSignedIn: Bool?

  package init(isSignedIn: Bool?) {
    self.isSignedIn = isSignedIn
  }

  package func begin(in bridge: any SessionBridge) throws(OptionError) {
    guard let isSignedIn, let session = bridge as? TodaySession else { return }
    session.setSignedIn(isSignedIn)
  }
}
