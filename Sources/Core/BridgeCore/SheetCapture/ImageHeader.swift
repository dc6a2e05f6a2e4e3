import Essentials

/// The header of a PNG or JPEG file.
struct ImageHeader {
  let width: Int
  let height: Int
  let mimeType: String

  /// Reads a header. Returns nil if it has another format, is truncated, or if a side is 0 or above ``CaptureImage/sideLimit`` pixels.
  init?(_ data: Data) {
    let bytes = Array(data)
    guard let (width, height, mimeType) = Self.readPNG(bytes) ?? Self.readJPEG(bytes),
      1...CaptureImage.sideLimit ~= width, 1...CaptureImage.sideLimit ~= height
    else { return nil }
    self.width = width
    self.height = height
    self.mimeType = mimeType
  }

  /// The image header chunk is always the first (PNG, third edition, section 5.6).
  private static func readPNG(_ bytes: [UInt8]) -> (Int, Int, String)? {
    let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
    guard bytes.starts(with: start), bytes.count >= 24 else { return nil }
    return (number(bytes[16..<20]), number(bytes[20..<24]), "image/png")
  }

  /// Goes from segment to segment until the frame header (ITU-T T.81, section B.2.2).
  private static func readJPEG(_ bytes: [UInt8]) -> (Int, Int, String)? {
    guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
    var position = 2
    while position + 4 <= bytes.count, bytes[position] == 0xFF {
      let marker = bytes[position + 1]
      switch marker {
      case 0xFF:
        // A marker may be preceded by any number of fill bytes.
        position += 1
      case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
        guard position + 9 <= bytes.count else { return nil }
        return (
          number(bytes[(position + 7)..<(position + 9)]), number(bytes[(position + 5)..<(position + 7)]), "image/jpeg"
        )
      case 0xD0...0xDA:
        // The frame header comes before any scan.
        return nil
      default:
        let length = number(bytes[(position + 2)..<(position + 4)])
        guard length >= 2 else { return nil }
        position += 2 + length
      }
    }
    return nil
  }

  /// The big-endian number in at most four bytes.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
