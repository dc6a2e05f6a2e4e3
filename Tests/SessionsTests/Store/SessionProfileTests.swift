import BridgeCore
import CookieJar
import Foundation
import Testing

@testable import OnsideServer
@testable import Sessions
@testable import TodayServer

@Suite struct SessionProfileTests {
  @Test func `members of a later version are stored again`() throws {
    let text = #"{"name":"n","later":{"level":3}}"#
    var profile = try JSONDecoder().decode(SessionProfile.self, from: Data(text.utf8))
    profile.name = "m"
    let stored = try JSONValue(parsing: JSONEncoder().encode(profile))
    #expect(stored["later"] == ["level": 3])
    #expect(stored["name"] == "m")
  }

  @Test func `the settings of bridges are stored under their names`() throws {
    var profile = SessionProfile()
    profile["acme"]["level"] = 3
    profile.isSignedInToToday = true
    let data = try JSONEncoder().encode(profile)
    #expect(try JSONDecoder().decode(SessionProfile.self, from: data) == profile)
    #expect(try JSONValue(parsing: data)["bridges"] == ["acme": ["level": 3], "today": ["signedIn": true]])
    profile["acme"]["level"] = nil
    profile.isSignedInToToday = nil
    #expect(profile == SessionProfile())
  }
}
