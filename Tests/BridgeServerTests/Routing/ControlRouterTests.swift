import HTTPTypes
import Testing

@testable import BridgeServer
@testable import Footbridge
@testable import Sessions

@Suite struct ControlRouterTests {
  private let router = ControlRouter([
    ControlRoute(.get, "/sessions") { _ in .noContent },
    ControlRoute(.post, "/sessions") { _ in .noContent },
    ControlRoute(.delete, "/sessions/{session}") { _ in .noContent },
    ControlRoute(.post, "/sessions/{session}/sheets/{sheet}/answer") { _ in .noContent },
  ])

  private func parameters(_ method: HTTPRequest.Method, _ path: String) -> [String: String]? {
    if case .route(_, let parameters) = router.match(method, path) { parameters } else { nil }
  }

  @Test func `a route is found by method and path, and its variables are decoded`() {
    #expect(parameters(.get, "/sessions") == [:])
    #expect(parameters(.delete, "/sessions/a%20b") == ["session": "a b"])
    #expect(parameters(.post, "/sessions/s/sheets/t/answer") == ["session": "s", "sheet": "t"])
    #expect(parameters(.delete, "/sessions/a%2Fb") == ["session": "a/b"])
  }

  @Test func `HEAD finds the route of GET`() {
    #expect(parameters(.head, "/sessions") == [:])
    #expect(parameters(.head, "/sessions/s") == nil)
  }

  @Test func `a wrong method is answered with the allowed ones`() {
    guard case .otherMethods(let methods) = router.match(.put, "/sessions") else {
      Issue.record("PUT found a route")
      return
    }
    #expect(methods == [.get, .head, .post])
  }

  @Test(arguments: ["", "/", "/sessions/", "/session", "/sessions/a/b", "/sessions/%zz", "sessions"])
  func `any other path finds no route`(path: String) {
    guard case .none = router.match(.delete, path) else {
      Issue.record("\(path) is something")
      return
    }
  }
}
