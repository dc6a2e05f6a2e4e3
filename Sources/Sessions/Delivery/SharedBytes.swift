/// How many bytes of one kind the sessions of a server hold together, or one of them. A session may hold as much as is free on the server:
/// however much one holds, others have room.
package final class SharedBytes {
  package let limit: Int
  private let share: Int
  private let server: SharedBytes?
  /// How many bytes are held.
  package private(set) var count = 0

  /// Creates the count of a server, or with `server` that of one of its sessions.
  ///
  /// - Parameter share: How many bytes a session may hold even if nothing is free on the server.
  package init(limit: Int, share: Int = 0, of server: SharedBytes? = nil) {
    self.limit = limit
    self.share = share
    self.server = server
  }

  /// How many more bytes may be held. Not above 0 if there is no room.
  package var room: Int {
    guard let server else { return limit - count }
    return min(limit, max(server.room, share)) - count
  }

  /// Notes that `change` more bytes are held, or fewer.
  package func change(by change: Int) {
    count += change
    server?.count += change
  }
}
