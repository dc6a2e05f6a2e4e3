import BridgeCore
import BridgeRuntime
import CookieJar
import Foundation
import Testing

@testable import Today

/// A session with a source that the test steers, and what the host says of it.
@BridgeActor
final class TestApp: TodayHostDelegate {
  let clock = ManualBridgeClock()
  let source = GatedTokenSource()
  let cookies = CookieStorage()
  let host: TodayHost
  private(set) var tracked: [TrackedEvent] = []
  private(set) var remarks: [TodayDiagnostic] = []
  private(set) var cookieChangeCount = 0

  init() throws {
    host = TodayHost(
      tokens: TokenStore(source: source, clock: clock),
      cookies: cookies,
      trust: try TrustPolicy(trustedOrigins: ["https://today.example"], trustedPaths: ["/feed"]),
      identity: TrackIdentity(
        sessionID: "session", deviceID: "device", userID: "user", platform: .ios, timeZone: "Europe/Berlin"),
      extraHeaders: try FeedExtraHeaders(["X-Feed": "1"]),
      clock: clock,
      random: BridgeRandom(seed: 1)
    )
    host.delegate = self
  }

  func todayHost(_ host: TodayHost, didTrack event: TrackedEvent) { tracked.append(event) }

  func todayHost(_ host: TodayHost, didNote diagnostic: TodayDiagnostic) { remarks.append(diagnostic) }

  func todayHostDidChangeCookies(_ host: TodayHost) { cookieChangeCount += 1 }

  /// A page of the session, at a trusted place unless told otherwise.
  func page(_ url: String = "https://today.example/feed", frame: FrameKind = .main) throws -> TestPage {
    TestPage(host, TodayDocument(siteURL: try #require(URL(string: url)), frame: frame))
  }

  func cookieHeader(_ url: String) throws -> String? {
    cookies.cookieHeader(for: try #require(URL(string: url)))
  }

  /// Waits until so many refreshes were started, and ends the one that is open with a token.
  func finishRefresh(_ count: Int, token: String) async throws {
    await source.started(count)
    try source.finish(token: token, lifetime: .seconds(3600), at: clock.now)
  }

  /// Waits until so many refreshes were started, and fails the one that is open.
  func failRefresh(_ count: Int, _ error: TokenError) async {
    await source.started(count)
    source.finish(.failure(error))
  }
}
