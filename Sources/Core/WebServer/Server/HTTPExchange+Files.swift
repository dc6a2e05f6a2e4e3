import BridgeRuntime
import Essentials
import HTTP1
public import HTTPTypes

extension HTTPExchange {
  /// Answers a GET or HEAD with a file. Supports content codings (RFC 9110, section 12.5.3), preconditions (section 13)
  /// and a single byte range (section 14), and sends the file in pieces. If the file cannot be read to its end, cuts
  /// the response.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - status: The status. With any other than 200, preconditions and ranges are ignored.
  ///   - fields: Further fields of the response.
  ///   - isConditional: Set it to false for content that differs with each request: preconditions and ranges are
  ///     ignored, and no validators are sent.
  public func serve(
    _ file: any FileContent, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:], isConditional: Bool = true
  ) async {
    var (file, fields) = (file, fields)
    fields[.contentType] = file.mediaType
    fields[.xContentTypeOptions] = "nosniff"
    if !file.encodedCopies.isEmpty {
      fields.append(HTTPField(name: .vary, value: "Accept-Encoding"))
      let coding = ContentCoding.preferred(by: head.fields, of: file.encodedCopies.keys)
      if let coding, let copy = file.encodedCopies[coding] {
        file = copy
        fields[.contentEncoding] = coding.rawValue
      }
    }
    guard isConditional, status == .ok else { return await send(file, 0..<file.byteCount, status, fields) }
    let tag = file.entityTag
    fields[.eTag] = tag?.description
    fields[.lastModified] = file.lastModified?.description
    fields[.acceptRanges] = "bytes"
    let current = Preconditions.Validators(entityTag: tag, lastModified: file.lastModified)
    let conditions = Preconditions(
      method: head.method,
      fields: head.fields,
      now: HTTPDate(secondsSinceEpoch: time(nil))
    )
    switch conditions.evaluate(against: current) {
    case .notModified:
      fields[.contentType] = nil
      fields[.contentEncoding] = nil
      respond(.notModified, fields: fields)
    case .preconditionFailed:
      respond(.preconditionFailed, fields: fields)
    case .proceed:
      // A request for several ranges gets the whole file (RFC 9110, section 14.2). Browsers request one range only.
      guard let ranges = conditions.ranges(against: current), ranges.count == 1 else {
        return await send(file, 0..<file.byteCount, .ok, fields)
      }
      guard let range = ranges[0].resolved(in: file.byteCount) else {
        fields[.contentRange] = "bytes */\(file.byteCount)"
        return respond(.rangeNotSatisfiable, fields: fields)
      }
      fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.byteCount)"
      await send(file, range, .partialContent, fields)
    }
  }

  private func send(
    _ file: any FileContent,
    _ range: Range<Int>,
    _ status: HTTPResponse.Status,
    _ fields: HTTPFields
  ) async {
    begin(status, fields: fields, length: range.count)
    guard head.method != .head else { return finish() }
    var offset = range.lowerBound
    do {
      while offset < range.upperBound {
        let piece = try await file.read(at: offset, count: min(Self.pieceBytes, range.upperBound - offset))
        // The file was truncated in the meantime. `finish` cuts the response.
        if piece.isEmpty { break }
        offset += piece.count
        try await write(piece)
      }
    } catch {
      // The peer has gone or the disk has failed. `finish` cuts the response, which is shorter than announced.
    }
    finish()
  }

  private static let pieceBytes = 256 << 10
}
