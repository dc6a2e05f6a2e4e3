import Essentials

/// A ``CaptureResult`` as the response to its request.
///
/// The reference does not say where the reason of a cancellation goes. Here it is `data.reason`, as in the reference's event
/// `journey.cancel`.
struct CaptureResponse: Sendable {
  let status: BridgeResponseStatus
  let data: [String: JSONValue]?
  let error: BridgeErrorPayload?

  /// Encodes a result. Runs off the bridge's actor, since an image of some megabytes takes long.
  init(encoding result: CaptureResult) async {
    switch result {
    case .document(let result):
      status = .success
      data = Self.image(result.imageData, width: result.width, height: result.height, mimeType: result.mimeType)
      error = nil
    case .selfie(let result):
      let blobs: [String: JSONValue] = [
        "encryptedBlobBase64": .string(result.encryptedBlob.base64EncodedString()),
        "unencryptedBlobBase64": .string(result.unencryptedBlob.base64EncodedString()),
      ]
      status = .success
      data = Self.image(
        result.previewImageData,
        width: result.width,
        height: result.height,
        mimeType: result.mimeType
      ).merging(blobs) { $1 }
      error = nil
    case .cancelled(let reason):
      status = .cancelled
      data = ["reason": .string(reason)]
      error = nil
    case .failed(let code, let message, let recoverable):
      status = .error
      data = nil
      error = BridgeErrorPayload(code: code, message: message, recoverable: recoverable)
    }
  }

  private static func image(_ bytes: Data, width: Int, height: Int, mimeType: String) -> [String: JSONValue] {
    [
      "imageBase64": .string(bytes.base64EncodedString()),
      "imageWidth": .number(Double(width)),
      "imageHeight": .number(Double(height)),
      "mimeType": .string(mimeType),
    ]
  }
}
