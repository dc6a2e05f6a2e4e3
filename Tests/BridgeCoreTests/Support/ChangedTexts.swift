extension [UInt8] {
  /// The text with each of its bytes changed to each other one, and to itself.
  var withAnyByteChanged: some Sequence<[UInt8]> {
    indices.lazy.flatMap { index in
      (UInt8.min...UInt8.max).lazy.map { byte in
        var text = self
        text[index] = byte
        return text
      }
    }
  }
}
