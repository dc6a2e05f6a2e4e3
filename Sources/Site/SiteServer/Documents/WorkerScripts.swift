package import BridgeRuntime
import Essentials
package import HTTP1
import HTTPTypes

/// The scripts of service workers. A worker may keep a document that it has requested by itself, and show it later.
@BridgeActor
package final class WorkerScripts {
  /// The reasons of a request for a worker's script.
  enum Reason {
    /// A page registers the worker.
    case registration
    /// The browser checks for a new version of a worker's script, after each navigation that the worker may answer.
    case update
  }

  /// The maximum number of scripts that are remembered.
  static let limit = 1_000

  /// The addresses of the scripts, without scheme.
  private var known: Set<String> = []

  /// Remembers the requested script if it is for a service worker. Pages cannot forge the field that tells it.
  package func note(_ head: RequestHead) {
    guard head.fields.value(of: .serviceWorker) == "script", let address = Self.address(of: head) else { return }
    if known.count >= Self.limit { known = [] }
    known.insert(address)
  }

  /// Whether a service worker has made a request by itself. Its script is then the referrer. A request that it only passes on has another
  /// one.
  package func made(_ head: RequestHead) -> Bool {
    guard !known.isEmpty, head.method == .get, head.fields.value(of: .secFetchDest) == "empty",
      head.fields.value(of: .secFetchSite) == "same-origin", head.fields.value(of: .secFetchMode) != "navigate",
      let referrer = Self.referrer(of: head)
    else { return false }
    return known.contains(referrer)
  }

  /// The reason of a request for the script of a worker; nil for any other request.
  static func reason(of head: RequestHead) -> Reason? {
    guard head.method == .get, head.fields.value(of: .serviceWorker) == "script" else { return nil }
    return isUpdate(head) ? .update : .registration
  }

  /// In an update, Chromium has the script as its own referrer, and WebKit sends no fetch metadata. Firefox never has a referrer for such a
  /// script, and validates the one that it has, while it fetches a new one anew.
  private static func isUpdate(_ head: RequestHead) -> Bool {
    if head.fields.value(of: .secFetchDest) == nil || referrer(of: head) == address(of: head) { return true }
    return head.isFromFirefox && head.fields.value(of: .cacheControl) == "max-age=0"
  }

  /// The address that a request asks for, without scheme.
  static func address(of head: RequestHead) -> String? { head.host.map { $0.lowercased() + head.target.rawValue } }

  /// The address of a request's referrer, without scheme.
  static func referrer(of head: RequestHead) -> String? {
    guard let referrer = head.fields.value(of: .referer)?.split(separator: "://", maxSplits: 1).last else { return nil }
    let target = referrer.firstIndex(of: "/") ?? referrer.endIndex
    return referrer[..<target].lowercased() + referrer[target...]
  }
}

extension HTTPField.Name {
  /// `Service-Worker: script` is part of a browser's request for the script of a service worker (Service Workers, "Update").
  static let serviceWorker = named("Service-Worker")
}
