import Essentials

/// A libev loop for libwebsockets.
///
/// The program is not linked with libev and libwebsockets' plugin. Both are loaded when needed.
struct LibevLoop {
  /// libev's `struct ev_loop`.
  let pointer: UnsafeMutableRawPointer
  private let run: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32
  private let updateTime: @convention(c) (UnsafeMutableRawPointer?) -> Void
  private let once: Once

  /// The callback of a libev timer. Both arguments are unused.
  typealias Callback = @convention(c) (Int32, UnsafeMutableRawPointer?) -> Void
  private typealias Once =
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, Int32, Double, Callback, UnsafeMutableRawPointer?
    ) -> Void

  /// Creates a loop; nil if libev or the plugin is not installed.
  init?() {
    typealias Make = @convention(c) (UInt32) -> UnsafeMutableRawPointer?
    typealias Run = @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32
    #if canImport(Darwin)
      let (library, plugin) = ("libev.4.dylib", "libwebsockets-evlib_ev.dylib")
    #else
      let (library, plugin) = ("libev.so.4", "libwebsockets-evlib_ev.so")
    #endif
    guard let libev = dlopen(library, RTLD_NOW | RTLD_GLOBAL), dlopen(plugin, RTLD_LAZY) != nil,
      let make = dlsym(libev, "ev_loop_new"), let run = dlsym(libev, "ev_run"),
      let updateTime = dlsym(libev, "ev_now_update"), let once = dlsym(libev, "ev_once"),
      let pointer = unsafeBitCast(make, to: Make.self)(Self.automaticBackend)
    else { return nil }
    self.pointer = pointer
    self.run = unsafeBitCast(run, to: Run.self)
    self.updateTime = unsafeBitCast(updateTime, to: (@convention(c) (UnsafeMutableRawPointer?) -> Void).self)
    self.once = unsafeBitCast(once, to: Once.self)
  }

  /// Calls `body` once, in a turn after some milliseconds. libwebsockets' own timers are no use here: its plugin never
  /// moves its timer to an earlier time.
  func call(after milliseconds: Int64, _ body: @escaping Callback) {
    // libev counts from the time that it read last.
    updateTime(pointer)
    once(pointer, -1, 0, Double(milliseconds + 1) / 1000, body, nil)
  }

  /// Waits for events, and lets libwebsockets handle them.
  func turn() {
    _ = run(pointer, Self.runOnce)
  }

  // libev's EVFLAG_AUTO and EVRUN_ONCE.
  private static let automaticBackend: UInt32 = 0
  private static let runOnce: Int32 = 2
}
