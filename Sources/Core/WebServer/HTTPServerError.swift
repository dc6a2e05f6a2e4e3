/// Why a server could not start, listen or watch a folder.
public enum HTTPServerError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Another socket already listens on the port.
  case addressInUse(host: String, port: Int)
  /// This user may not listen on the port, which is usually one below 1024.
  case permissionDenied(host: String, port: Int)
  /// The host is not an address of this machine.
  case noSuchAddress(host: String)
  /// The server cannot listen for another reason, which the system gives.
  case cannotListen(host: String, port: Int, reason: String)
  /// A folder cannot be watched for changes, for a reason that the system gives.
  case cannotWatch(folder: String, reason: String)
  /// libev, or libwebsockets' plugin for it, is not installed.
  case libevMissing
  /// libwebsockets could not start.
  case loopUnavailable

  /// What happened, and what to do.
  public var description: String {
    switch self {
    case .addressInUse(let host, let port):
      "Port \(port) on \(host) is in use. Stop the program that listens there, or choose another with --port or --tls-port (0 picks a free one)."
    case .permissionDenied(let host, let port):
      "No permission to listen on port \(port) of \(host). Choose a port of 1024 or above with --port or --tls-port."
    case .noSuchAddress(let host):
      "\(host) is not an address of this machine. Set --host to one that it has, such as 127.0.0.1."
    case .cannotListen(let host, let port, let reason):
      "Cannot listen on port \(port) of \(host): \(reason)."
    case .cannotWatch(let folder, let reason):
      "Cannot watch \(folder) for changes: \(reason). Start without --watch, or allow more watches (fs.inotify.max_user_instances)."
    case .libevMissing:
      "libev or libwebsockets' plugin for it is not installed. Install libwebsockets-evlib-ev, or start without --event-loop libev."
    case .loopUnavailable:
      "libwebsockets could not start its event loop. See its own message above this one."
    }
  }
}
