import Delivery
package import WebServer

/// Footbridge's own actions. All other actions belong to bridges.
package enum FootbridgeAction {
  /// The shim's first request on each connection: the page's id and how much it has received.
  package static let hello = PageLink.hello
  /// Page to host: the person's answer to a sheet.
  static let answerSheet = LinkLimits.sheetAnswer
  /// Host to page: show a sheet.
  static let presentSheet = "footbridge.sheet.present"
  /// Host to page: a sheet is open but not shown here. The data has the reason.
  static let withholdSheet = "footbridge.sheet.withheld"
  /// Host to page: close a sheet.
  static let dismissSheet = "footbridge.sheet.dismiss"
  /// Host to page: the site has changed, so reload the document.
  package static let reload = "footbridge.reload"
  /// Host to page: pass a value to the page's script, in place of a message of the bridge.
  static let raw = "footbridge.raw"
  /// Page to host: the page uses the address of the upstream server, so it bypasses this server.
  static let passing = "footbridge.passing"
  /// Host to page: load another script of ours, such as the one that looks after service workers.
  static let script = "footbridge.script"
  /// Host to page: what the device is now.
  static let device = "footbridge.device"
  /// Host to page: the system has ended the page's process; the page loads again, or another address, and its listeners hear nothing
  /// of that.
  static let kill = "footbridge.kill"
  /// Page to host: these documents in the caches of service workers have no shim.
  static let cachedDocuments = "footbridge.workers.kept"
  /// Page to host: the service workers are unregistered.
  static let unregisteredWorkers = "footbridge.workers.unregistered"
  /// Page to host: a message to a message handler cannot be copied.
  static let lostMessage = "footbridge.lost"
  /// Page to host: the document has another title.
  static let titled = "footbridge.titled"
  /// Page to host: the app opens an address outside, instead of a window.
  static let outside = "footbridge.outside"
  /// Host to page: the site has redirected a navigation to an address for native.
  static let redirected = "footbridge.redirected"
  /// Host to page: a problem, for the console.
  package static let error = "footbridge.error"
  /// Host to page: go to another address.
  static let load = "footbridge.load"
}

extension WebSocketCloseCode {
  /// 4001: the app of the page has ended. The shim does not reconnect; on a device, the page would be gone.
  static let appEnded = WebSocketCloseCode(rawValue: 4001)
  /// 4002: the browser puts the page into its page cache, and the page may come back.
  package static let pageIsCached = WebSocketCloseCode(rawValue: 4002)
  /// 4003: the page has left, and does not come back. Pages say so whose browser closes sockets early.
  package static let pageHasLeft = WebSocketCloseCode(rawValue: 4003)
}
