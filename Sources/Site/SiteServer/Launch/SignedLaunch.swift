import BridgeCore
import BridgeRuntime
import BridgeServer
import Cryptography
import HTTP1
import Sessions

/// Launch data that the apps of messengers sign for the site's own backend. It is signed anew for each document, with a key of the test's own.
package enum SignedLaunch: Sendable {
  /// `initData` of a Telegram Mini App (core.telegram.org/bots/webapps, "Validating data received via the Mini App").
  case telegram(TelegramLaunch)
  /// The launch parameters of a VK Mini App, with `sign` (dev.vk.com/mini-apps/development/launch-params-sign).
  case vk(VKLaunch)
  /// The ID token of a LIFF app (developers.line.biz, "Get profile information from ID tokens").
  case line(LINELaunch)

  /// The parameters for the fragment of the first document's address.
  func fragment(at now: BridgeInstant) -> String? {
    switch self {
    case .telegram(let launch): launch.fragment(at: now)
    case .vk: nil
    case .line(let launch): "id_token=\(launch.idToken(at: now))"
    }
  }

  /// The parameters for the query of the first document's address.
  func query(at now: BridgeInstant) -> String? {
    guard case .vk(let launch) = self else { return nil }
    return launch.query(at: now)
  }

  /// A text with everything but unreserved characters escaped (RFC 3986, section 2.3).
  static func escaped(_ text: String) -> String {
    PercentEncoding.encodeQueryItem(text).split(separator: "/", omittingEmptySubsequences: false).joined(
      separator: "%2F")
  }

  /// Seconds since the Unix epoch.
  static func seconds(_ now: BridgeInstant) -> Int { Int(now.millisecondsSinceEpoch / 1000) }
}
