import InAppPurchases
import BridgeCore
import BridgeRuntime
import Sessions

/// The session's store, as an adapter of one page asks it: `native.store`.
@BridgeActor
final class AdapterStore {
  /// Whether the adapter hears the notices of the store.
  private(set) var isListening = false
  private unowned let session: DeclaredSession
  private var openCount = 0

  /// The maximum number of requests of a page that wait.
  private static let mostOpen = 100

  init(_ session: DeclaredSession) { self.session = session }

  /// Answers a request: `{store, members}`, with an operation and its members.
  ///
  /// - Parameter page: The page that shows the sheets.
  func answer(_ data: [String: JSONValue], for page: BridgeHost.ID, _ responder: any BridgeResponder) {
    do throws(InAppError) {
      let operation = data["store"]?.stringValue ?? ""
      let members = data["members"]?.objectValue ?? [:]
      if operation == "listen" {
        guard session.store != nil else { throw .noStore }
        isListening = true
        session.listen()
        return responder.respond(status: .success, data: [:], error: nil)
      }
      let request = try InAppRequest(operation, members)
      guard openCount < Self.mostOpen else {
        throw InAppError(.limit, "More than \(Self.mostOpen) requests of the page wait for the store.")
      }
      openCount += 1
      BridgeActor.begin { [weak self] in await self?.answer(request, for: page, responder) }
    } catch {
      DeclaredError(error.json).reject(responder)
    }
  }

  private func answer(
    _ request: InAppRequest, for page: BridgeHost.ID, _ responder: any BridgeResponder
  ) async {
    defer { openCount -= 1 }
    do throws(InAppError) {
      let value = try await request.answer(of: session.store, for: page)
      responder.respond(status: .success, data: value.map { ["value": $0] } ?? [:], error: nil)
    } catch {
      DeclaredError(error.json).reject(responder)
    }
  }
}
