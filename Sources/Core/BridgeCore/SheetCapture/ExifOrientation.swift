/// The orientation in the Exif data of an image: how it is turned to be shown (CIPA DC-008, section 4.6.4.1; TIFF 6.0, section 2).
enum ExifOrientation {
  private static let tag = 0x0112
  private static let shortType = 3
  /// The values with which the first row of the file is a side of the image.
  private static let turned = 5...8

  /// Whether the image is shown with width and height swapped. False for data that cannot be read, as in browsers.
  static func swapsSides(_ exif: ArraySlice<UInt8>) -> Bool {
    value(in: Array(exif)).map(turned.contains) ?? false
  }

  /// The orientation in the first directory; nil if there is none.
  private static func value(in exif: [UInt8]) -> Int? {
    let isLittleEndian: Bool
    switch exif.prefix(4) {
    case [0x49, 0x49, 0x2A, 0]: isLittleEndian = true
    case [0x4D, 0x4D, 0, 0x2A]: isLittleEndian = false
    default: return nil
    }
    func number(at position: Int, bytes count: Int) -> Int? {
      guard position >= 0, position <= exif.count - count else { return nil }
      let bytes = exif[position..<(position + count)]
      return (isLittleEndian ? Array(bytes.reversed()) : Array(bytes)).reduce(0) { $0 << 8 | Int($1) }
    }
    guard let directory = number(at: 4, bytes: 4), let count = number(at: directory, bytes: 2) else { return nil }
    for entry in 0..<count {
      let position = directory + 2 + 12 * entry
      guard let entryTag = number(at: position, bytes: 2) else { return nil }
      if entryTag == tag {
        return number(at: position + 2, bytes: 2) == shortType ? number(at: position + 8, bytes: 2) : nil
      }
    }
    return nil
  }
}
