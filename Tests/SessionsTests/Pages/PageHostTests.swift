import BridgeCore
import BridgeRuntime
import FootbridgeTesting
import Foundation
import HTTP1
import Testing

@testable import Footbridge
@testable import Sessions
@testable import WebServer

/// Pages whose hosts a program makes.
@Suite @BridgeActor struct PageHostTests {
  private final class AppHost: BridgeHost {
    var posted: [String] = []
    var sent: [String: [String: JSONValue]] = [:]

    override func userContentController(_ controller: UserContentController, didReceive message: ScriptMessage) {
      posted.append("\(message.name) \(message.value["payload"]?["action"]?.stringValue ?? "nothing")")
      super.userContentController(controller, didReceive: message)
    }

    override func send(event action: String, data: [String: JSONValue]) {
      sent[action] = data
      super.send(event: action, data: data)
    }
  }

  /// Keeps what a factory has made.
  private final class Made: Sendable {
    @BridgeActor var hosts: [AppHost] = []

    @BridgeActor func make() -> AppHost {
      let host = AppHost(hostVersion: "7.0")
      hosts.append(host)
      return host
    }
  }

  private func withSession(
    _ makeHost: @escaping @Sendable @BridgeActor () -> BridgeHost,
    _ body: @BridgeActor (Session, TestServer) async throws -> Void
  ) async throws {
    try await TestServer.run {
      $0.siteOrigin = HTTPOrigin("https://journey.example")
      $0.makeHost = makeHost
    } _: { server in
      let session = try server.launch()
      try await body(session, server)
      server.sessions.remove(session)
    }
  }

  private func connect(_ session: Session, _ server: TestServer) throws -> WebSocketConnection {
    let document = ServedDocument(
      origin: "http://localhost:8080", target: "/start", frame: .main, sessionID: session.id)
    return try server.connect(session, document: document)
  }

  private func answers(_ session: Session) -> [JSONValue?] {
    session.journal.entries(after: 0, limit: .max).entries.filter { $0.kind == .response }.map { $0.json["data"] }
  }

  @Test func `an app's own host serves the page and gets its messages`() async throws {
    let made = Made()
    try await withSession {
      made.make()
    } _: { session, server in
      let connection = try connect(session, server)
      let host = try #require(made.hosts.last)
      #expect(session.pages.first?.host === host)
      #expect(host.clock.now == session.clock.now)
      connection.receiveRequest("1", "capability.query")
      connection.receiveRequest("1", "onside.getCurrentStorefront")
      #expect(host.posted == ["gbgBridge capability.query"])
      #expect(answers(session).first??["hostVersion"] == "7.0")
      #expect(host.receivedMessages.count == 2)
    }
  }

  @Test func `an app's host stores the latest 50 messages by default`() async throws {
    let made = Made()
    try await withSession {
      made.make()
    } _: { session, server in
      let connection = try connect(session, server)
      for _ in 0..<60 { connection.receiveRequest("1", "nothing.handles") }
      #expect(made.hosts.last?.receivedMessages.count == 50)
    }
  }

  @Test func `slots with the app's handlers use them, and other slots show sheets`() async throws {
    let made = Made()
    try await withSession {
      let host = made.make()
      // The server has made one to learn the scripts of documents.
      if made.hosts.count == 2 { host.documentCapture.handler = { _ in .cancelled(reason: "the app's") } }
      return host
    } _: { session, server in
      _ = try connect(session, server)
      _ = try connect(session, server)
      #expect(made.hosts.dropFirst().map(\.documentCapture.isSupported) == [true, true])
      #expect(made.hosts.dropFirst().map(\.selfieCapture.isSupported) == [false, true])
    }
  }

  @Test func `a shared host serves the newest page, and is not detached by the end of an older one`()
    async throws
  {
    let host = AppHost(hostVersion: "7.0")
    try await withSession {
      host
    } _: { session, server in
      let first = try connect(session, server)
      let second = try connect(session, server)
      first.onClose?(.normalClosure)
      #expect(session.pages.count == 1)
      second.receiveRequest("1", "capability.query")
      #expect(answers(session).count == 1)
      second.onClose?(.normalClosure)
      host.send(event: "a", data: [:])
      #expect(host.lastError?.contains("no web view is attached") == true)
    }
  }

  @Test func `an app's web view reaches the page, and its delegate gets didFinish`() async throws {
    final class Coordinator: BridgeWebView.Coordinator {
      var finished: [URL?] = []

      override func webView(_ webView: WebView, didFinish navigation: WebViewNavigation!) {
        finished.append(webView.url)
      }
    }
    let made = Made()
    try await withSession {
      made.make()
    } _: { session, server in
      let connection = try connect(session, server)
      let host = try #require(made.hosts.last)
      let coordinator = Coordinator()
      let webView = BridgeWebViewConfigurator.makeWebView(host: host)
      webView.navigationDelegate = coordinator
      connection.receiveRequest("1", "footbridge.hello")
      #expect(coordinator.finished == [URL(string: "https://journey.example/start")])

      for (address, served) in [
        ("https://journey.example/next?a=b", "http://localhost:8080/next?a=b"),
        ("https://journey.example.com/", "https://journey.example.com/"),
      ] {
        webView.load(try #require(URL(string: address)))
        #expect(host.sent["footbridge.load"] == ["url": .string(served)])
      }
      host.sent = [:]
      webView.load(try #require(URL(string: "javascript:alert(1)")))
      #expect(host.sent.isEmpty)
      #expect(host.lastError == nil)
    }
  }

  @Test func `events from before the hello come before those of a loaded document`() async throws {
    final class Coordinator: BridgeWebView.Coordinator {
      weak var host: BridgeHost?

      override func webView(_ webView: WebView, didFinish navigation: WebViewNavigation!) {
        host?.send(event: "loaded", data: [:])
      }
    }
    let made = Made()
    try await withSession {
      made.make()
    } _: { session, server in
      let socket = try server.footbridge.openWebSocket()
      let received = AsyncStream.makeStream(of: String?.self)
      socket.onMessage = { text in
        let event = (try? BridgeMessage(parsing: text)).flatMap { $0.type == .event ? $0.payload.action : nil }
        if let event, event == "early" || event == "loaded" { received.continuation.yield(event) }
      }
      session.open(socket.connection, shimID: String(repeating: "a", count: 32), document: nil)
      let host = try #require(made.hosts.last)
      let coordinator = Coordinator()
      coordinator.host = host
      let webView = BridgeWebViewConfigurator.makeWebView(host: host)
      webView.navigationDelegate = coordinator
      host.send(event: "early", data: [:])
      socket.connection.receiveRequest("footbridge-shim-1", "footbridge.hello")
      var events = received.stream.makeAsyncIterator()
      #expect(await [events.next(), events.next()] == ["early", "loaded"])
    }
  }

  @Test func `documents get the host's scripts unless the options have one`() throws {
    var options = FootbridgeOptions()
    #expect(options.withScriptsOfHost().gbg.delivery.bootstrapScript == nil)
    let configuration = BridgeConfiguration(hostVersion: "1", capabilities: [:], bootstrapScript: "begin()")
    options.makeHost = { BridgeHost(configuration: configuration) }
    #expect(options.withScriptsOfHost().gbg.delivery.bootstrapScript == "begin()")
    options.gbg.delivery.bootstrapScript = "other()"
    #expect(options.withScriptsOfHost().gbg.delivery.bootstrapScript == "other()")

    let host = BridgeHost(configuration: configuration)
    let webView = BridgeWebViewConfigurator.makeWebView(host: host)
    for (source, time) in [("app()", UserScript.InjectionTime.atDocumentStart), ("late()", .atDocumentEnd)] {
      webView.configuration.userContentController.addUserScript(
        UserScript(source: source, injectionTime: time, forMainFrameOnly: true))
    }
    options.gbg.delivery.bootstrapScript = nil
    options.makeHost = { host }
    #expect(options.withScriptsOfHost().gbg.delivery.bootstrapScript == "begin()\n;\napp()")
  }
}
