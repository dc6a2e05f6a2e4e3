import BridgeCore
import BridgeRuntime
import CookieJar
import FootbridgeTesting
import Foundation
import Testing

@testable import BridgeServer
@testable import Footbridge
@testable import Sessions

@Suite(.footbridge) @BridgeActor struct SessionFileTests {
  private let jar: JSONValue = ["cookies": [["name": "sid", "value": "a-secret-of-the-site"]]]

  private func export(_ session: Session, withSecrets: Bool) throws -> JSONValue {
    try SessionFile.json(of: session, withSecrets: withSecrets, withTranscript: true, at: session.clock.now)
  }

  @Test func `an exported session has no cookies unless secrets are requested`() async throws {
    let server = try TestServer.current
    let (session, _) = server.footbridge.sessions.create(name: "one", beginsUsualScenario: false)
    session.profile["today"] = ["signedIn": true, "cookies": jar]
    let plain = try export(session, withSecrets: false)
    #expect(!plain.jsonText.contains("a-secret-of-the-site"))
    #expect(plain["session"]?["bridges"]?["today"]?["profile"] == ["signedIn": true])
    let full = try export(session, withSecrets: true)
    #expect(full["session"]?["bridges"]?["today"]?["profile"]?["cookies"] == jar)
    let snapshot = try await SessionFile.snapshot(
      InputNode(full, source: "the file"), server.footbridge.sessions.bridgeTable)
    #expect(snapshot.profile["today"]["cookies"] == jar)
  }

  @Test func `an exported session has the settings of its device, on which the app is launched`() async throws {
    let server = try TestServer.current
    let (session, _) = server.footbridge.sessions.create(name: "one", beginsUsualScenario: false)
    #expect(try export(session, withSecrets: true)["session"]?["device"] == nil)
    var device = Device()
    device.colorScheme = .dark
    device.languages = ["de-AT"]
    device.network = Device.Network()
    device.network?.bytesPerSecond = 50_000
    let settings = device
    device.state = .suspended
    device.opening = .push(["order": 7])
    session.change(device)
    let file = try export(session, withSecrets: false)
    #expect(file["session"]?["device"]?["opening"] == nil && file["session"]?["device"]?["colorScheme"] == "dark")
    let snapshot = try await SessionFile.snapshot(
      InputNode(file, source: "the file"), server.footbridge.sessions.bridgeTable)
    #expect(snapshot.profile.device == settings && session.snapshot.profile.device == settings)
  }

  @Test func `an exported session has no known secrets in any member`() throws {
    let server = try TestServer.current
    let (session, cookie) = server.footbridge.sessions.create(name: "one", beginsUsualScenario: false)
    session.journal.secrets.remember(Secret(cookie))
    session.profile.name = "seen \(cookie)"
    #expect(!(try export(session, withSecrets: false).jsonText.contains(cookie)))
    #expect(try export(session, withSecrets: true)["session"]?["name"] == .string("seen \(cookie)"))
  }
}
