import BridgeCore
import Cryptography
import Essentials

/// The dashboard with a transcript in one HTML file, which needs no server.
package enum TranscriptPage {
  /// Makes the file. The transcript is hostile: nothing of it becomes HTML.
  package static func html(showing transcript: [UInt8], named name: String) -> String {
    let script = ModuleOrder(of: ["dashboard/main.js"]).scopedSource
    let style = text("dashboard/dashboard.css")
    let policy =
      "default-src 'none'; script-src '\(hash(script))'; style-src '\(hash(style))'; img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    return text("dashboard/index.html")
      .replacing(styleLink, with: "<style>\(style)</style>")
      .replacing(scriptLink, with: "")
      .replacing(
        "<meta charset=\"utf-8\">",
        with: "<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">"
      )
      .replacing(
        "</body>",
        with: """
          <script type="application/json" id="transcript">\(data(transcript, name))</script>
          <script>\(script)</script>
          </body>
          """)
  }

  static let styleLink = "<link rel=\"stylesheet\" href=\"dashboard/dashboard.css\">"
  static let scriptLink = "<script type=\"module\" src=\"dashboard/main.js\"></script>"

  private static func text(_ path: String) -> String {
    String(decoding: EmbeddedFile.all[path]?.bytes ?? [], as: UTF8.self)
  }

  /// The source of a Content-Security-Policy that allows this text.
  private static func hash(_ text: String) -> String {
    "sha256-\(Data(SHA256.hash(text)).base64EncodedString())"
  }

  /// The transcript as JSON that ends no element of HTML.
  private static func data(_ transcript: [UInt8], _ name: String) -> String {
    let json: JSONValue = ["name": .string(name), "text": .string(String(decoding: transcript, as: UTF8.self))]
    return json.jsonText.replacing("<", with: "\\u003c")
  }
}
