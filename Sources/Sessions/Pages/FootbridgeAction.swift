/// The actions of Footbridge's own on the wire; all others are the bridges'.
package enum FootbridgeAction {
  /// The shim's first request on each connection: who it is and what it has received.
  package static let hello = "footbridge.hello"
  /// Page to host: what the person answered to a sheet.
  static let answerSheet = "footbridge.sheet.answer"
  /// Host to page: show a sheet.
  static let presentSheet = "footbridge.sheet.present"
  /// Host to page: a sheet waits that is not shown there, since a page of another origin is around it.
  static let withholdSheet = "footbridge.sheet.withheld"
  /// Host to page: take a sheet away.
  static let dismissSheet = "footbridge.sheet.dismiss"
  /// Host to page: the site has changed; load the document again.
  package static let reload = "footbridge.reload"
  /// Host to page: go to another address.
  static let load = "footbridge.load"
}
