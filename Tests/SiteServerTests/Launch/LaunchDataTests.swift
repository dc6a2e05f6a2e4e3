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

  @Test func `the published samples of Telegram and VK have these signatures`() throws {
    // Telegram-Mini-Apps/telegram-apps, apps/docs/packages/init-data-golang.md: as of Bot API 8.0, with a signature for third parties.
    let user =
      #"{"id":279058397,"first_name":"Vladislav + - ? \/","last_name":"Kibenko","username":"vdkfrost","language_code":"ru","is_premium":true,"allows_write_to_pm":true,"photo_url":"https:\/\/t.me\/i\/userpic\/320\/4FPEE4tmP3ATHa57u6MqTDih13LTOiMoKoLDRG4PnSA.svg"}"#
    let fields = [
      "user": user, "chat_instance": "8134722200314281151", "chat_type": "private", "auth_date": "1733509682",
      "signature": "TYJxVcisqbWjtodPepiJ6ghziUL94-KNpG8Pau-X7oNNLNBM72APCpi_RKiUlBvcqo5L-LAxIc3dnTzcZX_PDg",
    ]
    let initData = TelegramLaunch.signed(fields, Secret("7342037359:AAHI25ES9xCOMPokpYoz-p8XVrZUdygo2J4"))
    #expect(initData.hasSuffix("&hash=a433d8f9847bd6addcc563bff7cc82c89e97ea0d90c11fe5729cae6796a36d73"))
    // VKCOM/vk-apps-launch-params, examples/node.js.
    let parameters = [
      "vk_user_id": "494075", "vk_app_id": "6736218", "vk_is_app_user": "1", "vk_are_notifications_enabled": "1",
      "vk_language": "ru", "vk_access_token_settings": "", "vk_platform": "android",
    ]
    let query = VKLaunch.signed(parameters, Secret("wvl68m4dR1UpLrVRli"))
    #expect(query.hasSuffix("&sign=htQFduJpLxz7ribXRZpDFUH-XEUhC9rBPTJkjUFEkRA"))
  }

  @Test func `a signature for third parties is covered by the hash of Telegram's data`() throws {
    let page = try data("{ telegram: { botToken: '12345:key', signature: own } }").page(at: now)
    let hash = try #require(page["hash"]?.stringValue)
    #expect(hash.contains("%26signature%3Down%26hash%3D"))
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
    ("{ line: { channelId: '1' } }", "exactly one of: channelSecret, privateKey"),
    ("{ line: { channelId: '1', privateKey: a } }", "line.privateKey"),
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
