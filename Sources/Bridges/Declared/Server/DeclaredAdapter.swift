import BridgeCore
import BridgeRuntime
import BridgeServer
import Essentials
import Sessions
import SiteServer

/// An adapter in the page: it turns the wire format of another native bridge into messages with a name and a body. It is one of
/// Footbridge's adapters (presets), or the developer's own script.
struct DeclaredAdapter: Sendable {
  /// The name of one of Footbridge's adapters; nil for none.
  private var preset: String?
  /// Creates the preset's native side in a session; nil for a preset that is only a wire.
  private(set) var host: PresetHostMaker?
  /// Serves what the preset's SDK asks of a server; nil if it asks none.
  private(set) var serve: (@Sendable @BridgeActor (ServerContext) -> Void)?
  /// The options of the adapter, an object.
  private var options: JSONValue?
  /// The developer's own adapter, as a list of one script; empty for none.
  private(set) var scripts: [BridgeScript] = []

  /// What an error of native can be on the way to the page.
  enum Errors {
    /// A text. An `Error` of the page has nothing else.
    case texts
    /// A text, or an object with a message and more members.
    case objects
    /// Any value.
    case values
  }

  /// What errors can be.
  var errors: Errors {
    switch wire {
    case nil: scripts.isEmpty ? .texts : .objects
    case "capacitor", "grab", "median", "minikit", "pywebview", "rakuten", "vk": .objects
    case "cordova", "tauri", "teams", "wails": .values
    default: .texts
    }
  }

  /// What the native side of the preset does with a page that wants a window; nil if it is that of all web views.
  var windows: DeclaredWindows? {
    switch wire {
    case "capacitor": .outside
    case "cordova", "flutter", "react-native": .same
    default: nil
    }
  }

  /// The preset whose wire this one has: itself, unless it has a native side on the wire of another.
  private var wire: String? { preset.map { PresetReader.all[$0]?.wire ?? $0 } }

  /// What the preset's native tells pages when the app goes to the background; nil for nothing.
  var lifecycle: PresetLifecycle? { wire.flatMap { PresetLifecycle.all[$0] } }

  private static let folder = "bridges/declared/presets/"

  /// The path of one of Footbridge's adapters, below `web/`.
  static func path(of preset: String) -> String { "\(folder)\(preset).js" }

  /// Whether methods of native objects are those of Java.
  var isJava: Bool { preset == "android" }

  /// Whether all frames have what native adds, where the section does not say it.
  var isInAllFrames: Bool { preset == "android" }

  /// The names of Footbridge's adapters.
  static let presets = EmbeddedFile.all.keys.filter { $0.hasPrefix(folder) }
    .map { String($0.dropFirst(folder.count).dropLast(".js".count)) }.sorted()

  /// No adapter.
  init() {}

  /// Whether there is no adapter.
  var isNone: Bool { preset == nil && scripts.isEmpty }

  /// Reads `preset`, `adapter` and `options` of a bridge's section.
  init(_ members: [String: InputNode], bridge: String) throws(OptionError) {
    var reader: PresetReader?
    if let node = members["preset"] {
      let name = try node.text()
      guard Self.presets.contains(name) else {
        throw node.expected(oneOf: Self.presets)
      }
      reader = PresetReader.all[name]
      preset = name
    }
    if let node = members["adapter"] {
      let members = node.isMapping ? try node.section(["file", "text"]) : ["file": node]
      let (text, file) = try node.script(members, limit: 1 << 20)
      scripts = [Self.script(text, named: file, of: bridge)]
    }
    if let node = members["options"] {
      if preset == nil, scripts.isEmpty { throw node.expected("left out: only a preset or an adapter has options") }
      options = .object(try node.jsonMembers())
    }
    if let reader { try readHost(reader, members["options"]) }
  }

  private mutating func readHost(_ reader: PresetReader, _ node: InputNode?) throws(OptionError) {
    let members = try node?.members() ?? []
    let own = members.filter { reader.keys.contains($0.name) }.map { ($0.name, $0.value) }
    host = try reader.read(Dictionary(own, uniquingKeysWith: { first, _ in first }))
    serve = reader.serve
    options = .object(reader.wireOptions(options?.objectValue ?? [:]))
  }

  /// The script is the body of a function, which is called once, before any script of the page.
  private static func script(_ text: [UInt8], named file: String, of bridge: String) -> BridgeScript {
    let name = JSONValue.string(bridge).jsonText
    let begin = "document[Symbol.for(\"footbridge\")].adapt(\(name), function (native) {\n"
    return BridgeScript(
      Array(begin.utf8) + text + Array("\n});\n".utf8), name: "adapter-\(file)",
      number: 0, of: bridge, at: .start)
  }

  /// Whether the adapter takes navigations, or can do so.
  var takesNavigations: Bool { preset == "wvjb" || !scripts.isEmpty }

  /// The files of `web/bridges/` that the shim needs for the adapter.
  var files: [String] {
    if isNone { return [] }
    return ["declared/adapters.js"] + (takesNavigations ? ["declared/navigations.js"] : [])
      + (scripts.isEmpty ? [] : ["declared/store.js"])
      + (preset.map { ["declared/presets/\($0).js"] } ?? [])
  }

  /// The adapter's members in the shim's configuration.
  var members: [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    members["preset"] = preset.map { .string($0) }
    members["options"] = options
    if !scripts.isEmpty { members["adapter"] = true }
    return members
  }
}
