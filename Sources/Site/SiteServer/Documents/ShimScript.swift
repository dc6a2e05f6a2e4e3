package import BridgeCore
package import BridgeRuntime
package import HTMLInjection
package import HTTP1
package import Sessions
import WebServer

/// The scripts that pages load: files of `web/` joined into one function.
package enum ShimScript {
  /// The shim with the parts of these bridges. Its function gets the server's configuration as an argument.
  static func shim(
    _ options: SiteOptions, _ limits: FootbridgeLimits, _ bridges: BridgeTable,
    _ parts: [(bridge: String, part: ShimPart)],
    _ platform: Platform,
    stage: [String] = []
  ) -> EmbeddedFile {
    var configuration: [String: JSONValue] = [
      "bridges": .array(bridges.shimBridges.map { .string($0.name) }),
      "platform": .string(platform.rawValue),
      "messageBytes": .number(Double(limits.web.webSocketMessageBytes)),
      "callBytes": .number(Double(min(limits.callBytes, limits.web.webSocketMessageBytes))),
      "handlers": .array(parts.flatMap { $0.part.channels.map(\.json) }),
    ]
    let upstreams = options.upstreamOrigins
    if !upstreams.isEmpty { configuration["upstreams"] = .array(upstreams.map { .string($0) }) }
    for (_, part) in parts { configuration.merge(part.configuration) { merged($0, $1) } }
    // Passed in from outside of the strict function: a developer's script is strict only if it says so.
    let scripts = parts.compactMap { bridge, part in
      part.script.map { "\(JSONValue.string(bridge).jsonText): function (footbridge) {\n\($0)\n}" }
    }
    var members = JSONValue.object(configuration).jsonText
    if let isApp = isApp(options, stage: stage) { members = "{ ...\(members), isApp: \(isApp) }" }
    let arguments = "\(members), {\(scripts.joined(separator: ", "))}"
    let body = body(parts.flatMap { $0.part.files }, watchesPassing: !upstreams.isEmpty)
    let shim = bytes(body: body, parameters: "configuration, scripts", arguments: arguments)
    // The shim has taken what it needs of the browser before the phone's script hides it.
    let phone = PhoneScript(options.phone)?.page ?? []
    // A developer's script may need its lines. The phone's script tells its own address from the page's.
    let isElement = scripts.isEmpty && phone.isEmpty
    return EmbeddedFile(
      path: "shim.js", bytes: shim + phone, isCompressed: true, elementText: isElement ? elementText(shim) : nil)
  }

  /// A script as the text of an element in an HTML document, in one line, so that the document's own lines keep their numbers. Nil if it has
  /// a character outside of ASCII: the document may have any encoding.
  static func elementText(_ script: [UInt8]) -> [UInt8]? {
    guard script.allSatisfy({ $0 < 0x80 }) else { return nil }
    // These would end the element, or keep it from ending (HTML Standard, section 4.12.1.3).
    let text = String(decoding: inOneLine(script), as: UTF8.self)
      .replacing("<!--", with: #"\x3C!--"#).replacing(/<(?=\/script)/.ignoresCase(), with: #"\x3C"#)
    return Array("\(text)//# sourceURL=\(path)".utf8)
  }

  /// What the site's workers begin with for these bridges, in one line; empty for nothing.
  static func worker(_ bridges: BridgeTable) -> [UInt8] {
    let parts = bridges.shimParts.filter { !$0.workerFiles.isEmpty }
    if parts.isEmpty { return [] }
    var configuration: [String: JSONValue] = [:]
    for part in parts { configuration.merge(part.workerConfiguration) { merged($0, $1) } }
    let script = script(
      "worker.js", body: joined(parts.flatMap(\.workerFiles).map { "bridges/\($0)" }), parameters: "configuration",
      arguments: JSONValue.object(configuration).jsonText)
    return inOneLine(script.bytes)
  }

  /// The script without line breaks. Our scripts end each statement with a semicolon, and have no comments at the ends of lines.
  static func inOneLine(_ script: [UInt8]) -> [UInt8] {
    script.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }
  }

  /// A JavaScript expression: whether the document is the app in a frame of a test runner's page. That page has the same origin and no
  /// shim. If it has a shim, it is the app itself.
  private static let isFramedApp = """
    (() => { try { return parent === top && parent !== window && !Object.hasOwn(top.document, Symbol.for("footbridge")); } catch { return false; } })()
    """

  /// A JavaScript expression: whether the document is the app in a frame; nil if no frame can be the app.
  ///
  /// - Parameter stage: The origins of the dashboard if it shows the site in a frame.
  private static func isApp(_ options: SiteOptions, stage: [String]) -> String? {
    let origins = JSONValue.array(stage.map { .string($0) }).jsonText
    let isStaged = "parent === top && parent !== window && \(origins).includes(location.ancestorOrigins?.[0])"
    let tests = (options.isAppFramed ? [isFramedApp] : []) + (stage.isEmpty ? [] : [isStaged])
    return tests.isEmpty ? nil : tests.joined(separator: " || ")
  }

  /// The value of a member that two bridges set: both lists together, or else the second value.
  private static func merged(_ first: JSONValue, _ second: JSONValue) -> JSONValue {
    guard case .array(let elements) = first, case .array(let others) = second else { return second }
    return .array(elements + others)
  }

  /// The message handlers that pages find, as the shim receives them.
  package static func channels(_ bridges: BridgeTable) -> [JSONValue] {
    bridges.shimParts.flatMap { $0.channels.map(\.json) }
  }

  /// The sheets. The shim loads them when it shows the first one.
  package static let sheets = script("sheets.js", body: joined(["sheets/window.js"]))

  /// The script that sets what native has set before the page loads.
  static func launch(_ options: SiteOptions, stage: [String]) -> [UInt8] {
    let isApp = isApp(options, stage: stage) ?? "false"
    return script(
      "launch.js", body: joined(["launch/launch.js"]), parameters: "launch", arguments: "{ isApp: \(isApp) }"
    ).bytes
  }

  /// The script that has a page notice its device. It comes with the shim, or the shim loads it when the host says so.
  package static let device = script("device.js", body: joined(["device/device.js"]))

  /// The words of the sheets, by their routes: a script for each language but English, which the sheets have anyway.
  package static let words: [String: EmbeddedFile] = {
    let paths = EmbeddedFile.all.keys.filter { $0.hasPrefix("sheets/words/") && $0 != "sheets/words/en.js" }
    let scripts = paths.map { script(String($0.dropFirst("sheets/".count)), body: joined([$0])) }
    return Dictionary(uniqueKeysWithValues: scripts.map { ($0.path, $0) })
  }()

  /// The linter's script with the parts of these bridges. The shim loads it when there is something to check.
  static func lint(_ bridges: BridgeTable) -> EmbeddedFile {
    let parts = bridges.shimParts.flatMap(\.lintFiles)
    return script("lint.js", body: joined(parts.map { "bridges/\($0)" } + ["lint/watch.js"]))
  }

  /// The script that handles the service workers of the page's origin. The shim loads it when the host says so.
  package static let workers = script("workers.js", body: compact(file("workers/workers.js")))

  /// The script that evaluates what native has for the page. The shim loads it when it is needed.
  package static let evaluation = script("evaluation.js", body: compact(file("evaluation/evaluation.js")))

  /// The service worker that replaces another one and unregisters itself.
  static let lastWorker = compact(file("workers/last.js"))

  /// The script that records the messages of a page in the real app.
  package static let recorder = EmbeddedFile(
    path: "recorder.js", bytes: file("recorder/recorder.js"), isCompressed: true)

  /// The path of the shim.
  static let path = "/__footbridge/shim.js"

  private static func file(_ path: String) -> [UInt8] { EmbeddedFile.all[path]?.bytes ?? [] }

  /// These files and all that they import, as one compact script.
  private static func joined(_ roots: [String]) -> [UInt8] { compact(ModuleOrder(of: roots).source) }

  /// The shim with these files of bridges. The file that installs everything comes last.
  private static func body(_ bridges: [String], watchesPassing: Bool) -> [UInt8] {
    let passing = watchesPassing ? ["proxy/passing.js"] : []
    return joined(["shim/core.js"] + bridges.map { "bridges/\($0)" } + passing + ["shim/window.js"])
  }

  /// The script without comments and needless spaces.
  static func compact(_ script: [UInt8]) -> [UInt8] { ScriptSpaces.removed(from: ScriptComments.removed(from: script)) }

  private static func script(
    _ name: String,
    body: [UInt8],
    parameters: String = "",
    arguments: String = ""
  ) -> EmbeddedFile {
    EmbeddedFile(
      path: name, bytes: bytes(body: body, parameters: parameters, arguments: arguments), isCompressed: true)
  }

  private static func bytes(body: [UInt8], parameters: String, arguments: String) -> [UInt8] {
    Array("((\(parameters)) => {\n\"use strict\";\n".utf8) + body + Array("})(\(arguments));\n".utf8)
  }
}

extension ShimPart.Channel {
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = ["name": .string(name), "reply": .bool(reply)]
    if let action { members["action"] = .string(action) } else { members["envelope"] = true }
    if marksTurns { members["marksTurns"] = true }
    return .object(members)
  }
}

/// The shims of a server: one for each combination of bridge variants and platform. Each is created when it is first needed.
@BridgeActor
package final class ShimScripts {
  /// The linter's script.
  package private(set) lazy var lint = ShimScript.lint(bridges)
  private let options: SiteOptions
  private let sessions: SessionOptions
  private let bridges: BridgeTable
  private var scripts: [[String]: EmbeddedFile] = [:]
  /// The shims of sessions with bridges of their own, by the sessions' ids.
  private var ownScripts: [String: (bridges: BridgeTable, key: [String], script: EmbeddedFile)] = [:]
  private let launches: Launches?
  private lazy var usualWithoutMore = self[bridges.usualVariants, sessions.platform]
  private lazy var usualWorkerStart = WorkerStart(options.phone, bridges)
  /// The shims with the linter and the scripts for launch data and the device, by the entity tags of those without, and by which scripts these
  /// are.
  private var longerScripts: [String: EmbeddedFile] = [:]

  private static let mostOwnScripts = 200

  /// Does not create a shim yet.
  package init(
    _ options: SiteOptions, _ sessions: SessionOptions, _ bridges: BridgeTable, launches: Launches? = nil
  ) {
    self.launches = launches
    self.options = options
    self.sessions = sessions
    self.bridges = bridges
  }

  /// What the scripts of a session's workers begin with; nil for nothing.
  func workerStart(of session: Session?) -> WorkerStart? {
    guard let table = session?.bridgeTable, table !== bridges else { return usualWorkerStart }
    return WorkerStart(options.phone, table)
  }

  /// The shim of sessions with the default settings.
  package var usual: EmbeddedFile {
    withMore(
      of: nil, usualWithoutMore, bridges, hasDevice: sessions.device != nil,
      lints: options.lintsFromStart)
  }

  /// The shim for the pages of a session.
  package subscript(session: Session) -> EmbeddedFile {
    withMore(
      of: session.id, script(of: session), session.bridgeTable, hasDevice: session.hasDevice,
      lints: options.lintsFromStart || session.isDriven, stage: session.stageOrigins)
  }

  /// The shim with the linter, and with the scripts for launch data and for the device, if the session has these.
  private func withMore(
    of sessionID: String?, _ shim: EmbeddedFile, _ bridges: BridgeTable, hasDevice: Bool, lints: Bool,
    stage: [String] = []
  ) -> EmbeddedFile {
    let launch = launches?.hasScript(sessionID) == true
    guard launch || hasDevice || lints, let tag = shim.entityTag?.opaqueTag else { return shim }
    let key = "\(tag) \(launch) \(hasDevice) \(lints)"
    if let script = longerScripts[key] { return script }
    if longerScripts.count >= Self.mostOwnScripts { longerScripts = [:] }
    let more =
      (lints ? (bridges === self.bridges ? lint : ShimScript.lint(bridges)).bytes : [])
      + (launch ? ShimScript.launch(options, stage: stage) : [])
      + (hasDevice ? ShimScript.device.bytes : [])
    let bytes = shim.bytes + more
    let script = EmbeddedFile(
      path: shim.path, bytes: bytes, isCompressed: true,
      elementText: shim.elementText == nil ? nil : ShimScript.elementText(bytes))
    longerScripts[key] = script
    return script
  }

  private func script(of session: Session) -> EmbeddedFile {
    let table = session.bridgeTable
    let variants = zip(table.usualVariants, session.bridges).map { $1.shimVariant ?? $0 }
    let stage = session.stageOrigins
    if table === bridges { return self[variants, session.platform, stage: stage] }
    let key = variants + [session.platform.rawValue] + stage
    if let own = ownScripts[session.id], own.bridges === table, own.key == key { return own.script }
    if ownScripts.count >= Self.mostOwnScripts { ownScripts = [:] }
    let script = script(of: table, variants, session.platform, stage)
    ownScripts[session.id] = (table, key, script)
    return script
  }

  /// The shim with these variants of the bridges that are switched on.
  subscript(variants: [String], platform: Platform, stage stage: [String] = []) -> EmbeddedFile {
    let key = variants + [platform.rawValue] + stage
    if let script = scripts[key] { return script }
    let script = script(of: bridges, variants, platform, stage)
    scripts[key] = script
    return script
  }

  private func script(
    of bridges: BridgeTable, _ variants: [String], _ platform: Platform, _ stage: [String]
  ) -> EmbeddedFile {
    let parts = zip(zip(bridges.definitions, bridges.shimParts), variants).map { bridge, variant in
      (bridge.0.name, bridge.1.with(variant: variant))
    }
    return ShimScript.shim(options, sessions.limits, bridges, parts, platform, stage: stage)
  }
}

/// Removes comments from our scripts, so that pages load less.
enum ScriptComments {
  /// The script without lines that have only a `//` comment, without `/** … */`, indentation and empty lines.
  ///
  /// It works on lines and does not parse JavaScript. So no literal may contain `/**`, and no line of a template literal may begin like a
  /// comment. A test checks our scripts for this. Lines of a template literal lose their indentation as well.
  static func removed(from source: [UInt8]) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    let star = UInt8(ascii: "*")
    let newline = UInt8(ascii: "\n")
    var result: [UInt8] = []
    result.reserveCapacity(source.count)
    var index = 0
    var isAtStart = true
    func next(is first: UInt8, _ second: UInt8, at index: Int) -> Bool {
      index + 1 < source.count && source[index] == first && source[index + 1] == second
    }
    while index < source.count {
      let byte = source[index]
      if isAtStart, byte == UInt8(ascii: " ") || byte == newline {
        index += 1
      } else if isAtStart, next(is: slash, slash, at: index) {
        while index < source.count, source[index] != newline { index += 1 }
      } else if next(is: slash, star, at: index), index + 2 < source.count, source[index + 2] == star {
        index += 3
        while index < source.count, !next(is: star, slash, at: index) { index += 1 }
        index += 2
        // The space between a comment and the code after it.
        if index < source.count, source[index] == UInt8(ascii: " ") { index += 1 }
      } else {
        result.append(byte)
        isAtStart = byte == newline
        index += 1
      }
    }
    return result
  }
}

extension ContentSecurityPolicy {
  /// The permissions that the shim needs in a page at this scheme, host and port, as the browser knows them.
  package init(nonce: String, isSecure: Bool, authority: Authority) {
    self.init(nonce: nonce, isSecure: isSecure, place: authority.rawValue + "/__footbridge/")
  }
}
