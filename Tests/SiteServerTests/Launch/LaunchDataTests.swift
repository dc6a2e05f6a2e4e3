import BridgeCore
import BridgeRuntime
import BridgeServer
import HTTPTypes
import Testing

@testable import Footbridge
@testable import SiteServer

@Suite struct LaunchDataTests {
  private let now = BridgeInstant(millisecondsSinceEpoch: 1_700_000_000_000)

  private func data(_ yaml: String) throws -> LaunchData {
    try OptionFile(path: "footbridge.yaml", text: "launch: \(yaml)").launch
  }

  @Test func `Telegram's data has the hash that the bot's backend computes`() throws {
    let page = try data("{ telegram: { botToken: '12345:key', user: { id: 7, first_name: Eva }, startParam: sale } }")
      .page(at: now)
    let hash = try #require(page["hash"]?.stringValue)
    #expect(hash.hasPrefix("tgWebAppData=auth_date%3D1700000000%26start_param%3Dsale%26user%3D"))
    #expect(
      hash.contains("hash%3D4c6f26dec4aab2202bef282cd3b3d8d1a45c82dfca4d940c31de687abab6f000&tgWebAppVersion=8.0"))
  }

  @Test func `VK's parameters have the sign that the app's backend computes`() throws {
    let page = try data("{ vk: { secretKey: secret, parameters: { vk_user_id: 494075, vk_app_id: 6736218 } } }")
      .page(at: now)
    #expect(
      page["query"]?.stringValue
        == "vk_app_id=6736218&vk_are_notifications_enabled=0&vk_is_app_user=1&vk_language=en&vk_platform=mobile_iphone&vk_ref=other&vk_ts=1700000000&vk_user_id=494075&sign=lcGsmqqiy5an7h0V73MpowZNVDWL383HrfR9B9WZoc4"
    )
  }

  @Test func `fragments of several apps are joined, and the data is signed anew each time`() throws {
    let data = try data("{ hash: '#a=1', line: { channelId: '1', channelSecret: s } }")
    let first = try #require(data.page(at: now)["hash"]?.stringValue)
    let second = data.page(at: now.advanced(by: .seconds(60)))["hash"]?.stringValue
    #expect(first.hasPrefix("a=1&id_token=") && first != second)
  }

  @BridgeActor @Test func `the first document of a session sets the cookies, and no later one`() throws {
    let launches = Launches(try data("{ cookies: [{ name: sid, value: '1', httpOnly: true, sameSite: Lax }] }"))
    var first = HTTPFields()
    var second = HTTPFields()
    #expect(launches.isFirst(nil) && launches.isFirst("a"))
    launches.serves("a", &first)
    launches.serves("a", &second)
    #expect(first[values: .setCookie] == ["sid=1; Path=/; HttpOnly; SameSite=Lax"] && second.isEmpty)
    #expect(!launches.isFirst("a") && launches.isFirst("b"))
    launches.set(try data("{ cookies: [{ name: own, value: '2', secure: true, maxAge: 60 }] }"), of: "a")
    var third = HTTPFields()
    launches.serves("a", &third)
    #expect(third[values: .setCookie] == ["own=2; Path=/; Secure; Max-Age=60"])
    launches.reset("a")
    #expect(launches["a"].cookies.map(\.name) == ["sid"])
  }

  @Test(arguments: [
    ("{ cookies: [{ name: 'a=b', value: '1' }] }", "cookies[0].name"),
    ("{ cookies: [{ name: a, value: 'x; Domain=b' }] }", "cookies[0]"),
    ("{ cookies: [{ name: a, value: \"x\\r\\nX-Y: z\" }] }", "cookies[0]"),
    ("{ cookies: [{ name: a }] }", "cookies[0]"),
    ("{ cookies: [{ name: a, value: '1' }, { name: a, value: '2' }] }", "cookies[1]"),
    ("{ cookies: [{ name: a, value: '1', path: b }] }", "cookies[0]"),
    ("{ headers: { Host: a } }", "headers"), ("{ firstHeaders: { 'X Y': a } }", "firstHeaders"),
    ("{ telegram: { user: {} } }", "telegram"),
    ("{ vk: { secretKey: a, parameters: { sign: b } } }", "vk.parameters.sign"),
    ("{ line: { channelId: a } }", "line"), ("{ windows: {} }", "windows"),
  ])
  func `what is wrong is refused with its place`(yaml: String, place: String) {
    #expect {
      try data(yaml)
    } throws: {
      "\($0)".contains(place)
    }
  }

  @Test func `an error does not have a secret`() {
    #expect {
      try data("{ telegram: { botToken: [s3cret] } }")
    } throws: {
      !"\($0)".contains("s3cret")
    }
  }
}
