/// What a capture is of.
public enum CaptureKind: String, Sendable, Hashable, CaseIterable {
  /// A document, such as a passport.
  case document
  /// The person's face.
  case selfie

  /// The result that `image` makes. Both blobs of a selfie are the bytes of its image, as in the vendor's own stub.
  public func result(_ image: CaptureImage) -> CaptureResult {
    switch self {
    case .document:
      .document(
        DocumentCaptureResult(
          imageData: image.data,
          width: image.width,
          height: image.height,
          mimeType: image.mimeType
        )
      )
    case .selfie:
      .selfie(
        SelfieCaptureResult(
          previewImageData: image.data,
          width: image.width,
          height: image.height,
          mimeType: image.mimeType,
          encryptedBlob: image.data,
          unencryptedBlob: image.data
        )
      )
    }
  }
}
