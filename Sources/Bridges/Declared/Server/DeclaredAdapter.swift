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

  /// What the server does for the adapter beside its scripts.
  var traits: DeclaredPresets.Traits {
    var traits = preset.map { DeclaredPresets.traits(of: $0) } ?? .init(errors: scripts.isEmpty ? .texts : .objects)
    if !scripts.isEmpty { traits.takesNavigations = true }
    return traits
  }

  /// What the preset's native tells pages when the app goes to the background; nil for nothing.
  var lifecycle: PresetLifecycle? { preset.flatMap { PresetLifecycle.all[DeclaredPresets.wire(of: $0)] } }

  /// No adapter.
  init() {}

  /// Whether there is no adapter.
  var isNone: Bool { preset == nil && scripts.isEmpty }

  /// Reads `preset`, `adapter` and `options` of a bridge's section.
  init(_ members: [String: InputNode], bridge: String) throws(OptionError) {
    var reader: PresetReader?
    if let node = members["preset"] {
      let name = try node.text()
      guard DeclaredPresets.names.contains(name) else { throw node.expected(oneOf: DeclaredPresets.names) }
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

  /// The files of `web/bridges/` that the shim needs for the adapter.
  var files: [String] {
    if isNone { return [] }
    return ["declared/adapters.js"] + (traits.takesNavigations ? ["declared/navigations.js"] : [])
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
