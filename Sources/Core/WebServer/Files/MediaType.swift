/// Media types by file name extension, as in the IANA registry and in browsers.
public enum MediaType {
  /// The media type of a file; `application/octet-stream` if the extension is unknown.
  public static func of(fileName: String) -> String {
    // Apple's Associated Domains require a media type for this file without an extension.
    let name = after(UInt8(ascii: "/"), in: fileName[...]) ?? fileName[...]
    if name == "apple-app-site-association" { return "application/json" }
    return after(UInt8(ascii: "."), in: name).flatMap { byExtension[$0.lowercased()] } ?? unknown
  }

  /// What comes after the last one of these characters; nil if there is none.
  private static func after(_ character: UInt8, in text: Substring) -> Substring? {
    text.utf8.lastIndex(of: character).map { text[text.utf8.index(after: $0)...] }
  }

  private static let unknown = "application/octet-stream"

  private static let byExtension: [String: String] = [
    "html": "text/html; charset=utf-8", "htm": "text/html; charset=utf-8", "xhtml": "application/xhtml+xml",
    "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8",
    "cjs": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8", "json": "application/json", "map": "application/json",
    "jsonld": "application/ld+json",
    "webmanifest": "application/manifest+json", "txt": "text/plain; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "csv": "text/csv; charset=utf-8", "xml": "application/xml", "rss": "application/rss+xml",
    "atom": "application/atom+xml",
    "svg": "image/svg+xml", "png": "image/png", "apng": "image/apng", "jpg": "image/jpeg", "jpeg": "image/jpeg",
    "gif": "image/gif", "webp": "image/webp", "avif": "image/avif", "ico": "image/vnd.microsoft.icon",
    "bmp": "image/bmp",
    "tif": "image/tiff", "tiff": "image/tiff", "heic": "image/heic", "woff": "font/woff", "woff2": "font/woff2",
    "ttf": "font/ttf", "otf": "font/otf", "eot": "application/vnd.ms-fontobject", "mp3": "audio/mpeg",
    "m4a": "audio/mp4",
    "aac": "audio/aac", "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg", "wav": "audio/wav",
    "flac": "audio/flac",
    "mp4": "video/mp4", "m4v": "video/mp4", "webm": "video/webm", "ogv": "video/ogg", "mov": "video/quicktime",
    "m3u8": "application/vnd.apple.mpegurl", "ts": "video/mp2t", "vtt": "text/vtt; charset=utf-8",
    "wasm": "application/wasm",
    "pdf": "application/pdf", "zip": "application/zip", "gz": "application/gzip", "br": "application/octet-stream",
    "tar": "application/x-tar", "rtf": "application/rtf", "glb": "model/gltf-binary", "gltf": "model/gltf+json",
    "ics": "text/calendar; charset=utf-8", "storekit": "application/json", "jxl": "image/jxl", "heif": "image/heif",
    "mpd": "application/dash+xml", "srt": "application/x-subrip; charset=utf-8", "wgsl": "text/wgsl; charset=utf-8",
    "usdz": "model/vnd.usdz+zip",
  ]
}
