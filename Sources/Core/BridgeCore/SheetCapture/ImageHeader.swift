import Essentials

/// The header of a PNG or JPEG file: its size as it is shown, after the turn that its Exif data asks for.
struct ImageHeader {
  let width: Int
  let height: Int
  let mimeType: String

  /// Reads a header. Returns nil if it has another format, is truncated, or if a side is 0 or above ``CaptureImage/sideLimit`` pixels.
  init?(_ data: Data) {
    let bytes = Array(data)
    guard let (width, height, mimeType, exif) = Self.readPNG(bytes) ?? Self.readJPEG(bytes),
      1...CaptureImage.sideLimit ~= width, 1...CaptureImage.sideLimit ~= height
    else { return nil }
    let isTurned = exif.map { ExifOrientation.swapsSides(bytes[$0]) } ?? false
    self.width = isTurned ? height : width
    self.height = isTurned ? width : height
    self.mimeType = mimeType
  }

  /// The size, the media type, and the place of the Exif data, if there are any.
  private typealias Header = (width: Int, height: Int, mimeType: String, exif: Range<Int>?)

  /// The image header chunk is always the first (PNG, third edition, section 5.6). An `eXIf` chunk (section 11.3.4.5) counts if it comes before
  /// the image data, as in browsers.
  private static func readPNG(_ bytes: [UInt8]) -> Header? {
    let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
    guard bytes.starts(with: start), bytes.count >= 24 else { return nil }
    var exif: Range<Int>?
    var position = 33
    while exif == nil, position + 8 <= bytes.count {
      let length = number(bytes[position..<(position + 4)])
      let type = bytes[(position + 4)..<(position + 8)]
      if type.elementsEqual("IDAT".utf8) || length > bytes.count - position - 8 { break }
      if type.elementsEqual("eXIf".utf8) { exif = (position + 8)..<(position + 8 + length) }
      position += 12 + length
    }
    return (number(bytes[16..<20]), number(bytes[20..<24]), "image/png", exif)
  }

  /// Goes from segment to segment until the frame header (ITU-T T.81, section B.2.2) and the first scan. The Exif data are in an `APP1`
  /// segment (CIPA DC-008, section 4.7.2).
  private static func readJPEG(_ bytes: [UInt8]) -> Header? {
    guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
    var size: (width: Int, height: Int)?
    var exif: Range<Int>?
    var position = 2
    // The frame header comes before any scan.
    while position + 4 <= bytes.count, bytes[position] == 0xFF, !(0xD0...0xDA ~= bytes[position + 1]) {
      let marker = bytes[position + 1]
      if marker == 0xFF {
        // A marker may be preceded by any number of fill bytes.
        position += 1
        continue
      }
      let length = number(bytes[(position + 2)..<(position + 4)])
      let content = (position + 4)..<max(position + 4, min(position + 2 + length, bytes.count))
      guard length >= 2 else { break }
      if 0xC0...0xCF ~= marker, ![0xC4, 0xC8, 0xCC].contains(marker), size == nil {
        guard position + 9 <= bytes.count else { return nil }
        size = (
          number(bytes[(position + 7)..<(position + 9)]), number(bytes[(position + 5)..<(position + 7)])
        )
      } else if marker == 0xE1, exif == nil, bytes[content].starts(with: Array("Exif\0\0".utf8)) {
        exif = (content.lowerBound + 6)..<content.upperBound
      }
      position += 2 + length
    }
    return size.map { ($0.width, $0.height, "image/jpeg", exif) }
  }

  /// The big-endian number in at most four bytes.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
