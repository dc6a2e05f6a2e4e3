/// A phone whose web view pages are to find in a desktop browser: `ios-26`, `ios-18.4` or `android`.
public struct Phone: Sendable, Hashable {
  /// The system of a phone, with its web view.
  enum System: Sendable, Hashable {
    /// WKWebView, which is part of iOS.
    case ios(SystemVersion)
    /// Android's System WebView, which is updated like Chrome.
    case android
  }

  /// The name, as options have it.
  public let name: String
  let system: System

  /// The versions of iOS that the table of APIs knows.
  private static let majorVersions = [17, 18, 26]

  /// Reads a name. Throws ``SiteError`` if it is not that of a phone.
  public init(_ name: String) throws(SiteError) {
    self.name = name
    if name == "android" {
      system = .android
      return
    }
    guard name.hasPrefix("ios-"), let version = SystemVersion(name.dropFirst("ios-".count)),
      Self.majorVersions.contains(version.major)
    else { throw .phoneUnknown(name) }
    system = .ios(version)
  }

  /// Whether the phone is an iPhone.
  var isIOS: Bool { system != .android }

  /// What `navigator.platform` says. Android's is as reduced as its user agent: chromium.org, "User-Agent Reduction".
  var platform: String { isIOS ? "iPhone" : "Linux armv81" }

  /// What `navigator.vendor` says.
  var vendor: String { isIOS ? "Apple Computer, Inc." : "Google Inc." }

  /// The user agent of the web view. A browser that already plays a phone keeps its own.
  func userAgent(insteadOf browser: String) -> String {
    if ["iPhone", "iPad", "Android"].contains(where: browser.contains) { return browser }
    switch system {
    case .ios(let version):
      // Since iOS 26, it names 18.7, whatever the version is: WebKit's Quirks.cpp, bugs.webkit.org 298673.
      let named = version.major < 26 ? version : SystemVersion(major: 18, minor: 7)
      return
        "Mozilla/5.0 (iPhone; CPU iPhone OS \(named.major)_\(named.minor) like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148"
    case .android:
      // Since Android 16, it names neither the device nor its version: android-developers.googleblog.com, "User-Agent Reduction on Android
      // WebView".
      let chrome = browser.firstMatch(of: /Chrome\/(\d{1,4})\./)?.1 ?? "150"
      return
        "Mozilla/5.0 (Linux; Android 10; K; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/\(chrome).0.0.0 Mobile Safari/537.36"
    }
  }
}
