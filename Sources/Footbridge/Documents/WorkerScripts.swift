import BridgeRuntime
import Essentials
import HTTP1
import HTTPTypes

/// The scripts of service workers. What a worker requests by itself, it may keep, and show as a document later.
@BridgeActor
final class WorkerScripts {
  /// The maximum number of scripts that are remembered.
  static let limit = 1_000

  /// The addresses of the scripts, without scheme.
  private var known: Set<String> = []

  /// Remembers the script that a request asks for, if it is for a service worker. Scripts cannot set the field that says so.
  func note(_ head: RequestHead) {
    guard head.fields.value(of: .serviceWorker) == "script", let host = head.host else { return }
    if known.count >= Self.limit { known = [] }
    known.insert(host.lowercased() + head.target.rawValue)
  }

  /// Whether a service worker makes a request by itself, and does not pass it on: the referrer is then its script.
  func made(_ head: RequestHead) -> Bool {
    guard !known.isEmpty, head.method == .get, head.fields.value(of: .secFetchDest) == "empty",
      head.fields.value(of: .secFetchSite) == "same-origin", head.fields.value(of: .secFetchMode) != "navigate",
      let referrer = head.fields.value(of: .referer)?.split(separator: "://", maxSplits: 1).last
    else { return false }
    let target = referrer.firstIndex(of: "/") ?? referrer.endIndex
    return known.contains(referrer[..<target].lowercased() + referrer[target...])
  }
}

extension HTTPField.Name {
  /// `Service-Worker: script` is part of a browser's request for the script of a service worker (Service Workers, "Update").
  static let serviceWorker = named("Service-Worker")
}
