package import BridgeCore
package import Sessions

/// What native of a preset tells its pages when the app goes to the background and comes back: calls of functions of the page, or of listeners,
/// as the adapter of the preset understands them.
package struct PresetLifecycle: Sendable {
  private let calls: [DeviceEvent: [DeclaredEvent]]

  /// The presets whose vendors' sources say so, by their wires.
  ///
  /// - Capacitor: ionic-team/capacitor-plugins, app/ios/Sources/AppPlugin/AppPlugin.swift (06762a9), and CapacitorBridge.swift for the events of
  ///   the document.
  /// - Cordova: apache/cordova-ios, CordovaLib/Classes/Public/CDVViewController.m; for links, CDVSceneDelegate.m and CDVHandleOpenURL.m (0995709).
  /// - Telegram: telegram-web-app.js makes `activated` and `deactivated` of `visibility_changed`.
  /// - VK: VKCOM/vk-bridge, packages/core/src/types/data.ts (1e31f42).
  package static let all: [String: PresetLifecycle] = [
    "capacitor": [
      .willResignActive: [("App.appStateChange", [["isActive": false]])],
      .didEnterBackground: [("Capacitor.triggerEvent", ["pause", "document"]), ("App.pause", [[:]])],
      .willEnterForeground: [("Capacitor.triggerEvent", ["resume", "document"]), ("App.resume", [[:]])],
      .didBecomeActive: [("App.appStateChange", [["isActive": true]])],
    ],
    "cordova": [
      .willResignActive: [("cordova.fireDocumentEvent", ["resign"])],
      .didEnterBackground: [("cordova.fireDocumentEvent", ["pause", nil, true])],
      .willEnterForeground: [("cordova.fireDocumentEvent", ["resume"])],
      .didBecomeActive: [("cordova.fireDocumentEvent", ["active"])],
    ],
    "telegram": [
      .didEnterBackground: [("visibility_changed", [["is_visible": false]])],
      .willEnterForeground: [("visibility_changed", [["is_visible": true]])],
    ],
    "vk": [
      .didEnterBackground: [("VKWebAppViewHide", [[:]])], .willEnterForeground: [("VKWebAppViewRestore", [[:]])],
    ],
  ]

  /// The events of plugins about what has opened the app, by which Capacitor's plugins tell it: App, and PushNotifications
  /// (push-notifications/ios/Sources/PushNotificationsPlugin/PushNotificationsHandler.swift).
  private static func event(of opening: AppOpening?) -> (plugin: String, name: String, data: JSONValue)? {
    switch opening {
    case .link(let link):
      ("App", "appUrlOpen", ["url": .string(link), "iosSourceApplication": "", "iosOpenInPlace": ""])
    case .push(let data):
      ("PushNotifications", "pushNotificationActionPerformed", ["actionId": "tap", "notification": ["data": data]])
    case .shortcut, nil: nil
    }
  }

  /// Whether a page listens by a message for what has opened the app.
  func listens(_ name: String, _ body: JSONValue, for opening: AppOpening?) -> Bool {
    guard isOfCapacitor, let event = Self.event(of: opening) else { return false }
    return name == "\(event.plugin).addListener" && body["options"]?["eventName"]?.stringValue == event.name
  }

  /// What the page is told of what has opened the app.
  func calls(for opening: AppOpening?) -> [DeclaredEvent] {
    if isOfCordova, let link = opening?.schemeLink {
      return DeclaredEvent.call([.string("handleOpenURL")], [.string(link)]).map { [$0] } ?? []
    }
    guard isOfCapacitor, let event = Self.event(of: opening) else { return [] }
    return DeclaredEvent.call([.string("\(event.plugin).\(event.name)")], [event.data]).map { [$0] } ?? []
  }

  /// The answer to a page that asks which link has launched the app; nil if the message asks something else, or another opening.
  func answer(to name: String, _ opening: AppOpening?) -> JSONValue? {
    guard isOfCapacitor, name == "App.getLaunchUrl", case .link(let link) = opening else { return nil }
    return ["url": .string(link)]
  }

  /// Capacitor alone has plugins that tell pages what has opened the app.
  private var isOfCapacitor: Bool { owner == "App" }
  /// Cordova's native calls a function of the page when a link of the app's own scheme has opened it: the first page if that has launched the
  /// app. It does not tell universal links.
  var isOfCordova: Bool { owner == "cordova" }

  /// The object whose functions native calls.
  private var owner: JSONValue? { calls[.willResignActive]?.first?.data["path"]?.arrayValue?.first }

  /// What the page is told of an event, in order.
  package subscript(event: DeviceEvent) -> [DeclaredEvent] { calls[event] ?? [] }
}

extension PresetLifecycle: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (DeviceEvent, [(path: String, arguments: JSONValue)])...) {
    calls = Dictionary(
      elements.map { event, calls in (event, calls.compactMap { DeclaredEvent.call([.string($0.path)], $0.arguments) })
      }
    ) { $1 }
  }
}
