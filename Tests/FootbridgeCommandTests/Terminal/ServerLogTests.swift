import Foundation
import Testing

@testable import FootbridgeCommand

@Suite struct ServerLogTests {
  @Test func `the module is the first part of a file ID`() {
    #expect(ServerLog.module(of: "WebServer/EventLoop.swift") == "WebServer")
  }

  @Test func `the module is found in the path that the release has as a file ID`() throws {
    let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Package.swift")
    let text = try String(contentsOf: package, encoding: .utf8)
    // Each module: its name, its folder, and what it depends on.
    let modules = text.matches(of: /module\(\s*"(\w+)", in: "([\w\/]+)",\s*\[([^\]]*)\]/)
    let logging = modules.filter { $0.3.contains(/\blog\b/) }
    #expect(logging.count >= 3)
    for module in logging {
      let path = "Sources/\(module.2)/Folder/File.swift"
      #expect(ServerLog.module(of: path) == String(module.1), "\(path)")
    }
    #expect(ServerLog.module(of: "Sources/Command/FootbridgeCommand/Serve.swift") == "FootbridgeCommand")
  }
}
