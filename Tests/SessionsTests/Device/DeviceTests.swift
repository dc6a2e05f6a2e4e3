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
    device.state = .suspended
    #expect(device.launched == Device())
  }
}
