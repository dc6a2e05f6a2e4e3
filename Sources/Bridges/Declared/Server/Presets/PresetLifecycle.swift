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
  /// - Cordova: apache/cordova-ios, CordovaLib/Classes/Public/CDVViewController.m.
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
