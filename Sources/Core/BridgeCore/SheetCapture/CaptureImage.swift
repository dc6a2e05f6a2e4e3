public import Essentials

/// An image file for a capture, with its size and type.
///
/// ```swift
/// let image = try CaptureImage(Data(contentsOf: URL(fileURLWithPath: "passport.png")))
/// let result = CaptureKind.document.result(image)
/// ```
public struct CaptureImage: Sendable, Hashable {
  /// The largest size of an image file, in bytes: 16 MiB.
  public static let dataLimit = 16 << 20
  /// The largest width and height, in pixels: the maximum of JPEG.
  public static let sideLimit = 65_535

  /// The bytes of the file.
  public let data: Data
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// The media type, such as `image/png`.
  public let mimeType: String

  /// Creates an image from the bytes of a PNG or JPEG file. Reads size and type from the file's header.
  ///
  /// - Throws: ``CaptureImageError`` if the file is too large, or if its header cannot be read.
  public init(_ data: Data) throws(CaptureImageError) {
    guard data.count <= Self.dataLimit else { throw CaptureImageError("The image is larger than 16 MiB.") }
    guard let header = ImageHeader(data) else {
      throw CaptureImageError("The image is neither a PNG nor a JPEG file whose size can be read.")
    }
    self.init(data: data, width: header.width, height: header.height, mimeType: header.mimeType)
  }

  /// Reads an image from the members of a capture's response: `imageBase64`, `imageWidth`, `imageHeight` and `mimeType`. The last three may be
  /// left out for PNG and JPEG images.
  ///
  /// - Throws: ``CaptureImageError`` if a member is missing or not valid, or if the image is too large.
  public init(fields: [String: JSONValue]) throws(CaptureImageError) {
    guard let base64 = fields["imageBase64"]?.stringValue else {
      throw CaptureImageError("imageBase64 is missing or not a string.")
    }
    guard base64.utf8.count <= (Self.dataLimit + 2) / 3 * 4 else {
      throw CaptureImageError("The image is larger than 16 MiB.")
    }
    // Foundation is lenient about padding.
    let padding = base64.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard let data = Data(base64Encoded: base64), !data.isEmpty, data.count == base64.utf8.count / 4 * 3 - padding,
      base64.utf8.count.isMultiple(of: 4)
    else {
      throw CaptureImageError("imageBase64 is not the base64 of an image (RFC 4648, section 4).")
    }
    guard data.count <= Self.dataLimit else { throw CaptureImageError("The image is larger than 16 MiB.") }
    let header = ImageHeader(data)
    self.init(
      data: data,
      width: try Self.side(fields["imageWidth"], header?.width, "imageWidth"),
      height: try Self.side(fields["imageHeight"], header?.height, "imageHeight"),
      mimeType: try Self.mimeType(fields["mimeType"], header?.mimeType)
    )
  }

  /// Creates one of the built-in images.
  init(sample base64: String, width: Int, height: Int, mimeType: String) {
    self.init(data: Data(base64Encoded: base64) ?? Data(), width: width, height: height, mimeType: mimeType)
  }

  private init(data: Data, width: Int, height: Int, mimeType: String) {
    self.data = data
    self.width = width
    self.height = height
    self.mimeType = mimeType
  }

  private static func side(
    _ value: JSONValue?,
    _ fallback: Int?,
    _ name: String
  ) throws(CaptureImageError) -> Int {
    if value == nil, let fallback { return fallback }
    guard let side = value?.numberValue.flatMap({ Int(exactly: $0) }), 1...sideLimit ~= side else {
      throw CaptureImageError("\(name) is not a whole number of pixels from 1 to \(sideLimit).")
    }
    return side
  }

  private static func mimeType(_ value: JSONValue?, _ fallback: String?) throws(CaptureImageError) -> String {
    if value == nil, let fallback { return fallback }
    guard let type = value?.stringValue, type.utf8.count <= 64,
      type.wholeMatch(of: /image\/[a-z0-9][a-z0-9.+-]*/) != nil
    else {
      throw CaptureImageError("mimeType is not the media type of an image, such as image/jpeg.")
    }
    return type
  }
}

/// Why bytes or fields are not a valid image for a capture.
public struct CaptureImageError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, as a sentence.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
