import ArgumentParser
import Footbridge
import Testing

@testable import FootbridgeCommand

@Suite struct ServeOptionsTests {
  /// The options that are switched on by their flag, and take no value.
  private static let switches: Set<ServerOption> = [
    .spa, .watch, .proxyRewriteLinks, .proxyInsecure, .proxyHttp1, .onlySites, .openMetrics, .framedApp, .ephemeral,
    .likeReportOnly,
  ]
  private static let repeatable: Set<ServerOption> = [
    .site, .exclude, .requestHeader, .responseHeader, .allowHost, .allowOrigin, .trustedProxy,
  ]

  @Test(arguments: ServerOption.all)
  func `each option is read from its flag`(option: ServerOption) throws {
    if Self.switches.contains(option) {
      #expect(try ServeOptions.parse([option.flag]).flags[option] == "true")
    } else {
      #expect(try ServeOptions.parse([option.flag, "one"]).flags[option] == "one")
    }
  }

  @Test(arguments: ServerOption.all)
  func `an option without its flag has no value`(option: ServerOption) throws {
    let others = ServerOption.all.filter { $0 != option }
    let flags = others.flatMap { Self.switches.contains($0) ? [$0.flag] : [$0.flag, "one"] }
    #expect(try ServeOptions.parse(flags).flags[option] == nil)
  }

  @Test func `the help has each option once, with the name of its value and its text`() {
    func words(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    let help = words(ServeOptions.helpMessage(columns: 1000))
    for option in ServerOption.all {
      let value = option.valueName.isEmpty ? "" : " <\(option.valueName)>"
      #expect(help.ranges(of: words("\(option.flag)\(value) \(option.help)")).count == 1, "\(option.flag)")
    }
  }

  @Test(arguments: repeatable)
  func `the values of a repeated flag are joined as in its variable`(option: ServerOption) throws {
    let options = try ServeOptions.parse([option.flag, "one", option.flag, "two"])
    #expect(options.flags[option] == "one\(option.separator)two")
  }

  @Test func `an unknown flag and a flag without its value are refused`() {
    #expect(throws: (any Error).self) { try ServeOptions.parse(["--nothing"]) }
    #expect(throws: (any Error).self) { try ServeOptions.parse(["--port"]) }
  }

  @Test func `options without a command start serve`() throws {
    #expect(try FootbridgeCommand.parseAsRoot([]) is Serve)
    #expect(try FootbridgeCommand.parseAsRoot(["--port", "0"]) is Serve)
  }

  @Test func `the command of exec begins after two dashes and has options of its own`() throws {
    let exec = try #require(
      try FootbridgeCommand.parseAsRoot(["exec", "--strict", "--port", "0", "--", "pytest", "--strict", "-q"]) as? Exec)
    #expect(exec.command == ["pytest", "--strict", "-q"])
    #expect(exec.strict)
    #expect(exec.options.flags[.port] == "0")
  }
}
