package import InAppPurchases
import BridgeCore
import Sessions

/// What a handler wants of the session's store.
package enum HandlerStoreRequest: Sendable, Hashable {
  /// To hear its notices from now on.
  case listen
  /// An answer to a request.
  case ask(InAppRequest)
  /// The answer is this error, since the request has another form.
  case refused(InAppError)

  /// The members of a line that are not about the store.
  private static let others: Set<String> = ["store", "session", "page", "id"]

  /// Reads the members of a line.
  ///
  /// - Throws: `HandlerMessage.Problem` if the operation is not a text.
  init(_ operation: JSONValue, _ members: [String: JSONValue]) throws(HandlerMessage.Problem) {
    guard let name = operation.stringValue else {
      throw HandlerMessage.Problem("a request to the store whose operation is not a text")
    }
    if name == "listen" {
      self = .listen
      return
    }
    do throws(InAppError) {
      self = .ask(try InAppRequest(name, members.filter { !Self.others.contains($0.key) }))
    } catch {
      self = .refused(error)
    }
  }
}

extension HandlerStoreRequest {
  /// The members of the answer that needs no store.
  func immediateAnswer(isStoreHere: Bool) -> [String: JSONValue] {
    switch self {
    case .refused(let error): ["error": .string(error.description), "code": .string(error.code.rawValue)]
    case .listen, .ask:
      isStoreHere
        ? [:] : ["error": .string(InAppError.noStore.description), "code": .string(InAppError.noStore.code.rawValue)]
    }
  }
}
