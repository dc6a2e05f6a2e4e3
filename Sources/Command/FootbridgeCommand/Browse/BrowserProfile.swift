import Essentials

/// The folder with a browser's profile, made for one run.
struct BrowserProfile {
  /// Its path.
  let path: String

  /// Makes an empty folder.
  ///
  /// - Throws: ``Failure`` if it cannot be made.
  init() throws {
    var template = Array((FileManager.default.temporaryDirectory.path + "/footbridge-browser-XXXXXX").utf8CString)
    guard let path = mkdtemp(&template) else {
      throw Failure.unavailable("No folder for the browser's profile can be made: \(String(cString: strerror(errno))).")
    }
    self.path = String(cString: path)
  }

  /// Writes a file into the profile.
  ///
  /// - Throws: ``Failure`` if it cannot be written.
  func write(_ text: String, to name: String) throws {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    } catch {
      throw Failure.unavailable("\(path)/\(name) cannot be written: \(error.localizedDescription)")
    }
  }

  /// Makes a folder in the profile.
  ///
  /// - Throws: ``Failure`` if it cannot be made.
  func make(_ folder: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: "\(path)/\(folder)", withIntermediateDirectories: true)
    } catch {
      throw Failure.unavailable("\(path)/\(folder) cannot be made: \(error.localizedDescription)")
    }
  }

  /// Has programs that look for trusted authorities in this profile (NSS, RFC 5280 for its constraints) trust this one.
  ///
  /// - Parameters:
  ///   - certificate: The certificate of the authority, as PEM.
  ///   - folder: The folder of the database, in the profile; by default the profile itself.
  /// - Throws: ``Failure`` if `certutil` is not installed or fails.
  func trust(_ certificate: String, in folder: String = ".") async throws {
    let file = "footbridge-authority.crt"
    try write(certificate, to: file)
    try make(folder)
    let database = ["certutil", "-d", "sql:\(path)/\(folder)"]
    for command in [["-N", "--empty-password"], ["-A", "-t", "C,,", "-n", "Footbridge", "-i", "\(path)/\(file)"]] {
      do throws(CommandProcess.SpawnError) {
        let process = try CommandProcess(database + command)
        await process.waitForEnd()
        guard process.exitCode() == 0 else { throw CommandProcess.SpawnError(number: EIO) }
      } catch {
        throw Failure.unavailable(
          "The browser cannot trust the certificates of the sites, since certutil failed: \(String(cString: strerror(error.number))). On Debian, it is in libnss3-tools."
        )
      }
    }
  }

  /// Deletes the folder.
  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
