import BridgeRuntime
import HTTP1
import HTTPTypes
import Testing

@testable import Footbridge
@testable import SiteServer

@BridgeActor
@Suite struct WorkerScriptsTests {
  private let workers = WorkerScripts()

  private func head(_ path: String, _ fields: [(HTTPField.Name, String)], host: String = "localhost:8080") throws
    -> RequestHead
  {
    var all: HTTPFields = [:]
    all[.hostField] = host
    for (name, value) in fields { all[name] = value }
    return try RequestHead(method: .get, target: .origin(path: path, query: nil), fields: all)
  }

  private func request(
    destination: String = "empty", site: String = "same-origin", mode: String = "cors",
    referrer: String = "http://localhost:8080/sw.js"
  ) throws -> RequestHead {
    try head("/", [(.secFetchDest, destination), (.secFetchSite, site), (.secFetchMode, mode), (.referer, referrer)])
  }

  @Test func `a request of a service worker is recognized by its script`() throws {
    #expect(try !workers.made(request()))
    workers.note(try head("/sw.js", [(.serviceWorker, "script")]))
    #expect(try workers.made(request()))
  }

  @Test func `in Chromium, an update of a worker has the worker as referrer, and a registration has not`() throws {
    func reason(_ referrer: String?, _ name: HTTPField.Name = .serviceWorker) throws -> WorkerScripts.Reason? {
      let fields = [(.secFetchDest, "serviceworker"), (name, "script")] + (referrer.map { [(.referer, $0)] } ?? [])
      return WorkerScripts.reason(of: try head("/sw.js", fields))
    }
    #expect(try reason("http://localhost:8080/sw.js") == .update)
    for page in ["http://localhost:8080/", "http://localhost:8080/sw.js?a", "http://localhost:9090/sw.js", nil] {
      #expect(try reason(page) == .registration)
    }
    #expect(try reason("http://localhost:8080/sw.js", .secFetchDest) == nil)
  }

  @Test func `in WebKit, an update of a worker has no fetch metadata`() throws {
    let fields = [(HTTPField.Name.serviceWorker, "script"), (.referer, "http://localhost:8080/")]
    #expect(WorkerScripts.reason(of: try head("/sw.js", fields)) == .update)
    #expect(WorkerScripts.reason(of: try head("/sw.js", fields + [(.secFetchDest, "serviceworker")])) == .registration)
  }

  @Test func `in Firefox, an update of a worker validates the script, and a registration fetches it anew`() throws {
    let fields = [
      (HTTPField.Name.serviceWorker, "script"), (.secFetchDest, "serviceworker"),
      (.userAgent, "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"),
    ]
    #expect(WorkerScripts.reason(of: try head("/sw.js", fields + [(.cacheControl, "max-age=0")])) == .update)
    #expect(WorkerScripts.reason(of: try head("/sw.js", fields + [(.cacheControl, "no-cache")])) == .registration)
  }

  @Test func `no other request is taken for one of a service worker`() throws {
    workers.note(try head("/sw.js", [(.serviceWorker, "script")]))
    workers.note(try head("/app.js", []))
    for other in [
      try request(destination: "document"), try request(destination: "script"), try request(site: "same-site"),
      try request(site: "cross-site"), try request(mode: "navigate"), try request(referrer: "http://localhost:8080/"),
      try request(referrer: "http://localhost:8080/app.js"), try request(referrer: "http://localhost:9090/sw.js"),
      try request(referrer: "http://localhost:8080/sw.js?a"), try request(referrer: ""),
      try head("/", [(.secFetchDest, "empty"), (.secFetchSite, "same-origin")]),
    ] {
      #expect(!workers.made(other))
    }
  }
}
