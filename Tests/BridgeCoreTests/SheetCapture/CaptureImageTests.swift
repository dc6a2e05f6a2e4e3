import BridgeCore
import Foundation
import Testing

@Suite struct CaptureImageTests {
  static let fields: [String: JSONValue] = [
    "imageBase64": "AQID", "imageWidth": 3, "imageHeight": 2, "mimeType": "image/webp",
  ]

  @Test func `an image from JSON has the size and type of its fields`() throws {
    let image = try CaptureImage(fields: Self.fields)
    #expect(image.data == Data([1, 2, 3]))
    #expect(image.width == 3)
    #expect(image.height == 2)
    #expect(image.mimeType == "image/webp")
  }

  @Test(
    arguments: [
      ("imageBase64", nil), ("imageBase64", 1), ("imageBase64", ""), ("imageBase64", "AQI"), ("imageBase64", "AQ==="),
      ("imageBase64", "A QID"), ("imageBase64", "AQID\n"), ("imageBase64", "A-_D"), ("imageBase64", "AQ=D"),
      ("imageWidth", nil), ("imageWidth", 0), ("imageWidth", -1), ("imageWidth", 1.5), ("imageWidth", 65_536),
      ("imageWidth", 1e300), ("imageWidth", "3"), ("imageHeight", nil), ("imageHeight", 0), ("mimeType", nil),
      ("mimeType", "text/html"), ("mimeType", "image/"), ("mimeType", "image/png\r\nx: y"), ("mimeType", 1),
    ] as [(String, JSONValue?)])
  func `a wrong or missing member is named`(name: String, value: JSONValue?) {
    var fields = Self.fields
    fields[name] = value
    let error = #expect(throws: CaptureImageError.self) { try CaptureImage(fields: fields) }
    #expect(error?.description.contains(name) == true)
  }

  @Test func `an image of more than 16 MiB is refused`() throws {
    var fields = Self.fields
    fields["imageBase64"] = .string(Data(count: CaptureImage.dataLimit).base64EncodedString())
    #expect(try CaptureImage(fields: fields).data.count == CaptureImage.dataLimit)
    for excess in [1, 3] {
      fields["imageBase64"] = .string(Data(count: CaptureImage.dataLimit + excess).base64EncodedString())
      let error = #expect(throws: CaptureImageError.self) { try CaptureImage(fields: fields) }
      #expect(error?.description.contains("16 MiB") == true)
    }
    #expect(throws: CaptureImageError.self) { try CaptureImage(Data(count: CaptureImage.dataLimit + 1)) }
  }

  @Test(arguments: [CaptureImage.sampleDocument, .sampleFace])
  func `the size and type of a sample are read from its file`(sample: CaptureImage) throws {
    #expect(try CaptureImage(sample.data) == sample)
    #expect(try CaptureImage(fields: ["imageBase64": .string(sample.data.base64EncodedString())]) == sample)
  }

  @Test func `the sample images have the contract's default types`() {
    #expect(CaptureImage.sampleDocument.mimeType == "image/png")
    #expect(CaptureImage.sampleFace.mimeType == "image/jpeg")
  }

  @Test func `an image cut anywhere before its size is refused`() {
    for (sample, size) in [(CaptureImage.sampleDocument, 24), (.sampleFace, 160)] {
      for count in 0..<size where (try? CaptureImage(sample.data.prefix(count))) != nil {
        Issue.record("\(count) bytes of \(sample.mimeType) were taken.")
      }
    }
  }

  @Test(
    arguments: [
      [0xFF, 0xD8], [0xFF, 0xD8, 0xFF], [0xFF, 0xD8, 0xFF, 0xE0, 0, 0], [0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF],
      [0xFF, 0xD8, 0xFF, 0xDA, 0, 2], [0xFF, 0xD8, 0, 0, 0, 0], [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0, 0, 0, 1],
    ] as [[UInt8]])
  func `a JPEG file without a readable size is refused`(bytes: [UInt8]) {
    #expect(throws: CaptureImageError.self) { try CaptureImage(Data(bytes)) }
  }

  @Test func `fill bytes and other segments before the size of a JPEG file are skipped`() throws {
    let bytes: [UInt8] = [
      0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xFF, 0xC2, 0, 17, 8, 1, 0, 0, 5,
    ]
    let image = try CaptureImage(Data(bytes))
    #expect(image.height == 256)
    #expect(image.width == 5)
    #expect(image.mimeType == "image/jpeg")
  }
}
