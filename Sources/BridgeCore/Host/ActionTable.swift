import Essentials

/// What belongs to actions by their names: few, that are looked for with each message. To compare a name's bytes takes less than to make a
/// string of it and hash that.
package struct ActionTable<Value> {
  private var rows: [(name: String, value: Value)] = []

  /// Nothing belongs to any action.
  package init() {}

  /// What belongs to the action of this name.
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

  /// What belongs to the action of a message.
  package subscript(message: BridgeMessage) -> Value? {
    let found = message.withAction { (name: UnsafeBufferPointer<UInt8>) -> Int? in index(of: name) }
    return found.map { rows[$0].value }
  }

  private func index(of name: String) -> Int? {
    var name = name
    return name.withUTF8 { (name: UnsafeBufferPointer<UInt8>) -> Int? in index(of: name) }
  }

  @inline(__always)
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

/// A handler and how it is called: found out when it is registered, because asking takes longer than most handlers.
enum RegisteredHandler {
  /// It is asked for its answer where the request arrives.
  case answering(any AnsweringCapabilityHandler)
  /// It is called where the request arrives.
  case immediate(any ImmediateBridgeCapabilityHandler)
  /// It is called in a task.
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
  /// What `capability.query` answers of it; nil leaves it out.
  let info: BridgeCapabilityInfo?
  /// Handles its requests; nil leaves them to be answered by hand.
  let handler: RegisteredHandler?
}

/// The handler of a custom capability: a closure.
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
