public import Foundation

/// The image of a face, with what the biometric check wants of it (GBGBridge reference, "SelfieCaptureResult").
public struct SelfieCaptureResult: Sendable, Hashable {
  /// The bytes of the image file that the page may show.
  public let previewImageData: Data
  /// The preview's width in pixels.
  public let width: Int
  /// The preview's height in pixels.
  public let height: Int
  /// The media type of ``previewImageData``.
  public let mimeType: String
  /// Biometric data, encrypted.
  public let encryptedBlob: Data
  /// Biometric data, not encrypted.
  public let unencryptedBlob: Data

  /// Creates a result.
  public init(
    previewImageData: Data,
    width: Int,
    height: Int,
    mimeType: String = "image/jpeg",
    encryptedBlob: Data,
    unencryptedBlob: Data
  ) {
    self.previewImageData = previewImageData
    self.width = width
    self.height = height
    self.mimeType = mimeType
    self.encryptedBlob = encryptedBlob
    self.unencryptedBlob = unencryptedBlob
  }
}
