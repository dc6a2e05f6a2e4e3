/// The states of an app that runs, from the foreground to the background. They are those of iOS.
package enum AppState: String, Sendable, Codable, CaseIterable {
  /// The app is in the foreground and receives touches.
  case active
  /// The app is in the foreground, and something else receives touches: a call, the notification centre, the app switcher.
  case inactive
  /// The app is in the background, and its page is hidden. Scripts run.
  case background
  /// The app is in the background, and nothing of it runs.
  case suspended

  /// What happens to the app on its way to another state, in this order.
  package func events(to other: AppState) -> [DeviceEvent] {
    let states = Self.allCases
    guard let start = states.firstIndex(of: self), let end = states.firstIndex(of: other) else { return [] }
    return start < end
      ? states[start..<end].compactMap(\.eventOfLeaving) : states[end..<start].reversed().compactMap(\.eventOfReturning)
  }

  /// What happens when the app goes on from this state towards the background.
  private var eventOfLeaving: DeviceEvent? {
    switch self {
    case .active: .willResignActive
    case .inactive: .didEnterBackground
    case .background, .suspended: nil
    }
  }

  /// What happens when the app comes back to this state from the next one.
  private var eventOfReturning: DeviceEvent? {
    switch self {
    case .active: .didBecomeActive
    case .inactive: .willEnterForeground
    case .background, .suspended: nil
    }
  }
}

/// Something that happens to the app on its device. The names are those of UIKit.
public enum DeviceEvent: Sendable, Hashable {
  /// The app stops to receive touches.
  case willResignActive
  /// The app is in the background.
  case didEnterBackground
  /// The app comes back from the background.
  case willEnterForeground
  /// The app receives touches again.
  case didBecomeActive
  /// A link, a push notification or a shortcut has opened the app, which was running.
  case opened
}
