/// Distributes the requests to an https origin over HTTP/2 connections, and decides when to open another connection. A
/// pure state machine.
///
/// While a connection is being opened, requests wait for it, since it may carry them all. If the server has chosen
/// HTTP/1.1, they do not wait: each request gets a connection of its own.
struct HTTP2PoolStateMachine: Sendable {
  /// The identifier of a connection.
  typealias Connection = ObjectIdentifier

  /// What the owner must do next, in order.
  enum Action: Sendable, Hashable {
    /// Begin the oldest waiting request on this connection. Then report how many more the connection takes
    /// (``HTTP2PoolStateMachine/changed(_:room:isPending:)``).
    case begin(on: Connection)
    /// Begin the oldest waiting request on the new HTTP/1.1 connection.
    case beginOnHTTP1
    /// Open a connection that offers HTTP/2.
    case connect
    /// Fail all waiting requests.
    case failWaiting
  }

  /// How many more requests a connection takes now, and whether it may soon take more.
  private struct Room {
    let connection: Connection
    var count: Int
    var isPending: Bool
  }

  private var rooms: [Room] = []
  private var waitingCount = 0
  private var connectingCount = 0
  /// Whether the server chose HTTP/1.1 for the latest connection.
  private var speaksHTTP1 = false

  /// Adds a request to the end of the queue.
  mutating func added() -> [Action] {
    waitingCount += 1
    return distribute()
  }

  /// A new connection is open. It uses HTTP/2, and takes `room` requests now.
  mutating func connected(_ connection: Connection, room: Int, isPending: Bool) -> [Action] {
    connectingCount -= 1
    speaksHTTP1 = false
    rooms.append(Room(connection: connection, count: room, isPending: isPending))
    return distribute()
  }

  /// A new connection is open. It uses HTTP/1.1.
  mutating func connectedHTTP1() -> [Action] {
    connectingCount -= 1
    speaksHTTP1 = true
    guard waitingCount > 0 else { return [] }
    waitingCount -= 1
    return [.beginOnHTTP1] + distribute()
  }

  /// A connection could not be opened. If no other is being opened, all waiting requests fail.
  mutating func connectionFailed() -> [Action] {
    connectingCount -= 1
    guard waitingCount > 0, connectingCount == 0 else { return [] }
    waitingCount = 0
    return [.failWaiting]
  }

  /// A connection takes `room` more requests now.
  mutating func changed(_ connection: Connection, room: Int, isPending: Bool) -> [Action] {
    guard let index = rooms.firstIndex(where: { $0.connection == connection }) else { return [] }
    rooms[index].count = room
    rooms[index].isPending = isPending
    return distribute()
  }

  /// A connection takes no further requests.
  mutating func ended(_ connection: Connection) -> [Action] {
    rooms.removeAll { $0.connection == connection }
    return distribute()
  }

  private mutating func distribute() -> [Action] {
    if waitingCount > 0, let room = rooms.first(where: { $0.count > 0 }) {
      waitingCount -= 1
      return [.begin(on: room.connection)]
    }
    var actions: [Action] = []
    while waitingCount > connectingCount, connectsAnother {
      connectingCount += 1
      actions.append(.connect)
    }
    return actions
  }

  /// Whether to open one more connection for the waiting requests.
  private var connectsAnother: Bool {
    speaksHTTP1 || (connectingCount == 0 && !rooms.contains { $0.isPending })
  }
}
