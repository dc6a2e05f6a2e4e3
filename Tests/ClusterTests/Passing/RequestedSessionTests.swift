import HTTP1
import HTTPTypes
import Testing

@testable import BridgeServer
@testable import Cluster
@testable import Footbridge
@testable import OnsideServer
@testable import Sessions

@Suite struct RequestedSessionTests {
  private let cookie = String(repeating: "c", count: 32)
  private let id = "0123456789abcdef"

  private func session(_ path: String, query: String? = nil, cookie: String? = nil) throws -> RequestedSession {
    var fields: HTTPFields = [.hostField: "127.0.0.1"]
    if let cookie { fields[.cookie] = "footbridge_session=\(cookie)" }
    let head = try RequestHead(method: .get, target: .origin(path: path, query: query), fields: fields)
    return RequestedSession(head, isSecure: false, path: path, [OnsideDefinition().profile.lookup])
  }

  @Test func `the cookie names the session of documents, sockets and the site`() throws {
    let key = RequestedSession.key(SessionKey(cookieValue: cookie).rawValue)
    for path in ["/", "/cart", "/__footbridge/bridge", "/__footbridge/shim.js", "/__footbridge/goodbye"] {
      #expect(try session(path, cookie: cookie) == key)
      #expect(try session(path) == .none)
    }
  }

  @Test func `the path of the control API names the session, and the cookie does not`() throws {
    for rest in ["", "/journal", "/onside/purchases"] {
      #expect(try session("/__footbridge/api/v1/sessions/\(id)\(rest)", cookie: cookie) == .id(id))
    }
    for path in ["/__footbridge/api/v1/sessions", "/__footbridge/api/v1/sessions/nonsense", "/__footbridge/api/v1"] {
      #expect(try session(path, cookie: cookie) == .none)
    }
  }

  @Test func `the query of the events stream names the session`() throws {
    let path = "/__footbridge/api/v1/events"
    #expect(try session(path, query: "after=0&session=\(id)", cookie: cookie) == .id(id))
    for query in [nil, "session=nonsense"] { #expect(try session(path, query: query, cookie: cookie) == .none) }
  }

  @Test func `a one-time code begins with the id of its session`() throws {
    #expect(try session("/__footbridge/enter/\(id)\(cookie)") == .id(id))
  }

  @Test func `a request of the merchant API is for the session of its order`() throws {
    let order = "0B9C1D5E-0000-4000-8000-000000000001"
    #expect(
      try session("/__footbridge/onside/merchant-api/v1/purchases/in-app/history/\(order)", cookie: cookie)
        == .lookup(SessionLookup("order \(order.lowercased())") { _ in nil }))
  }

  @Test func `health, metrics and the dashboard are for no session`() throws {
    for path in ["health", "health/ready", "metrics", "proxy.pac", "dashboard", ""] {
      #expect(try session("/__footbridge/\(path)", cookie: cookie) == .none)
    }
  }
}
