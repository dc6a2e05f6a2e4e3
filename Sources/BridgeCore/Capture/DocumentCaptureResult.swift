public import Foundation

/// The image of a document (GBGBridge reference, "DocumentCaptureResult").
public struct DocumentCaptureResult: Sendable, Hashable {
  /// The bytes of the image file.
  public let imageData: Data
  /// The image's width in pixels.
  public let width: Int
  /// The image's height in pixels.
  public let height: Int
  /// The media type of ``imageData``.
  public let mimeType: String

  /// Creates a result.
  public init(imageData: Data, width: Int, height: Int, mimeType: String = "image/png") {
    self.imageData = imageData
    self.width = width
    self.height = height
    self.mimeType = mimeType
  }
}
