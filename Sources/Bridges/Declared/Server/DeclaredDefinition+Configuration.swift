import InAppPurchases
import BridgeCore
import BridgeServer
import Essentials
import Sessions
import SiteServer

extension DeclaredDefinition {
  private static let keys = [
    "enabled", "pages", "frames", "channels", "name", "secret", "scripts", "userAgent", "launch", "answers", "preset",
    "adapter", "options", "handler", "warnings", "windows", "objects", "resources",
    "decode", "encode", "notices",
  ]

  /// The name of the answers when a page opens.
  private static let opened = "opened"

  private enum Frames: String, CaseIterable {
    case main, all
  }

  /// Reads the bridge's section.
  ///
  /// - Throws: `OptionError` with the place of what is wrong.
  mutating func read(_ section: InputNode) throws(OptionError) {
    let members = try section.section(Self.keys)
    isEnabled = try members["enabled"]?.bool() ?? true
    if let pages = members["pages"] { configuration.pages = try Self.pages(pages) }
    configuration.decode = try members["decode"]?.codings()
    configuration.encode = try members["encode"]?.codings()
    for (name, channel) in try members["channels"]?.members() ?? [] {
      configuration.channels.append(try Self.channel(name, channel))
    }
    // Without a name, each of several message handlers is for one kind of message.
    if configuration.channels.count > 1 { naming = [.channel] }
    if let name = members["name"] { naming = try name.namings() }
    warnings = try members["warnings"]?.texts() ?? []
    for name in try members["secret"]?.texts() ?? [] {
      configuration.secretMembers.insert(JournalMarks.plainName(name))
    }
    adapter = try DeclaredAdapter(members, bridge: name)
    if !adapter.isNone, configuration.hasCodings {
      throw (members["decode"] ?? members["encode"] ?? section).expected(
        "left out: an adapter or a preset reads and writes the texts of its wire")
    }
    if let frames = members["frames"] {
      configuration.isMainFrameOnly = try frames.choice(Frames.self) == .main
    } else {
      configuration.isMainFrameOnly = !adapter.traits.isInAllFrames
    }
    if let objects = members["objects"] {
      configuration.objects = try DeclaredObjectNode(objects, isJava: adapter.traits.isJava).objects
    }
    if let resources = members["resources"] {
      configuration.resources = try DeclaredResourceNode(resources).resources
    }
    configuration.presetHost = adapter.host
    configuration.lifecycle = adapter.lifecycle
    configuration.hasAdapter = !adapter.scripts.isEmpty
    if let handler = members["handler"] { self.handler = try HandlerNode(handler) }
    if let scripts = members["scripts"] { try readScripts(scripts) }
    windows = try members["windows"]?.choice(DeclaredWindows.self)
    if let userAgent = members["userAgent"] { self.userAgent = try Self.userAgent(userAgent) }
    if let launch = members["launch"] { self.launch = try Self.launch(launch) }
    let errors = adapter.isNone && !configuration.objects.isEmpty ? .objects : adapter.traits.errors
    for (name, answer) in try members["answers"]?.members() ?? [] {
      if name == Self.opened { try check(opened: answer) }
      let answers = try DeclaredAnswerNode(answer, isAboutMessage: name != Self.opened, errors: errors).answers
      if name == Self.opened { configuration.opened = answers } else { configuration.answers[name] = answers }
    }
    for (name, answer) in try members["notices"]?.members() ?? [] {
      guard let kind = InAppNotice.Kind(rawValue: name) else {
        throw answer.expected("under another name: a notice is one of \(InAppNotice.Kind.names)")
      }
      configuration.notices[kind] = try DeclaredAnswerNode(answer, isAboutMessage: false, errors: adapter.traits.errors)
        .answers
    }
    remark(members)
  }

  /// Notes what cannot work: answers that no message asks for, and replies that no message handler passes on. What an adapter does is not known.
  private func remark(_ members: [String: InputNode]) {
    guard adapter.isNone, configuration.objects.isEmpty, let answers = members["answers"],
      !configuration.answers.isEmpty
    else { return }
    if configuration.channels.isEmpty {
      answers.remark(
        "never answers anything: the bridge has no message handler. Name one under channels, or an object under objects"
      )
    } else if configuration.channels.allSatisfy({ $0.reply == .none }),
      let name = configuration.answers.keys.sorted().first(where: replies)
    {
      answers.remark("has a reply to \(name), which no page gets: no message handler under channels has reply: true")
    }
    if naming.count == 1, case .word(let word) = naming[0], configuration.answers.keys.contains(where: { $0 != word }) {
      members["name"]?.remark(
        "gives all messages the name \(word). For the member \(word) of each message, write /\(word)")
    }
  }

  private func replies(to name: String) -> Bool {
    configuration.answers[name]?.contains(where: \.step.isReply) ?? false
  }

  private static func pages(_ node: InputNode) throws(OptionError) -> [PagePattern] {
    let nodes = node.isList ? try node.elements() : [node]
    guard !nodes.isEmpty else { throw node.expected("at least one pattern, such as /app/*") }
    var patterns: [PagePattern] = []
    for node in nodes {
      guard let pattern = PagePattern(try node.text()) else {
        throw node.expected(
          "a pattern that paths can match, such as /app/*: it begins with a slash or a star, and has no query, no fragment and no . or .. as a segment"
        )
      }
      patterns.append(pattern)
    }
    return patterns
  }

  private static func channel(_ name: String, _ node: InputNode) throws(OptionError) -> DeclaredConfiguration.Channel {
    var channel = DeclaredConfiguration.Channel(name)
    if node.isNull { return channel }
    let members = try node.section(["reply", "text", "decode", "encode"])
    channel.decode = try members["decode"]?.codings()
    channel.encode = try members["encode"]?.codings()
    if let reply = members["reply"] {
      if let bool = try? reply.bool() {
        channel.reply = bool ? .value : .none
      } else {
        channel.reply = try reply.choice(DeclaredConfiguration.Channel.Reply.self)
      }
    }
    channel.isText = try members["text"]?.bool() ?? false
    if channel.isText, channel.decode != nil {
      throw node.expected("given either text or decode: text: true is decode: json")
    }
    return channel
  }

  /// Checks that `answers.opened` is not meant for the messages of a message handler of this name.
  private func check(opened answer: InputNode) throws(OptionError) {
    guard naming.first == .channel, configuration.channels.contains(where: { $0.name == Self.opened }) else { return }
    throw answer.expected(
      "left out: it is for pages that open, and the bridge has a message handler of this name, which names its messages"
    )
  }

  private static func userAgent(_ node: InputNode) throws(OptionError) -> String {
    let text = try node.text()
    guard !text.isEmpty, text.utf8.count <= 1024, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw node.expected("at most 1,024 characters of ASCII")
    }
    return text
  }

  private static func launch(_ node: InputNode) throws(OptionError) -> DeclaredLaunch {
    let members = try node.section(["hash", "localStorage", "sessionStorage"])
    var launch = DeclaredLaunch()
    if let hash = try members["hash"]?.text() { launch.hash = hash.hasPrefix("#") ? String(hash.dropFirst()) : hash }
    for (name, value) in try members["localStorage"]?.members() ?? [] {
      launch.localStorage[name] = try value.writtenText()
    }
    for (name, value) in try members["sessionStorage"]?.members() ?? [] {
      launch.sessionStorage[name] = try value.writtenText()
    }
    return launch
  }

  private mutating func readScripts(_ node: InputNode) throws(OptionError) {
    for (number, element) in (node.isList ? try node.elements() : [node]).enumerated() {
      let members = element.isMapping ? try element.section(["file", "text", "at"]) : ["file": element]
      let (bytes, file) = try element.script(members, limit: 4 << 20)
      scripts.append(
        BridgeScript(
          bytes, name: file, number: number, of: name,
          at: try members["at"]?.choice(BridgeScript.Time.self) ?? .start))
    }
  }
}

extension InAppNotice.Kind {
  /// All names, for an error.
  fileprivate static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension InputNode {
  /// The script in the `file` or the `text` of a mapping, and the name of its file.
  func script(_ members: [String: InputNode], limit: Int) throws(OptionError) -> (bytes: [UInt8], file: String) {
    switch (members["file"], members["text"]) {
    case (let file?, nil):
      let bytes = Array(try file.fileContent(limit: limit))
      guard String(validating: bytes, as: UTF8.self) != nil else {
        throw file.expected("the path of a script in UTF-8")
      }
      return (bytes, URL(fileURLWithPath: try file.text()).lastPathComponent)
    case (nil, let text?): return (Array(try text.text().utf8), "script.js")
    default: throw expected("a script, with either its file or its text")
    }
  }
}
