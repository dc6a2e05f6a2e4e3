import BridgeCore
import BridgeRuntime
import HTTP1
import HTTPTypes
package import Sessions
package import WebServer

extension DeclaredSession: ResourceServing {
  /// The maximum time for the handler to answer.
  private static let timeout = Duration.seconds(30)
  /// An address that no browser loads. A redirect to it is a network error in each use of a resource, and nothing else is.
  private static let unreachable = "footbridge-failed:resource"

  package func answer(_ request: ResourceRequest, _ exchange: HTTPExchange) async {
    switch configuration.resources[request.place] {
    case nil:
      exchange.respondText(.notFound, "The bridge \(configuration.name) declares no such resources.")
    case .folder(let root): await serve(request, from: root, exchange)
    case .handler: await ask(request, exchange)
    }
  }

  private func serve(_ request: ResourceRequest, from root: StaticRoot, _ exchange: HTTPExchange) async {
    guard exchange.allows([.get, .head]) else { return }
    do throws(FileError) {
      switch try await root.lookUp(request.path) {
      case .file(let file):
        await exchange.serve(file, fields: [.cacheControl: "no-cache", .accessControlAllowOrigin: "*"])
      case .folderWithoutSlash, .notFound:
        exchange.respondText(
          .notFound, "There is no such file in the folder of \(request.place).",
          fields: [.accessControlAllowOrigin: "*"])
      }
    } catch {
      exchange.respondText(.internalServerError, error.description)
    }
  }

  private func ask(_ request: ResourceRequest, _ exchange: HTTPExchange) async {
    let head = exchange.head
    guard let body = try? await exchange.collectBody(limit: request.bodyLimit) else {
      return exchange.respondText(.contentTooLarge, "A request for a resource may have \(request.bodyLimit) bytes.")
    }
    guard let handler else { return fail(request, exchange, "is not there: no handler is connected") }
    let question = HandlerQuestion()
    let page = page(nil)
    let number = handler.ask(self, page, ResourceQuestion(head, request, body: body).json, question)
    guard let answer = await question.wait(for: Self.timeout) else {
      if let number { handler.giveUp(number) }
      return fail(request, exchange, "has not answered within \(Self.timeout)")
    }
    switch answer {
    case .error(let text): fail(request, exchange, "has failed: \(text)")
    case .reply(let reply):
      do throws(ResourceResponse.Problem) {
        respond(try ResourceResponse(reply), request, exchange)
      } catch {
        handler.problem("has written \(error).", in: id)
        fail(request, exchange, "has written \(error)")
      }
    }
  }

  private func respond(_ response: ResourceResponse, _ request: ResourceRequest, _ exchange: HTTPExchange) {
    let head = exchange.head
    let origin = (exchange.isSecure ? "https://" : "http://") + (head.host ?? "")
    // Fetch metadata tells what browsers do with the response.
    if head.fields.value(of: .secFetchMode) == "cors", !response.isReadable(by: origin) {
      return fail(request, exchange, "lets only the origin of its Access-Control-Allow-Origin read the response")
    }
    var fields = response.fields
    if fields[.cacheControl] == nil { fields[.cacheControl] = "no-store" }
    if fields[.accessControlAllowOrigin] == nil { fields[.accessControlAllowOrigin] = "*" }
    fields[.xContentTypeOptions] = "nosniff"
    note(resource: "\(head.method) \(Self.withoutQuery(request.url)): \(response.status.code)")
    exchange.respond(response.status, fields: fields, body: response.body)
  }

  /// Answers as a web view does when native fails: with a network error. `reason` continues the sentence "The handler".
  private func fail(_ request: ResourceRequest, _ exchange: HTTPExchange, _ reason: String) {
    note(resource: "\(exchange.head.method) \(Self.withoutQuery(request.url)): network error. The handler \(reason).")
    exchange.respond(.found, fields: [.location: Self.unreachable, .cacheControl: "no-store"])
  }

  private static func withoutQuery(_ url: String) -> Substring { url.prefix { $0 != "?" } }
}
