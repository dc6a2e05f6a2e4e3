import ArgumentParser
import BridgeRuntime
import ControlClient
import Essentials

/// `footbridge mcp`: the control API for coding agents.
struct MCP: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Give a coding agent the control API, as a server of the Model Context Protocol.",
    discussion: """
      The agent's client starts this command and talks with it over standard input and output. The tools are the operations of the control \
      API; sessions and their journals are resources. They use the server that runs, also if it starts later or is started again. To start \
      one with it, put it behind exec: footbridge exec --root site -- footbridge mcp
      """)

  @OptionGroup var choice: ServerChoice

  func run() async throws {
    try await Terminal.run {
      let agent = await AgentServer(try ControlTable(), choice)
      var lines = AgentLines()
      while let bytes = await StandardInput.nextBytes() {
        for line in lines.read(bytes) { try await agent.receive(line) }
      }
      // The last line may have no line feed.
      for line in lines.read([UInt8(ascii: "\n")]) { try await agent.receive(line) }
      await agent.end()
    }
  }
}

/// Standard input, read without blocking other work.
enum StandardInput {
  private static let pieceSize = 64 << 10

  /// The next bytes; nil at the end, or if it cannot be read.
  static func nextBytes() async -> [UInt8]? {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        var bytes = [UInt8](repeating: 0, count: pieceSize)
        var count = read(STDIN_FILENO, &bytes, pieceSize)
        while count < 0, errno == EINTR { count = read(STDIN_FILENO, &bytes, pieceSize) }
        continuation.resume(returning: count > 0 ? Array(bytes.prefix(count)) : nil)
      }
    }
  }
}
