import Testing

@testable import FootbridgeCommand

struct BridgeMarksTests {
  @Test(
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
      ("wails", "from '../wailsjs/go/main/App'"), ("cordova-purchase", "CdvPurchase.store.order(1)"),
      ("farcaster", "from '@farcaster/miniapp-sdk'"), ("wechat", "WeixinJSBridge.invoke('closeWindow')"),
      ("zoom", "from '@zoom/appssdk'"), ("liff", "await liff.init({ liffId })"),
      ("airship", "UAirship.runAction('share_action', 'x')"), ("adapty", "from '@adapty/capacitor'"),
      ("qonversion", "from '@qonversion/capacitor-plugin'"),
      ("pywebview", "addEventListener('pywebviewready', start)"),
    ])
  func `a script that names a bridge is found`(bridge: String, script: String) {
    var marks = BridgeMarks()
    marks.read(script)
    #expect(marks.bridges == [bridge])
    #expect(marks.channels == [])
  }

  @Test func `a message handler that belongs to no known bridge is found by its name`() {
    var marks = BridgeMarks()
    marks.read("webkit.messageHandlers.acme.postMessage(1); window.webkit?.messageHandlers?.shop.postMessage(2)")
    marks.read(#"webkit.messageHandlers["log"].postMessage(3)"#)
    #expect(marks.channels == ["acme", "log", "shop"])
  }

  @Test func `a message handler beside a host's own is found, and not one in the script of a vendor`() {
    var marks = BridgeMarks()
    marks.read("onside.purchase({}); webkit.messageHandlers.acme.postMessage(webkit.messageHandlers.gbgBridge)")
    marks.read("registerPlugin('Camera'); webkit.messageHandlers.bridge.postMessage(1)")
    #expect(marks.bridges == ["capacitor", "gbg", "onside"])
    #expect(marks.channels == ["acme"])
  }

  @Test func `a message handler that a script uses by a variable is found`() {
    var marks = BridgeMarks()
    marks.read("const h = window.webkit.messageHandlers; h.pay.postMessage(1); port.other.postMessage(2)")
    marks.read("let i = webkit?.messageHandlers || {}; i.log?.postMessage(3); const one = webkit.messageHandlers.acme;")
    #expect(marks.channels == ["acme", "log", "pay"])
  }

  @Test func `a page for React Native, Android and a message handler has all three`() {
    var marks = BridgeMarks()
    marks.read(
      "if (window.ReactNativeWebView) ReactNativeWebView.postMessage('x'); else if (window.Android) Android.save('x'); "
        + "else webkit.messageHandlers.pay.postMessage(webkit.messageHandlers.ReactNativeWebView)")
    #expect(marks.bridges == ["android", "react-native"])
    #expect(marks.channels == ["pay"])
  }

  @Test func `a preset that has another's wire takes its place`() {
    var marks = BridgeMarks()
    marks.read("import { Purchases } from '@revenuecat/purchases-capacitor'; import '@capacitor/core'")
    marks.read("import '@capacitor/core'")
    #expect(marks.bridges == ["revenuecat"])
  }

  @Test func `an object of Android is found by its name, with its methods`() {
    var marks = BridgeMarks()
    marks.read("window.Android?.showToast('hi'); if (window.Android) { token = Android.getToken() }")
    marks.read("AndroidBridge.postMessage('x'); webkit.messageHandlers.acme.postMessage(1); ua.includes('Android')")
    marks.read("vkBridge.send('VKWebAppInit'); window.AndroidInterface.call()")
    #expect(marks.bridges == ["android", "vk"])
    #expect(marks.channels == ["acme"])
    #expect(marks.calls.androidMethods == ["Android": ["showToast", "getToken"], "AndroidBridge": ["postMessage"]])
  }

  @Test func `a page without a bridge has no marks`() {
    var marks = BridgeMarks()
    marks.read("<!doctype html><script>fetch('/cart')</script>")
    #expect(marks.isEmpty)
  }

  @Test func `a named bridge is a preset if there is one, else a message handler`() {
    let marks = BridgeMarks(named: ["acme", "telegram", "onside", "median"], presets: ["telegram", "median"])
    #expect(marks.bridges == ["median", "onside", "telegram"])
    #expect(marks.channels == ["acme"])
  }

  @Test(arguments: [
    ("flutter", "window.flutter_inappwebview.callHandler('sum', 1, 2)", ["sum"]),
    ("cordova", "cordova.exec(done, () => fail(), 'Echo', 'say', ['a'])", ["Echo.say"]),
    ("capacitor", "import { Camera, Result } from '@capacitor/camera'; Camera.getPhoto({})", ["Camera.getPhoto"]),
    ("capacitor", "const Shop = registerPlugin('Shop'); Shop.buy({}) /* Capacitor */", ["Shop.buy"]),
    ("capacitor", "const { Device } = Capacitor.Plugins; await Device.getInfo(); Math.max(1, 2)", ["Device.getInfo"]),
    ("capacitor", "Capacitor.nativePromise('App', 'getState', {})", ["App.getState"]),
  ])
  func `calls of plugins and handlers are found by their names`(bridge: String, script: String, calls: [String]) {
    var marks = BridgeMarks()
    marks.read(script)
    #expect(marks.calls.calls(of: bridge) == calls)
  }

  @Test func `a channel object of Flutter is found, and not an object that the script makes`() {
    var marks = BridgeMarks()
    marks.read("Toaster.postMessage('hello'); if (window.Log) window.Log.postMessage('x')")
    marks.read("const Channel = new BroadcastChannel('a'); Channel.postMessage(1); port.postMessage(2)")
    marks.read("window.ReactNativeWebView.postMessage('x')")
    #expect(marks.bridges == ["flutter", "react-native"])
    #expect(marks.calls.flutterChannels == ["Log", "Toaster"])
  }
}
