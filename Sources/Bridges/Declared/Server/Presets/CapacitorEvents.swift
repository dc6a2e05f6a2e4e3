import BridgeCore
import BridgeRuntime

/// The events of a plugin of Capacitor (`CAPPlugin.notifyListeners`): which pages listen, and what waits for the first listener.
struct CapacitorEvents {
  /// The plugin's name in the page.
  let plugin: String
  /// Whether events wait for a listener, as with `retainUntilConsumed`.
  let areRetained: Bool
  private var pages: [String: [DeclaredPage]] = [:]
  private var waiting: [String: [JSONValue]] = [:]

  /// The maximum number of events of a name that wait, and of names that a page listens to.
  private static let limit = 100

  init(of plugin: String, areRetained: Bool = false) {
    self.plugin = plugin
    self.areRetained = areRetained
  }

  /// Takes a call of the page to add or remove a listener. Returns false for other methods.
  @BridgeActor
  mutating func take(_ method: String, _ body: JSONValue, from page: DeclaredPage) -> Bool {
    switch method {
    case "addListener":
      guard let event = body["options"]?["eventName"]?.stringValue, pages.count < Self.limit || pages[event] != nil
      else { return true }
      if pages[event]?.contains(where: { $0 === page }) != true { pages[event, default: []].append(page) }
      for data in waiting.removeValue(forKey: event) ?? [] { Self.send(plugin, event, data, to: page) }
    case "removeListener", "removeAllListeners": break  // The page has no listener any more, and its wire knows it.
    default: return false
    }
    return true
  }

  /// Tells the listeners of all pages.
  @BridgeActor
  mutating func send(_ event: String, _ data: JSONValue) {
    let listening = pages[event] ?? []
    if listening.isEmpty, areRetained, (waiting[event]?.count ?? 0) < Self.limit {
      waiting[event, default: []].append(data)
    }
    for page in listening { Self.send(plugin, event, data, to: page) }
  }

  @BridgeActor
  private static func send(_ plugin: String, _ event: String, _ data: JSONValue, to page: DeclaredPage) {
    if let call = DeclaredEvent.call([.string(plugin), .string(event)], [data]) { page.send(call) }
  }

  /// Forgets a page that has ended.
  mutating func forget(_ page: DeclaredPage) {
    for event in pages.keys { pages[event]?.removeAll { $0 === page } }
  }
}
