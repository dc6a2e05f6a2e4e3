import BridgeCore
import BridgeRuntime
import BridgeServer
import HTTPTypes
import Sessions

/// Routes of a session's pages: requests that wait for a test's answer, events of the host, reloads, sockets and service workers.
enum PageRoutes {
  static let all = [
    ControlRoute(.get, "/sessions/{session}/pages") { request in
      .json(["pages": .array(try await request.session().pages.map(\.json))])
    },
    ControlRoute(.get, "/sessions/{session}/pages/{page}/requests") { request in
      let requests = try await page(request).host.pendingRequests
      return .json(["requests": .array(requests.map { .object(JournalEntry.members($0)) })])
    },
    ControlRoute(.get, "/sessions/{session}/pages/{page}/slots") { request in
      .json(["slots": .array(try await page(request).host.slots.map(\.json))])
    },
    ControlRoute(
      .post, "/sessions/{session}/pages/{page}/requests/{request}/respond", bodyLimit: ControlRoute.messageBodyLimit
    ) { request in
      let page = try await page(request)
      let answer = try BridgeAnswerNode(try await request.body(), hasDelay: false)
      let id = request.parameter("request")
      if page.host.pendingRequests.contains(where: { $0.correlationId == id }) {
        page.host.respond(to: id, status: answer.status, data: answer.data, error: answer.error)
      } else if let action = page.acknowledgedAction(of: id) {
        page.host.respond(to: id, action: action, status: answer.status, data: answer.data, error: answer.error)
      } else {
        throw ControlProblem.notFound("There is no request \(id) that waits for an answer on this page.")
      }
      return .noContent
    },
    ControlRoute(.delete, "/sessions/{session}/service-workers") { request in
      let session = try await request.session()
      return .json(.object(await session.serviceWorkers.unregister(by: session.pages).json))
    },
    ControlRoute(
      .post, "/sessions/{session}/pages/{page}/events", bodyLimit: ControlRoute.messageBodyLimit
    ) { request in
      let page = try await page(request)
      let body = try await request.body()
      let members = try body.section(["action", "data"])
      guard let action = try members["action"]?.text() else { throw body.expected("an object with at least an action") }
      page.host.send(event: action, data: try members["data"]?.jsonMembers() ?? [:])
      return .noContent
    },
    ControlRoute(.post, "/sessions/{session}/pages/{page}/reload") { request in
      try await page(request).host.send(event: FootbridgeAction.reload, data: [:])
      return .noContent
    },
    ControlRoute(.post, "/sessions/{session}/pages/{page}/disconnect") { request in
      guard try await page(request).cutSocket() else {
        throw ControlProblem.conflict("Page \(request.parameter("page")) has no open socket.")
      }
      return .noContent
    },
  ]

  @BridgeActor
  private static func page(_ request: ControlRequest) async throws -> Page {
    let session = try await request.session()
    let id = request.parameter("page")
    guard let page = session.page(id: id) else {
      throw ControlProblem.notFound("There is no page \(id) in session \(session.id).")
    }
    return page
  }
}
