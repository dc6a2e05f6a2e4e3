import Essentials
import Footbridge

/// How a browser gets its profile and the sites under their own origins.
extension Browser {
  /// Prepares a profile, and returns the flags of the browser that uses it.
  ///
  /// - Parameter sites: How the browser reaches the listed sites; nil if there are none.
  /// - Throws: ``Failure`` if the profile cannot be prepared.
  func flags(_ profile: BrowserProfile, _ sites: OwnOriginAccess?) async throws -> [String] {
    switch self {
    case .chromium: Self.chromium(profile) + (sites?.chromiumFlags ?? [])
    case .firefox: try await Self.firefox(profile, sites)
    case .webkit: Self.webkit(sites)
    }
  }

  private static func chromium(_ profile: BrowserProfile) -> [String] {
    let usual = ["--user-data-dir=\(profile.path)", "--no-first-run", "--no-default-browser-check"]
    #if os(Linux)
      // Chromium's sandbox does not work for the superuser.
      return geteuid() == 0 ? usual + ["--no-sandbox"] : usual
    #else
      return usual
    #endif
  }

  /// What Firefox does not do in a fresh profile: greet, ask, report, and look whether there is an internet.
  private static let quiet = [
    "browser.aboutwelcome.enabled": "false",
    "browser.preonboarding.enabled": "false",
    "browser.shell.checkDefaultBrowser": "false",
    "browser.startup.homepage_override.mstone": "\"ignore\"",
    "datareporting.policy.dataSubmissionEnabled": "false",
    "network.captive-portal-service.enabled": "false",
    "network.connectivity-service.enabled": "false",
  ]

  private static func firefox(_ profile: BrowserProfile, _ sites: OwnOriginAccess?) async throws -> [String] {
    var settings = quiet
    if let sites {
      settings["network.proxy.type"] = "2"
      settings["network.proxy.autoconfig_url"] = "\"\(sites.script)\""
      // Otherwise Firefox reaches sites on this machine past the proxy.
      settings["network.proxy.allow_hijacking_localhost"] = "true"
      try await profile.trust(sites.authority)
    }
    let lines = settings.sorted { $0.key < $1.key }.map { "user_pref(\"\($0.key)\", \($0.value));\n" }
    try profile.write(lines.joined(), to: "user.js")
    return ["--profile", profile.path, "--no-remote"]
  }

  /// WebKitGTK's MiniBrowser takes neither a script nor another authority. So all that it opens goes through the proxy, and it accepts any
  /// certificate.
  private static func webkit(_ sites: OwnOriginAccess?) -> [String] {
    ["--private"] + (sites.map { ["--proxy=\($0.proxy)", "--ignore-tls-errors"] } ?? [])
  }
}
