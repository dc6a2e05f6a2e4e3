import ArgumentParser
import BridgeRuntime
import Footbridge
import HTTP1
import HTTPTypes
import Sessions
import WebServer

/// `footbridge health`: whether a server answers.
struct Health: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "health",
    abstract: "Ask the server with the same options whether it is healthy, for health checks of containers.",
    discussion: "The exit code is 0 if it is. A server that does not answer within five seconds is not healthy.")

  @OptionGroup var options: ServeOptions

  func run() async throws {
    try await Terminal.run {
      do {
        let status = try await Self.status(of: try Self.origin(try options.sources().options()))
        guard status.kind == .successful else { throw Failure.unavailable("The server is not healthy: \(status).") }
      } catch let error as OptionError {
        throw Failure.usage(error.description)
      } catch let error as HTTPClientError {
        throw Failure.unavailable(error.description)
      }
    }
  }

  /// The address of the server with these options on this machine.
  private static func origin(_ options: FootbridgeOptions) throws -> HTTPOrigin {
    guard options.port != 0, let origin = HTTPOrigin("http://\(LocalAddress.host(options.host)):\(options.port)") else {
      throw Failure.usage("The address of the server is not known. Set --host and --port to those of the server.")
    }
    return origin
  }

  /// The status that the server answers with.
  @BridgeActor private static func status(of origin: HTTPOrigin) async throws -> HTTPResponse.Status {
    var limits = HTTPClientLimits()
    limits.responseTimeout = .seconds(5)
    let client = try HTTPClient(limits: limits)
    defer { client.stop() }
    let target = RequestTarget.origin(path: "/__footbridge/health", query: nil)
    let head = try RequestHead(method: .get, target: target, fields: [.hostField: origin.authority])
    return try await client.send(head, to: origin).nextHead().status
  }
}
