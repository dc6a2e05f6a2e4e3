import Foundation
import Testing

@testable import ContentDecoding

private let text = "<!doctype html><title>Page</title>"
private let bodies = [
  "gzip": "H4sIAAAAAAACA7NRTMlPLqksSFXIKMnNsbMpySzJSbULSExPtdGHsAHwWkZvIgAAAA==",
  "x-gzip": "H4sIAAAAAAACA7NRTMlPLqksSFXIKMnNsbMpySzJSbULSExPtdGHsAHwWkZvIgAAAA==",
  "deflate": "eJyzUUzJTy6pLEhVyCjJzbGzKcksyUm1C0hMT7XRh7AB1hMMTQ==",
  "br": "GyEA+KVeeFqQQigRRi+AgQqOOI0X",
  "zstd": "KLUv/QRoEQEAPCFkb2N0eXBlIGh0bWw+PHRpdGxlPlBhZ2U8L3RpdGxlPgIEIz4=",
]
/// What servers call `deflate`, too: without the header of zlib.
private let bareDeflate = "s1FMyU8uqSxIVcgoyc2xsynJLMlJtQtITE+10YewAQ=="

/// The begin of a frame of zstd with the largest window that browsers take, 8 MiB (RFC 8878, section 3.1.1.1; RFC 9659).
private let zstdStart: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 13 << 3]

private func bytes(_ base64: String?) throws -> [UInt8] {
  [UInt8](try #require(base64.flatMap { Data(base64Encoded: $0) }))
}

/// Decodes a body that comes in pieces of `pieceByteCount` bytes.
private func decode(
  _ body: [UInt8], _ codings: [String], pieceByteCount: Int = 1 << 20, byteLimit: Int = 1 << 20
) throws -> [UInt8] {
  let decoder = try #require(ContentDecoder(codings: codings, byteLimit: byteLimit))
  var decoded: [UInt8] = []
  for start in stride(from: 0, to: body.count, by: pieceByteCount) {
    decoder.push(Array(body[start..<min(start + pieceByteCount, body.count)]))
    while let piece = try decoder.next() { decoded += piece }
  }
  return decoded
}

@Suite struct ContentDecoderTests {
  @Test(arguments: bodies.keys.sorted(), [1, 2, 7, 1000])
  func `a body is decoded in pieces of any size`(coding: String, pieceByteCount: Int) throws {
    let decoded = try decode(try bytes(bodies[coding]), [coding], pieceByteCount: pieceByteCount)
    #expect(String(decoding: decoded, as: UTF8.self) == text)
  }

  @Test(arguments: [1, 1000])
  func `deflate without a zlib header is decoded`(pieceByteCount: Int) throws {
    let decoded = try decode(try bytes(bareDeflate), ["DEFLATE"], pieceByteCount: pieceByteCount)
    #expect(String(decoding: decoded, as: UTF8.self) == text)
  }

  @Test func `codings on top of each other are decoded in their order`() throws {
    // gzip of the text, then Brotli with one stored block around it: its header, the length less one, and the end.
    let inner = try bytes(bodies["gzip"])
    let length = inner.count - 1
    // WBITS 16, not last, MNIBBLES 4, length, stored.
    let header = UInt32(length) << 4 | 1 << 20
    let outer = [UInt8(header & 255), UInt8(header >> 8 & 255), UInt8(header >> 16 & 255)] + inner + [0x03]
    #expect(String(decoding: try decode(outer, ["gzip", "identity", "br"], pieceByteCount: 5), as: UTF8.self) == text)
  }

  @Test(arguments: bodies.keys.sorted())
  func `bytes after the end are ignored, and a truncated body is decoded as far as it goes`(coding: String) throws {
    let body = try bytes(bodies[coding])
    #expect(try decode(body + Array("rest".utf8), [coding], pieceByteCount: 3).count == text.utf8.count)
    #expect(try decode(Array(body.dropLast(12)), [coding]).count <= text.utf8.count)
  }

  @Test(arguments: ["gzip", "deflate", "br", "zstd"])
  func `the error about a body in another coding names the expected one`(coding: String) throws {
    // 0xFF begins no header, and is a reserved block in bare deflate.
    let error = #expect(throws: ContentDecodingError.self) {
      try decode([UInt8](repeating: 0xFF, count: 100), [coding])
    }
    #expect(error == .invalid(coding: coding))
    #expect(error?.description.contains(coding) == true)
  }

  @Test func `a small Brotli body that expands hugely fails at the limit`() throws {
    // 80 MiB of zeros.
    let bomb = try bytes("z///fwAkAOKxQHLv//n//w+ABEAcFoDu/T////8BkACIwwLQvf/n//8/ABIAcVgAuvf/+f//D0ACIA4LQPf+Hw==")
    let error = #expect(throws: ContentDecodingError.self) { try decode(bomb, ["br"], byteLimit: 64 << 20) }
    #expect(error == .tooLarge(byteLimit: 64 << 20))
    #expect(error?.description.contains("64 MiB") == true)
  }

  @Test(arguments: [1, 1000])
  func `zstd may have several frames, and those without content`(pieceByteCount: Int) throws {
    let frame = try bytes(bodies["zstd"])
    // RFC 8878, section 3.1.2: a number for everybody's use, a length, and that many bytes that mean nothing here.
    let skippable: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3]
    let empty: [UInt8] = zstdStart + [0x01, 0x00, 0x00]
    let decoded = try decode(
      skippable + frame + empty + frame + Array("something else".utf8), ["zstd"], pieceByteCount: pieceByteCount)
    #expect(String(decoding: decoded, as: UTF8.self) == text + text)
  }

  @Test func `a small zstd body that expands hugely fails at the limit`() throws {
    // 640 blocks, each of a byte that is repeated 131,072 times: 80 MiB.
    let bomb = zstdStart + (0..<640).flatMap { _ in [0x02, 0x00, 0x10, 0x00] as [UInt8] }
    let error = #expect(throws: ContentDecodingError.self) { try decode(bomb, ["zstd"], byteLimit: 64 << 20) }
    #expect(error == .tooLarge(byteLimit: 64 << 20))
  }

  @Test func `zstd with a larger window than browsers accept is refused before memory is allocated`() throws {
    // 2 to the power of 10 + 17: 128 MiB.
    let body: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 17 << 3] + [0x01, 0x00, 0x00]
    let error = #expect(throws: ContentDecodingError.self) { try decode(body, ["zstd"]) }
    #expect(error == .invalid(coding: "zstd"))
  }

  @Test func `zstd truncated anywhere is decoded as far as it goes`() throws {
    let whole = Array(text.utf8)
    let body = try bytes(bodies["zstd"])
    for count in 0..<body.count {
      let decoded = try decode(Array(body.prefix(count)), ["zstd"], pieceByteCount: 3)
      #expect(whole.starts(with: decoded))
    }
  }

  @Test(arguments: [[], ["identity"], ["dcz"], ["gzip", "compress"], ["gzip", "gzip", "gzip", "gzip"]])
  func `there is no decoder for unknown or too many codings`(codings: [String]) {
    #expect(ContentDecoder(codings: codings, byteLimit: 1) == nil)
  }
}
