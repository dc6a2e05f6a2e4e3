import ArgumentParser
import Essentials

/// A browser that `footbridge browse` can open.
enum Browser: String, CaseIterable, ExpressibleByArgument {
  /// Chromium, and what is made of it: Chrome and Edge.
  case chromium
  /// Firefox.
  case firefox
  /// The engine of iOS, as WebKitGTK's MiniBrowser.
  case webkit

  /// The variable that names the program.
  static let variable = "FOOTBRIDGE_BROWSER"

  /// The names of its programs on the search path.
  private var names: [String] {
    switch self {
    case .chromium: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"]
    case .firefox: ["firefox", "firefox-esr"]
    case .webkit: ["MiniBrowser"]
    }
  }

  /// Where its programs are that are not on the search path. `*` stands for one folder.
  private var places: [String] {
    switch self {
    case .chromium:
      [
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
      ]
    case .firefox: ["/Applications/Firefox.app/Contents/MacOS/firefox"]
    // Debian, and Fedora.
    case .webkit:
      [
        "/usr/lib/*/webkit2gtk-4.*/MiniBrowser", "/usr/lib/*/webkitgtk-6.*/MiniBrowser",
        "/usr/libexec/webkit*/MiniBrowser",
      ]
    }
  }

  private var installation: String {
    switch self {
    case .chromium: "No Chromium is on the search path. Install it"
    case .firefox: "No Firefox is on the search path. Install it (on Debian: firefox-esr)"
    case .webkit: "WebKitGTK's MiniBrowser is not there. Install it (on Debian: webkit2gtk-driver)"
    }
  }

  /// Returns the browser to open, and the path or name of its program: the one that the variable names, or the first that is there.
  ///
  /// - Parameter chosen: The browser that `--browser` names. Nil means any.
  /// - Throws: ``Failure`` if there is none.
  static func installed(
    _ chosen: Browser?, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> (Browser, program: String) {
    if let named = environment[variable], !named.isEmpty { return (chosen ?? Browser(program: named), named) }
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    for browser in chosen.map({ [$0] }) ?? allCases {
      if let program = browser.program(in: folders) { return (browser, program) }
    }
    throw Failure.unavailable("\((chosen ?? .chromium).installation), or name it with \(variable).")
  }

  /// The browser that a program is, by its name. A program with an unknown name is taken for Chromium.
  private init(program: String) {
    let name = URL(fileURLWithPath: program).lastPathComponent.lowercased()
    self = name.contains("firefox") ? .firefox : name == "minibrowser" ? .webkit : .chromium
  }

  private func program(in folders: [String]) -> String? {
    let candidates = names.flatMap { name in folders.map { "\($0)/\(name)" } } + places.flatMap(Self.files)
    return candidates.first { access($0, X_OK) == 0 }
  }

  /// The files that fit a pattern, the newest version first.
  private static func files(_ pattern: String) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(pattern, 0, nil, &found) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }.reversed()
  }
}
