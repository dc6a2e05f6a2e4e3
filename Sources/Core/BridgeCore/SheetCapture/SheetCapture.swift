public import BridgeRuntime
import Essentials

/// Handles captures with a sheet: a ``SheetPresenter`` simulates the camera screen of a native host.
///
/// ```swift
/// SheetCapture(presenter: presenter, random: BridgeRandom()).configure(host: host)
/// ```
///
/// The sheet has the kind `capture` and the content `{capability: "document" | "selfie", documentType?, side?}`, the last two as the page
/// sent them. Its answer is one of
/// - dismissed: the capture is cancelled, with the reason `User dismissed` of the vendor's stub;
/// - approved with `{imageBase64, imageWidth, imageHeight, mimeType}`: the capture returns this image;
/// - approved with `{error: {code, message, recoverable}}`: the capture fails with this error;
/// - approved with neither: the capture returns the result in ``standIns``. `--present auto` answers like this.
@BridgeActor
public final class SheetCapture {
  /// The results for an approval without an image; by default, drawn placeholders.
  public var standIns = samples

  /// Shared by all captures, so that copies cost no memory.
  private static let samples: [CaptureKind: CaptureResult] = [
    .document: CaptureKind.document.result(.sampleDocument),
    .selfie: CaptureKind.selfie.result(.sampleFace),
  ]

  private let presenter: any SheetPresenter
  private let random: BridgeRandom
  private let camera: RoundTrips

  /// Creates a capture whose sheets `presenter` shows. It can serve any number of hosts.
  ///
  /// - Parameter delay: How long a capture takes at least if nobody is asked, in real time. Its slot is busy meanwhile.
  public init(presenter: any SheetPresenter, random: BridgeRandom, delay: Duration = .zero) {
    self.presenter = presenter
    self.random = random
    camera = RoundTrips(delay)
  }

  /// Sets the handlers of both slots.
  public func configure(host: BridgeHost) {
    let asker = host.id
    host.documentCapture.handler = { await self.capture(.document, $0, for: asker) }
    host.selfieCapture.handler = { await self.capture(.selfie, $0, for: asker) }
  }

  private func capture(_ kind: CaptureKind, _ request: BridgeMessage, for asker: BridgeHost.ID) async -> CaptureResult {
    var content: [String: JSONValue] = ["capability": .string(kind.rawValue)]
    let data = request.payload.data ?? [:]
    for name in ["documentType", "side"] {
      if let value = data[name]?.stringValue { content[name] = .string(value) }
    }
    let sheet = Sheet(id: random.uuid(), kind: "capture", content: content, asker: asker)
    let answer = await presenter.present(sheet)
    if answer.isAutomatic { await camera.wait() }
    guard answer.approved else { return .cancelled(reason: "User dismissed") }
    if let error = answer.fields["error"] { return failure(error) }
    if answer.fields["imageBase64"] == nil, let standIn = standIns[kind] { return standIn }
    return await Self.result(kind, answer.fields)
  }

  /// Runs off the bridge's actor, since an image of some megabytes takes long.
  private nonisolated static func result(_ kind: CaptureKind, _ fields: [String: JSONValue]) async -> CaptureResult {
    do {
      return kind.result(try CaptureImage(fields: fields))
    } catch {
      return .failed(code: "CAPTURE_FAILED", message: error.description, recoverable: true)
    }
  }

  private func failure(_ error: JSONValue) -> CaptureResult {
    guard let code = error["code"]?.stringValue, let message = error["message"]?.stringValue,
      let recoverable = error["recoverable"]?.boolValue
    else {
      return .failed(
        code: "CAPTURE_FAILED",
        message: "The capture has failed, and its error lacks code, message or recoverable.",
        recoverable: true
      )
    }
    return .failed(code: code, message: message, recoverable: recoverable)
  }
}

/// The subject of a capture.
public enum CaptureKind: String, Sendable, Hashable, CaseIterable {
  /// A document, such as a passport.
  case document
  /// The person's face.
  case selfie

  /// Returns the capture result for `image`. Both blobs of a selfie are the bytes of its image, as in the vendor's own stub.
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
