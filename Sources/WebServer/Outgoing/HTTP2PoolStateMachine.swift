/// Where the requests to an https origin go, as a pure state machine: which of them begins on which connection of HTTP/2, and when another
/// connection is made.
///
/// A request waits while a connection is being made, since that may carry it, too. An origin that has chosen HTTP/1.1 makes nobody wait: each
/// request gets a connection of its own.
struct HTTP2PoolStateMachine: Sendable {
  /// Names a connection.
  typealias Connection = ObjectIdentifier

  /// What the owner must do next, in order.
  enum Action: Sendable, Hashable {
    /// Begin the request that has waited longest on a connection, and then tell the room that is left.
    case begin(on: Connection)
    /// Begin the request that has waited longest on the new connection of HTTP/1.1.
    case beginOnHTTP1
    /// Make a connection that offers HTTP/2.
    case connect
    /// Fail every request that waits.
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

  /// A request waits from now on, after those that already wait.
  mutating func added() -> [Action] {
    waitingCount += 1
    return distribute()
  }

  /// A new connection has HTTP/2, and takes so many requests now.
  mutating func connected(_ connection: Connection, room: Int, isPending: Bool) -> [Action] {
    connectingCount -= 1
    speaksHTTP1 = false
    rooms.append(Room(connection: connection, count: room, isPending: isPending))
    return distribute()
  }

  /// A new connection has HTTP/1.1.
  mutating func connectedHTTP1() -> [Action] {
    connectingCount -= 1
    speaksHTTP1 = true
    guard waitingCount > 0 else { return [] }
    waitingCount -= 1
    return [.beginOnHTTP1] + distribute()
  }

  /// A new connection could not be made. Those who wait for it would fail as well.
  mutating func connectionFailed() -> [Action] {
    connectingCount -= 1
    guard waitingCount > 0, connectingCount == 0 else { return [] }
    waitingCount = 0
    return [.failWaiting]
  }

  /// A connection takes so many requests now.
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
