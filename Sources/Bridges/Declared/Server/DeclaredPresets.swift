import SiteServer

/// Footbridge's adapters: their names, their files, and what the server does for each beside its file.
enum DeclaredPresets {
  /// What the server does for an adapter.
  struct Traits: Sendable {
    /// What errors of native can be on the way to the page.
    var errors = DeclaredAdapter.Errors.texts
    /// What native does with a page that wants a window; nil if it is that of all web views.
    var windows: DeclaredWindows?
    /// Whether methods of native objects are those of Java.
    var isJava = false
    /// Whether all frames have what native adds, where the section does not say it.
    var isInAllFrames = false
    /// Whether it takes navigations.
    var takesNavigations = false
  }

  private static let folder = "bridges/declared/presets/"

  /// The names of all.
  static let names = EmbeddedFile.all.keys.filter { $0.hasPrefix(folder) }
    .map { String($0.dropFirst(folder.count).dropLast(".js".count)) }.sorted()

  /// The path of one, below `web/`.
  static func path(of preset: String) -> String { "\(folder)\(preset).js" }

  /// The preset whose wire one has: itself, unless it has a native side on the wire of another.
  static func wire(of preset: String) -> String { PresetReader.all[preset]?.wire ?? preset }

  /// What the server does for one: what it does for its wire.
  static func traits(of preset: String) -> Traits { wires[wire(of: preset)] ?? Traits() }

  private static let wires: [String: Traits] = [
    "airship": Traits(takesNavigations: true),
    "android": Traits(isJava: true, isInAllFrames: true),
    "capacitor": Traits(errors: .objects, windows: .outside),
    "cordova": Traits(errors: .values, windows: .same),
    "farcaster": Traits(errors: .objects),
    "flutter": Traits(windows: .same),
    "grab": Traits(errors: .objects),
    "liff": Traits(errors: .objects, takesNavigations: true),
    "median": Traits(errors: .objects),
    "minikit": Traits(errors: .objects),
    "pywebview": Traits(errors: .objects),
    "rakuten": Traits(errors: .objects),
    "react-native": Traits(windows: .same),
    "tauri": Traits(errors: .values),
    "teams": Traits(errors: .values),
    "vk": Traits(errors: .objects),
    "wails": Traits(errors: .values),
    "wechat": Traits(errors: .objects),
    "wvjb": Traits(takesNavigations: true),
    "zoom": Traits(errors: .objects),
  ]
}
