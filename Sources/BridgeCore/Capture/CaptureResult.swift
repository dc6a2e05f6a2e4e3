/// What a capture came to (GBGBridge reference, "CaptureResult").
public enum CaptureResult: Sendable, Hashable {
  /// A document was captured.
  case document(DocumentCaptureResult)
  /// A face was captured.
  case selfie(SelfieCaptureResult)
  /// The person went back; answered with the status `cancelled`.
  case cancelled(reason: String)
  /// It went wrong; answered with the status `error` and these members as the error.
  case failed(code: String, message: String, recoverable: Bool)
}
