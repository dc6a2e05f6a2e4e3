import Essentials

/// The bridges that a page uses, by what its documents and scripts name.
struct BridgeMarks: Equatable {
  /// A bridge, and texts that only its pages or the vendor's script have.
  private static let marks: [(bridge: String, texts: [String])] = [
    ("onside", ["window.onside", "onside.loadProducts", "onside.purchase", "onside.initialize"]),
    ("gbg", ["gbgBridge"]),
    ("today", ["todayWebViewBridge"]),
    (
      "capacitor",
      ["@capacitor/core", "Capacitor.Plugins", "Capacitor.fromNative", "window.Capacitor", "registerPlugin("]
    ),
    ("cordova", ["cordova.js", "cordova.exec", "cordova/exec", "nativeEvalAndFetch"]),
    ("dsbridge", ["_dsbridge", "_dsb.dsinit", "dsBridge.call"]),
    ("duckduckgo", ["navigator.duckduckgo"]),
    ("flutter", ["flutter_inappwebview"]),
    ("hotwire", ["@hotwired/hotwire-native-bridge", "@hotwired/strada", "window.nativeBridge"]),
    ("react-native", ["ReactNativeWebView"]),
    ("telegram", ["telegram-web-app.js", "Telegram.WebApp", "TelegramWebviewProxy"]),
    ("wvjb", ["WebViewJavascriptBridge"]),
    ("vk", ["@vkontakte/vk-bridge", "vkBridge.send", "VKWebAppInit"]),
    ("minikit", ["@worldcoin/minikit-js", "MiniKit.install"]),
    ("teams", ["@microsoft/teams-js", "microsoftTeams.app", "microsoftTeams.initialize"]),
    ("rakuten", ["js-miniapp-sdk", "MiniAppiOS"]),
    ("grab", ["@grabjs/superapp-sdk", "@grabjs/mobile-kit-bridge-sdk"]),
    ("median", ["median-js-bridge", "median://", "gonative://"]),
    ("despia", ["despia-native", "window.despia"]),
    ("tauri", ["@tauri-apps/api", "__TAURI_INTERNALS__", "window.__TAURI__"]),
    ("wails", ["wailsjs/", "/wails/runtime.js", "WailsInvoke"]),
    ("farcaster", ["@farcaster/miniapp-sdk", "@farcaster/frame-sdk", "FarcasterFrameCallback"]),
    ("wechat", ["WeixinJSBridge", "jweixin", "weixin-js-sdk"]),
    ("zoom", ["@zoom/appssdk", "zoomSdk."]),
    ("liff", ["@line/liff", "line-scdn.net/liff", "liff.init("]),
    ("airship", ["UAirship.", "ualibraryready", "uairship://"]),
    ("adapty", ["@adapty/capacitor"]),
    ("qonversion", ["@qonversion/capacitor-plugin"]),
    ("revenuecat", ["@revenuecat/purchases-capacitor"]),
    ("cordova-purchase", ["CdvPurchase", "cordova-plugin-purchase"]),
    ("pywebview", ["window.pywebview", "pywebviewready", "pywebview.api"]),
  ]

  /// Known bridges and presets, in the order of their names.
  private(set) var bridges: [String] = []
  /// The message handlers of a bridge that nobody knows.
  private(set) var channels: [String] = []
  /// What the page calls by known bridges.
  private(set) var calls = PluginCalls()

  var isEmpty: Bool { bridges.isEmpty && channels.isEmpty }

  init() {}

  /// What a person has named: bridges, presets, and else message handlers.
  init(named names: [String], presets: [String]) {
    let known = Set(Self.marks.map { $0.bridge } + presets)
    bridges = Set(names.filter { known.contains($0) }).sorted()
    channels = Set(names.filter { !known.contains($0) }).sorted()
  }

  /// Adds what a document or a script names. The message handlers in a vendor's script are the vendor's.
  mutating func read(_ text: String) {
    var found = Self.marks.filter { $0.texts.contains { text.contains($0) } }.map { $0.bridge }
    calls.read(text)
    if found.allSatisfy({ Self.hosts[$0] != nil || $0 == "flutter" }) {
      if calls.readChannels(text), !found.contains("flutter") { found.append("flutter") }
    }
    if found.allSatisfy({ Self.hosts[$0] != nil }), calls.readAndroid(text) { found.append("android") }
    let all = Set(bridges + found)
    bridges = all.subtracting(all.compactMap { Self.wires[$0] }).sorted()
    guard found.allSatisfy({ Self.hosts[$0] != nil || $0 == "android" }) else { return }
    let known = Set(Self.hosts.values.joined())
    let named =
      text.matches(of: Self.channel).map { String($0.output.name ?? $0.output.quoted ?? "") } + Self.aliased(in: text)
    channels = Set(channels + named.filter { !$0.isEmpty && !known.contains($0) }).sorted()
  }

  /// The presets whose wire another preset has, too.
  private static let wires = [
    "adapty": "capacitor", "cordova-purchase": "cordova", "qonversion": "capacitor", "revenuecat": "capacitor",
  ]

  /// The message handlers of the bridges whose pages have no script of a vendor.
  private static let hosts = [
    "onside": [], "gbg": ["gbgBridge"], "today": ["todayWebViewBridge"], "react-native": ["ReactNativeWebView"],
  ]

  /// The message handlers that a script uses by a variable: `const h = webkit.messageHandlers; h.pay.postMessage(1)`.
  private static func aliased(in text: String) -> [String] {
    let made = text.matches(
      of:
        #/
        (?<variable>[A-Za-z_$][\w$]{0,63}) \s*=\s* (?:window\??\.)? webkit\??\.messageHandlers \s* [^\s.?\[\w]
      /#)
    let variables = Set(made.map(\.output.variable))
    if variables.isEmpty { return [] }
    let uses = text.matches(
      of: #/
        (?<variable>[A-Za-z_$][\w$]{0,63}) \??\. (?<name>[A-Za-z_$][\w$]{0,63}) \??\.postMessage\(
      /#)
    return uses.filter { variables.contains($0.output.variable) }.map { String($0.output.name) }
  }

  private static var channel: Regex<(Substring, name: Substring?, quoted: Substring?)> {
    /messageHandlers(?:\??\.(?<name>[A-Za-z_$][A-Za-z0-9_$]{0,63})|\[["'](?<quoted>[A-Za-z_$][A-Za-z0-9_$]{0,63})["']\])/
  }
}
