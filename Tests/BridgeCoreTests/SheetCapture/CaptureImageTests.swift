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

  /// Exif data with one entry: the orientation.
  private static func exif(_ orientation: UInt8, isLittleEndian: Bool = false) -> [UInt8] {
    isLittleEndian
      ? [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]
      : [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
  }

  /// A JPEG file of 320 by 200 pixels as far as its frame header, with these Exif data.
  private static func jpeg(_ exif: [UInt8]) -> Data {
    let content = Array("Exif\0\0".utf8) + exif
    let frame: [UInt8] = [0xFF, 0xC0, 0, 17, 8, 0, 200, 1, 64]
    return Data([0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(content.count + 2)] + content + frame)
  }

  /// A PNG file of 320 by 200 pixels as far as its image data, with these Exif data before or after them.
  private static func png(_ exif: [UInt8], isAfterImage: Bool = false) -> Data {
    func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
      [0, 0, 0, UInt8(content.count)] + Array(type.utf8) + content + [0, 0, 0, 0]
    }
    let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let header = chunk("IHDR", [0, 0, 1, 64, 0, 0, 0, 200, 8, 2, 0, 0, 0])
    let image = chunk("IDAT", [1, 2, 3])
    let turn = chunk("eXIf", exif)
    return Data(start + header + chunk("gAMA", [0, 0, 0, 1]) + (isAfterImage ? image + turn : turn + image))
  }

  @Test(arguments: 0...9, [false, true])
  func `an image that Exif turns has the size that is shown`(orientation: UInt8, isLittleEndian: Bool) throws {
    let exif = Self.exif(orientation, isLittleEndian: isLittleEndian)
    let isTurned = (5...8).contains(orientation)
    for data in [Self.jpeg(exif), Self.png(exif)] {
      let images = [
        try CaptureImage(data), try CaptureImage(fields: ["imageBase64": .string(data.base64EncodedString())]),
      ]
      for image in images {
        #expect((image.width, image.height) == (isTurned ? (200, 320) : (320, 200)))
      }
    }
  }

  @Test func `a PNG file is not turned by Exif data after its image`() throws {
    #expect(try CaptureImage(Self.png(Self.exif(6), isAfterImage: true)).width == 320)
  }

  @Test func `Exif data that cannot be read turn nothing`() throws {
    let whole = Self.exif(6)
    for count in 0..<18 {
      #expect(try CaptureImage(Self.jpeg(Array(whole.prefix(count)))).width == 320)
    }
    for (position, byte) in [(0, 1), (4, 255), (7, 200), (9, 0), (11, 0x13), (13, 4)] {
      var broken = whole
      broken[position] = UInt8(byte)
      #expect(try CaptureImage(Self.jpeg(broken)).width == 320)
      #expect(try CaptureImage(Self.png(broken)).width == 320)
    }
  }
}
