import Essentials

/// The calls of native plugins and handlers that scripts name, by preset: `Camera.getPhoto`, `Echo.say`.
struct PluginCalls: Equatable {
  /// The names of the calls, by the names of presets.
  private(set) var calls: [String: Set<String>] = [:]
  /// The channel objects of webview_flutter.
  private(set) var flutterChannels: Set<String> = []
  /// The methods of Android's objects, by the objects' names.
  private(set) var androidMethods: [String: Set<String>] = [:]

  /// What `init` declares at most of one preset.
  private static let limit = 30

  /// The calls of a preset, in the order of their names.
  func calls(of preset: String) -> [String] { Array((calls[preset] ?? []).sorted().prefix(Self.limit)) }

  /// Adds what a document or a script names.
  mutating func read(_ text: String) {
    if text.contains("flutter_inappwebview") {
      let found = text.matches(of: /callHandler\(\s*["'`](?<name>[A-Za-z_]\w{0,63})["'`]/)
      add("flutter", found.map { String($0.output.name) })
    }
    if text.contains("cordova") {
      let found = text.matches(
        of: /["'](?<service>[A-Za-z_]\w{0,63})["']\s*,\s*["'](?<action>[A-Za-z_]\w{0,63})["']\s*,\s*\[/)
      add("cordova", found.map { "\($0.output.service).\($0.output.action)" })
    }
    if text.contains("apacitor") { readCapacitor(text) }
  }

  /// Adds the channel objects of webview_flutter, in a script that is no vendor's: `Toaster.postMessage("x")` of an object that the script
  /// does not make. Returns whether it has some.
  mutating func readChannels(_ text: String) -> Bool {
    var found: Set<String> = []
    for match in text.matches(of: /(?:^|[^\w.$]|window\??\.)(?<name>[A-Z]\w{0,63})\??\.postMessage\(/) {
      let name = String(match.output.name)
      let made = ["const ", "let ", "var ", "class ", "function ", "import "].contains { text.contains($0 + name) }
      if !made, !Self.othersObjects.contains(name), !name.hasPrefix("Android") { found.insert(name) }
    }
    flutterChannels.formUnion(found)
    return !found.isEmpty
  }

  /// Objects with `postMessage` that are no channels.
  private static let othersObjects: Set<String> = ["ReactNativeWebView", "Worker", "MessagePort", "Window"]

  /// Adds the methods of objects of `addJavascriptInterface`, in a script that is no vendor's. An app may give its object any name: only names
  /// that begin as in Android's manual are known, such as `Android` and `AndroidBridge`. Returns whether it has some.
  mutating func readAndroid(_ text: String) -> Bool {
    let found = text.matches(
      of: /(?:^|[^\w.$]|window\??\.)(?<object>Android\w{0,57})\??\.(?<method>[A-Za-z_]\w{0,63})(?:\?\.)?\(/)
    for match in found.prefix(Self.limit) {
      androidMethods[String(match.output.object), default: []].insert(String(match.output.method))
    }
    return !found.isEmpty
  }

  private mutating func readCapacitor(_ text: String) {
    var plugins = Set(text.matches(of: /registerPlugin\(\s*["'`](?<name>\w{1,64})["'`]/).map { String($0.output.name) })
    plugins.formUnion(text.matches(of: /Capacitor\.Plugins\.(?<name>[A-Z]\w{0,63})/).map { String($0.output.name) })
    let lists = text.matches(
      of: /\{(?<names>[\w\s,]{1,400})\}\s*(?:=\s*(?:window\.)?Capacitor\.Plugins|from\s*["']@capacitor)/)
    for match in lists {
      let names = match.output.names.split { $0 == "," || $0.isWhitespace }
      plugins.formUnion(names.filter { $0.first?.isUppercase == true }.map(String.init))
    }
    plugins.remove("Capacitor")
    for match in text.matches(of: /nativePromise\(\s*["'](?<name>\w{1,64})["']\s*,\s*["'](?<method>\w{1,64})["']/) {
      add("capacitor", ["\(match.output.name).\(match.output.method)"])
    }
    for match in text.matches(of: /\b(?<name>[A-Z]\w{0,63})\.(?<method>[a-z]\w{0,63})\(/) {
      let (name, method) = (String(match.output.name), String(match.output.method))
      if plugins.contains(name), !Self.methodsOfAll.contains(method) { add("capacitor", ["\(name).\(method)"]) }
    }
  }

  /// The methods that every plugin has.
  private static let methodsOfAll: Set<String> = ["addListener", "removeListener", "removeAllListeners"]

  private mutating func add(_ preset: String, _ names: [String]) {
    calls[preset, default: []].formUnion(names)
  }
}
