import Essentials

/// A small map from actions to values, searched with each message by the bytes of a name. (With strings, 6 % more instructions for a
/// `query`.)
package struct ActionTable<Value> {
  private var rows: [(name: String, value: Value)] = []

  /// Creates an empty table.
  package init() {}

  /// The value of the action with this name.
  package subscript(name: String) -> Value? {
    get { index(of: name).map { rows[$0].value } }
    set {
      switch (index(of: name), newValue) {
      case (let index?, let value?): rows[index].value = value
      case (let index?, nil): rows.remove(at: index)
      case (nil, let value?):
        var name = name
        name.makeContiguousUTF8()
        rows.append((name, value))
      case (nil, nil): break
      }
    }
  }

  /// The value of a message's action.
  package subscript(message: BridgeMessage) -> Value? {
    let found = message.withAction { (name: UnsafeBufferPointer<UInt8>) -> Int? in index(of: name) }
    return found.map { rows[$0].value }
  }

  private func index(of name: String) -> Int? {
    var name = name
    return name.withUTF8 { (name: UnsafeBufferPointer<UInt8>) -> Int? in index(of: name) }
  }

  private func index(of name: UnsafeBufferPointer<UInt8>) -> Int? {
    rows.firstIndex { row in
      row.name.utf8.count == name.count
        && row.name.utf8.withContiguousStorageIfAvailable { row in
          guard let bytes = row.baseAddress, let others = name.baseAddress else { return true }
          return memcmp(bytes, others, name.count) == 0
        } == true
    }
  }
}

extension ActionTable: Sendable where Value: Sendable {}

/// A handler, and how the host calls it.
enum RegisteredHandler {
  /// Returns its answer directly, without a task.
  case answering(any AnsweringCapabilityHandler)
  /// Is called directly, without a task.
  case immediate(any ImmediateBridgeCapabilityHandler)
  /// Is called in a task.
  case suspending(any BridgeCapabilityHandler)

  init(_ handler: any BridgeCapabilityHandler) {
    if let handler = handler as? any ImmediateBridgeCapabilityHandler {
      self = .immediate(handler)
    } else {
      self = .suspending(handler)
    }
  }
}

/// A capability without a typed slot, as registered with ``BridgeHost/registerCustomCapability(_:version:handler:)`` or declared.
struct CustomCapability {
  /// Its description in the answer to `capability.query`; nil leaves it out of the answer.
  let info: BridgeCapabilityInfo?
  /// The handler of its requests; with nil, they wait in ``BridgeHost/pendingRequests``.
  let handler: RegisteredHandler?
}

/// The handler of a custom capability, which calls a closure.
final class CustomCapabilityHandler: BridgeCapabilityHandler {
  let action: String
  private let body: @Sendable (BridgeMessage, any BridgeResponder) async -> Void

  init(action: String, body: @escaping @Sendable (BridgeMessage, any BridgeResponder) async -> Void) {
    self.action = action
    self.body = body
  }

  func handle(request: BridgeMessage, responder: any BridgeResponder) async {
    await body(request, responder)
  }
}
