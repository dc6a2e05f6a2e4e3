/// Distributes the requests to an https origin, as a pure state machine: it decides which request begins on which connection of HTTP/2, and when another
/// connection is made.
///
/// While a connection is being made, requests wait for it, since it may carry them all. For an origin that has chosen HTTP/1.1, none waits: each
/// request gets a connection of its own.
struct HTTP2PoolStateMachine: Sendable {
  /// The identifier of a connection.
  typealias Connection = ObjectIdentifier

  /// What the owner must do next, in order.
  enum Action: Sendable, Hashable {
    /// Begin the oldest waiting request on this connection, then report how many more the connection takes.
    case begin(on: Connection)
    /// Begin the oldest waiting request on the new connection of HTTP/1.1.
    case beginOnHTTP1
    /// Make a connection that offers HTTP/2.
    case connect
    /// Fail all waiting requests.
    case failWaiting
  }

  private struct Room {
    let connection: Connection
    var count: Int
    var isPending: Bool
  }

  private var rooms: [Room] = []
  private var waitingCount = 0
  private var connectingCount = 0
  private var speaksHTTP1 = false

  /// Adds a request to the end of the queue.
  mutating func added() -> [Action] {
    waitingCount += 1
    return distribute()
  }

  /// A new connection uses HTTP/2, and takes this many requests now.
  mutating func connected(_ connection: Connection, room: Int, isPending: Bool) -> [Action] {
    connectingCount -= 1
    speaksHTTP1 = false
    rooms.append(Room(connection: connection, count: room, isPending: isPending))
    return distribute()
  }

  /// A new connection uses HTTP/1.1.
  mutating func connectedHTTP1() -> [Action] {
    connectingCount -= 1
    speaksHTTP1 = true
    guard waitingCount > 0 else { return [] }
    waitingCount -= 1
    return [.beginOnHTTP1] + distribute()
  }

  /// A new connection could not be made. The requests that wait for it fail, too.
  mutating func connectionFailed() -> [Action] {
    connectingCount -= 1
    guard waitingCount > 0, connectingCount == 0 else { return [] }
    waitingCount = 0
    return [.failWaiting]
  }

  /// A connection takes this many requests now.
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

  private var connectsAnother: Bool {
    speaksHTTP1 || (connectingCount == 0 && !rooms.contains { $0.isPending })
  }
}
