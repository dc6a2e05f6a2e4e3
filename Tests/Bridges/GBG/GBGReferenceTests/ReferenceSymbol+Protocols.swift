import GBGBridge

extension ReferenceSymbol {
  static let protocols: [ReferenceSymbol] = [
    ReferenceSymbol("BridgeCapabilityHandler.action") {
      let handler: BridgeCapabilityHandler & AnyObject & Sendable = EchoHandler()
      return handler.action == "echo"
    },
    ReferenceSymbol("BridgeCapabilityHandler.handle(request:responder:)") {
      let fixture = Fixture()
      fixture.host.register(handler: EchoHandler())
      fixture.request("echo")
      return await fixture.webView.payload(1).status == .acknowledged
    },
    ReferenceSymbol("BridgeResponder.respond(status:data:error:)") {
      struct Responder: BridgeResponder {
        func respond(status: BridgeResponseStatus, data: [String: JSONValue]?, error: BridgeErrorPayload?) {}
      }
      let responder: BridgeResponder & Sendable = Responder()
      responder.respond(status: .success, data: nil, error: nil)
      return true
    },
    ReferenceSymbol("BridgeHostDelegate.bridgeHost(_:didReceive:)") {
      let fixture = Fixture()
      let delegate = Watcher()
      fixture.host.delegate = delegate
      fixture.request("capability.query")
      return delegate.received == ["capability.query"]
    },
    ReferenceSymbol("BridgeHostDelegate.bridgeHost(_:unhandledRequest:)") {
      let fixture = Fixture()
      let delegate = Watcher()
      fixture.host.delegate = delegate
      fixture.request("a")
      return delegate.unhandled == ["a"]
    },
    ReferenceSymbol("BridgeHostDelegate: both methods have a default") {
      final class Indifferent: BridgeHostDelegate {}
      let fixture = Fixture()
      let delegate = Indifferent()
      fixture.host.delegate = delegate
      fixture.request("a")
      return fixture.host.pendingRequests.count == 1
    },
  ]

  static let handlers: [ReferenceSymbol] = [
    ReferenceSymbol("CapabilityQueryHandler.action") {
      let handler: BridgeCapabilityHandler & Sendable = CapabilityQueryHandler(
        capabilities: { [:] },
        hostVersion: "1"
      )
      return handler.action == "capability.query"
    },
    ReferenceSymbol("CapabilityQueryHandler.init(capabilities:hostVersion:)") {
      let fixture = Fixture()
      fixture.host.register(handler: CapabilityQueryHandler(capabilities: { ["a": false] }, hostVersion: "2"))
      fixture.request("capability.query")
      return await fixture.webView.payload(1).data
        == ["environment": "ios", "hostVersion": "2", "capabilities": ["a": ["supported": false, "version": nil]]]
    },
    ReferenceSymbol("CapabilityQueryHandler.init(richCapabilities:hostVersion:)") {
      let fixture = Fixture()
      let info = BridgeCapabilityInfo(supported: true, version: "3", permissionState: "granted")
      fixture.host.register(handler: CapabilityQueryHandler(richCapabilities: { ["a": info] }, hostVersion: "2"))
      fixture.request("capability.query")
      return await fixture.webView.payload(1).data?["capabilities"]
        == ["a": ["supported": true, "version": "3", "permissionState": "granted"]]
    },
    ReferenceSymbol("CapabilityQueryHandler.handle(request:responder:)") {
      let fixture = Fixture()
      fixture.request("capability.query", correlationId: "q")
      return await fixture.webView.payload(1).status == .success
    },
  ]
}

private final class EchoHandler: BridgeCapabilityHandler, @unchecked Sendable {
  let action = "echo"

  func handle(request: BridgeMessage, responder: BridgeResponder) async {
    responder.respond(status: .acknowledged, data: request.payload.data, error: nil)
  }
}

@MainActor private final class Watcher: BridgeHostDelegate {
  var received: [String] = []
  var unhandled: [String] = []

  func bridgeHost(_ host: BridgeHost, didReceive message: BridgeMessage) { received.append(message.payload.action) }

  func bridgeHost(_ host: BridgeHost, unhandledRequest message: BridgeMessage) {
    unhandled.append(message.payload.action)
  }
}
