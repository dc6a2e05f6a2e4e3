import Testing

@testable import FootbridgeCommand

struct BridgeMarksTests {
  @Test(
    "A script that names a bridge is found",
    arguments: [
      ("onside", "await window.onside.loadProducts({})"), ("gbg", "webkit.messageHandlers.gbgBridge.postMessage(1)"),
      ("today", "webkit.messageHandlers.todayWebViewBridge"),
      ("capacitor", "from '@capacitor/core'"),
      ("cordova", "cordova.exec(done, fail, 'Echo', 'say', [])"), ("react-native", "ReactNativeWebView.postMessage(1)"),
      ("hotwire", "from '@hotwired/hotwire-native-bridge'"), ("telegram", "Telegram.WebApp.ready()"),
      ("wvjb", "setupWebViewJavascriptBridge(start)"), ("dsbridge", "window._dsbridge"),
      ("flutter", "flutter_inappwebview.callHandler('x')"), ("duckduckgo", "navigator.duckduckgo.messageHandlers"),
      ("vk", "bridge.send('VKWebAppInit')"), ("minikit", "from '@worldcoin/minikit-js'"),
      ("teams", "microsoftTeams.app.initialize()"), ("rakuten", "from 'js-miniapp-sdk'"),
      ("grab", "from '@grabjs/superapp-sdk'"), ("median", "from 'median-js-bridge'"),
      ("despia", "import despia from 'despia-native'"), ("tauri", "from '@tauri-apps/api/core'"),
      ("wails", "from '../wailsjs/go/main/App'"), ("pywebview", "addEventListener('pywebviewready', start)"),
    ])
  func aBridgeIsFound(bridge: String, script: String) {
    var marks = BridgeMarks()
    marks.read(script)
    #expect(marks.bridges == [bridge])
    #expect(marks.channels == [])
  }

  @Test("A message handler that belongs to no known bridge is found by its name")
  func anUnknownMessageHandlerIsFound() {
    var marks = BridgeMarks()
    marks.read("webkit.messageHandlers.acme.postMessage(1); window.webkit?.messageHandlers?.shop.postMessage(2)")
    marks.read(#"webkit.messageHandlers["log"].postMessage(3)"#)
    #expect(marks.channels == ["acme", "log", "shop"])
  }

  @Test("A page without a bridge has no marks")
  func aPageWithoutABridgeHasNoMarks() {
    var marks = BridgeMarks()
    marks.read("<!doctype html><script>fetch('/cart')</script>")
    #expect(marks.isEmpty)
  }

  @Test("A named bridge is a preset if there is one, else a message handler")
  func aNamedBridge() {
    let marks = BridgeMarks(named: ["acme", "telegram", "onside", "median"], presets: ["telegram", "median"])
    #expect(marks.bridges == ["median", "onside", "telegram"])
    #expect(marks.channels == ["acme"])
  }
}
