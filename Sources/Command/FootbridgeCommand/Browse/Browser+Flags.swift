import BridgeCore
import Essentials
import Footbridge
import Logging

/// What a browser is started with.
struct BrowserArguments {
  var flags: [String]
  /// Variables besides those of this process.
  var environment: [String: String] = [:]
}

/// How a browser gets its profile and the sites under their own origins.
extension Browser {
  /// Prepares a profile, and returns the arguments of the browser that uses it.
  ///
  /// - Parameter sites: How the browser reaches the listed sites; nil if there are none.
  /// - Throws: ``Failure`` if the profile cannot be prepared.
  func arguments(
    _ profile: BrowserProfile, _ sites: OwnOriginAccess?, _ logger: Logger
  ) async throws -> BrowserArguments {
    switch self {
    case .chromium: try await Self.chromium(profile, sites, logger)
    case .firefox: BrowserArguments(flags: try await Self.firefox(profile, sites))
    case .webkit: BrowserArguments(flags: Self.webkit(sites))
    }
  }

  /// On Linux, Chromium finds authorities in its home folder. So it gets one of its own, in which it trusts the local authority and enforces its
  /// name constraints. Without `certutil`, it gets a flag with the hash of the authority's key, and then takes every certificate that the
  /// authority's follows, also one that somebody has forged.
  private static func chromium(
    _ profile: BrowserProfile, _ sites: OwnOriginAccess?, _ logger: Logger
  ) async throws -> BrowserArguments {
    let usual = chromium(profile)
    guard let sites else { return BrowserArguments(flags: usual) }
    #if os(Linux)
      do {
        try await profile.trust(sites.authority, in: ".pki/nssdb")
        try profile.make("Default")
        try profile.write(downloads, to: "Default/Preferences")
        return BrowserArguments(flags: usual + sites.chromiumFlagsOfTrust, environment: ["HOME": profile.path])
      } catch {
        logger.notice(
          "\(error) Chromium also accepts forged certificates that the authority's follows: open only sites that you trust."
        )
      }
    #endif
    return BrowserArguments(flags: usual + sites.chromiumFlags)
  }

  /// What a person downloads goes to their own folder, not to one that is deleted with the profile.
  private static var downloads: String {
    let home = FileManager.default.homeDirectoryForCurrentUser.path
    let folder = home + "/Downloads"
    let chosen = FileManager.default.fileExists(atPath: folder) ? folder : home
    let preferences: JSONValue = ["download": ["default_directory": .string(chosen)]]
    return preferences.jsonText
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
