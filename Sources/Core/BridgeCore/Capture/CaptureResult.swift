public import Essentials

/// The result of a capture (GBGBridge reference, "CaptureResult").
public enum CaptureResult: Sendable, Hashable {
  /// A document was captured.
  case document(DocumentCaptureResult)
  /// A face was captured.
  case selfie(SelfieCaptureResult)
  /// The person went back. The page gets the status `cancelled`.
  case cancelled(reason: String)
  /// The capture failed. The page gets the status `error`, and these members as the error.
  case failed(code: String, message: String, recoverable: Bool)
}

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

/// The image of a face, with the data for the biometric check (GBGBridge reference, "SelfieCaptureResult").
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
