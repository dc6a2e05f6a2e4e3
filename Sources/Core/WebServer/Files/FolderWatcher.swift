import BridgeRuntime
import Essentials

#if canImport(CoreServices)
  import CoreServices
#endif

/// An event in a watched folder.
public enum FolderEvent: Sendable, Hashable {
  /// A file or folder at this path was written, created, renamed or removed. The path is relative to the watched
  /// folder. It is empty when this folder itself appeared or disappeared, and when the system has lost events.
  case changed(String)
  /// A part of the folder cannot be watched, for a reason that the system gives. Changes in it are not reported.
  /// Reported at most once.
  case incomplete(reason: String)
}

// File changes come from FSEvents on macOS, and from inotify on Linux.

#if canImport(CoreServices)
  /// Watches a folder and everything in it.
  @BridgeActor
  final class FolderWatcher {
    private final class Sink: Sendable {
      let tell: @Sendable ([String]) -> Void
      init(_ tell: @escaping @Sendable ([String]) -> Void) { self.tell = tell }
    }

    private let stream: FSEventStreamRef
    private let sink: Sink

    init(path: String, onEvent: @escaping @BridgeActor (FolderEvent) -> Void) throws(HTTPServerError) {
      let sink = Sink { paths in
        Task { @BridgeActor in
          for path in paths.compactMap({ FolderPath(absolute: $0, root: path) }) where path.isWatched {
            onEvent(.changed(path.relative))
          }
        }
      }
      var context = FSEventStreamContext()
      context.info = Unmanaged.passUnretained(sink).toOpaque()
      let flags =
        kFSEventStreamCreateFlagFileEvents | kFSEventStreamCreateFlagNoDefer | kFSEventStreamCreateFlagUseCFTypes
      let stream = FSEventStreamCreate(
        nil,
        { _, info, _, paths, _, _ in
          guard let info else { return }
          let paths = Unmanaged<CFArray>.fromOpaque(paths).takeUnretainedValue() as? [String]
          Unmanaged<Sink>.fromOpaque(info).takeUnretainedValue().tell(paths ?? [])
        },
        &context,
        [path] as CFArray,
        FSEventStreamEventId(kFSEventStreamEventIdSinceNow),
        0.02,
        FSEventStreamCreateFlags(flags)
      )
      guard let stream else { throw .cannotWatch(folder: path, reason: "the system reports no events for it") }
      self.sink = sink
      self.stream = stream
      FSEventStreamSetDispatchQueue(stream, DispatchQueue(label: "footbridge.watch"))
      FSEventStreamStart(stream)
    }

    /// Stops watching.
    func closeSoon() {
      FSEventStreamStop(stream)
      FSEventStreamInvalidate(stream)
      FSEventStreamRelease(stream)
    }
  }
#else
  /// Watches a folder and everything in it.
  ///
  /// inotify watches single folders, so each subfolder gets its own watch as soon as it appears.
  @BridgeActor
  final class FolderWatcher: RawDescriptor {
    private let path: String
    private let onEvent: @BridgeActor (FolderEvent) -> Void
    /// The watched folders by watch descriptor; paths are relative to the root.
    private var folderByWatch: [Int32: String] = [:]
    private var isIncomplete = false

    private static let mask = UInt32(
      IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MOVE_SELF | IN_ONLYDIR | IN_DONT_FOLLOW)

    /// How often to look for a missing root.
    private static let lookInterval = Duration.milliseconds(200)

    init(path: String, onEvent: @escaping @BridgeActor (FolderEvent) -> Void) throws(HTTPServerError) {
      let descriptor = inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC))
      guard descriptor >= 0 else {
        throw .cannotWatch(folder: path, reason: String(cString: strerror(errno)))
      }
      self.path = path
      self.onEvent = onEvent
      super.init(descriptor: descriptor)
      guard addWatch("") != nil else {
        let reason = String(cString: strerror(errno))
        close(descriptor)
        throw .cannotWatch(folder: path, reason: reason)
      }
      guard watch() else {
        throw .cannotWatch(folder: path, reason: "the event loop did not take its descriptor")
      }
      Task { await watchFolders(in: "") }
    }

    override func becameReadable() {
      let count = read(descriptor, EventLoop.scratch.baseAddress, EventLoop.scratch.count)
      var events = UnsafeRawBufferPointer(rebasing: EventLoop.scratch[..<max(count, 0)])[...]
      let headCount = MemoryLayout<inotify_event>.size
      while events.count >= headCount {
        let event = events.loadUnaligned(as: inotify_event.self)
        let name = events.dropFirst(headCount).prefix(Int(event.len)).prefix { $0 != 0 }
        received(event, name: String(decoding: name, as: UTF8.self))
        events = events.dropFirst(headCount + Int(event.len))
      }
    }

    override func timerFired() {
      guard addWatch("") != nil else { return setTimer(Self.lookInterval) }
      onEvent(.changed(""))
      Task { await watchFolders(in: "") }
    }

    private func received(_ event: inotify_event, name: String) {
      // The system's queue has overflowed.
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return onEvent(.changed("")) }
      guard let folder = folderByWatch[event.wd] else { return }
      if event.mask & UInt32(IN_MOVE_SELF) != 0 {
        if folder.isEmpty { inotify_rm_watch(descriptor, event.wd) } else { unwatchMoved(folder) }
        return
      }
      if event.mask & UInt32(IN_IGNORED) != 0 {
        folderByWatch[event.wd] = nil
        if folder.isEmpty {
          onEvent(.changed(""))
          setTimer(Self.lookInterval)
        }
        return
      }
      let path = FolderPath(relative: folder.isEmpty ? name : folder + "/" + name)
      guard path.isWatched else { return }
      let appears = event.mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0
      if appears, event.mask & UInt32(IN_ISDIR) != 0 { watch(path.relative) }
      onEvent(.changed(path.relative))
    }

    private func watch(_ folder: String) {
      guard isOpen else { return }
      if addWatch(folder) != nil {
        Task { await watchFolders(in: folder) }
      } else if errno != ENOENT, errno != ENOTDIR, !isIncomplete {
        isIncomplete = true
        onEvent(.incomplete(reason: String(cString: strerror(errno))))
      }
    }

    /// Watches the subfolders of a folder that is already watched. Those that appear later are reported as events.
    private func watchFolders(in folder: String) async {
      let path = path + "/" + folder
      let names = try? await FileQueue.run {
        try FileManager.default.contentsOfDirectory(atPath: path).filter { name in
          var status = stat()
          return lstat(path + "/" + name, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        }
      }
      for name in names ?? [] {
        let path = FolderPath(relative: folder.isEmpty ? name : folder + "/" + name)
        if path.isWatched { watch(path.relative) }
      }
    }

    /// Stops watching a folder that was moved out of the root, and all in it.
    ///
    /// If it was moved within the root, IN_MOVED_TO has come before and has stored the new path: inotify keeps one watch
    /// per folder.
    private func unwatchMoved(_ folder: String) {
      for (watch, path) in folderByWatch where path == folder || path.hasPrefix(folder + "/") {
        if addWatch(path) != watch { inotify_rm_watch(descriptor, watch) }
      }
    }

    /// Watches a folder, but not its subfolders. Returns its watch descriptor; nil with `errno` on failure.
    private func addWatch(_ folder: String) -> Int32? {
      let watch = inotify_add_watch(descriptor, path + "/" + folder, Self.mask)
      guard watch >= 0 else { return nil }
      folderByWatch[watch] = folder
      return watch
    }
  }
#endif

/// A path in a watched folder.
private struct FolderPath {
  let relative: String

  init(relative: String) {
    self.relative = relative
  }

  #if canImport(CoreServices)
    init?(absolute: String, root: String) {
      guard absolute.hasPrefix(root) else { return nil }
      relative = String(absolute.dropFirst(root.count).drop { $0 == "/" })
    }
  #endif

  /// Whether to report changes at this path. Names that begin with a dot (but for `.well-known`) are never served.
  /// Backup copies of editors (`a.css~`) and `node_modules` change too often.
  var isWatched: Bool {
    !relative.hasSuffix("~")
      && relative.split(separator: "/").allSatisfy {
        $0 != "node_modules" && (!$0.hasPrefix(".") || $0 == ".well-known")
      }
  }
}
