import BridgeCore
import Testing

@testable import Sessions

@Suite struct DeviceTests {
  @Test(
    "An app passes each state on its way, as on iOS",
    arguments: [
      (.active, .suspended, [.willResignActive, .didEnterBackground]),
      (.suspended, .active, [.willEnterForeground, .didBecomeActive]),
      (.active, .inactive, [.willResignActive]), (.inactive, .active, [.didBecomeActive]),
      (.inactive, .background, [.didEnterBackground]), (.background, .inactive, [.willEnterForeground]),
      (.background, .suspended, []), (.suspended, .background, []), (.active, .active, []),
    ] as [(AppState, AppState, [DeviceEvent])])
  func events(from: AppState, to: AppState, expected: [DeviceEvent]) {
    #expect(from.events(to: to) == expected)
  }

  @Test func `a launched app is active, and the rest of the device stays`() {
    var device = Device()
    device.textSize = 120
    var changed = device
    changed.state = .suspended
    changed.opening = .shortcut("scan")
    #expect(changed.launched == device)
  }

  @Test func `requests ask for the person's languages in their order`() {
    var device = Device()
    #expect(device.acceptLanguage == nil)
    device.languages = ["de-AT"]
    #expect(device.acceptLanguage == "de-AT")
    device.languages = ["de-AT", "de", "en"]
    #expect(device.acceptLanguage == "de-AT,de;q=0.9,en;q=0.8")
  }

  @Test(
    "A link over http leads to its path on the site, and everything else to the start",
    arguments: [
      (.link("https://shop.example/a/b?c=1#d"), "/a/b?c=1#d"), (.link("HTTP://shop.example"), "/"),
      (.link("https://shop.example?c=1"), "/?c=1"), (.link("https://shop.example//evil.example/a"), "/evil.example/a"),
      (.link("https://shop.example/\\evil.example"), "/evil.example"), (.link("shop://a/b"), "/"),
      (.push(["id": 1]), "/"),
      (.shortcut("scan"), "/"),
    ] as [(AppOpening, String)])
  func path(opening: AppOpening, expected: String) {
    #expect(opening.path == expected)
  }
}
